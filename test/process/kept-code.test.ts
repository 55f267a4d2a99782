import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { recorded } from '../fixtures/claude-code.ts';
import { copyProductTo, sharedProduct } from './product.ts';
import { removeTree } from '../../src/platform/remove-tree.fixture.ts';

const BIN = fileURLToPath(new URL('../../bin/fairlead', import.meta.url));

let base: string;
let home: string;
let calls = 0;
beforeAll(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'fairlead-kept-code-')));
  home = join(base, 'fairlead');
  mkdirSync(join(base, 'project', '.git'), { recursive: true });
  // It puts the code down.
  decide('rm -rf /');
});
afterAll(() => removeTree(base));

/** What a process of its own decides, with no engine to ask. */
function decide(command: string): string {
  const cwd = join(base, 'project');
  const payload = { ...recorded('PreToolUse/bash.json'), cwd, tool_input: { command }, tool_use_id: `call-${++calls}` };
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [BIN, 'hook', '--agent', 'claude-code', '--direct', '--home', home],
    { cwd, env: { PATH: process.env['PATH'], HOME: base }, input: JSON.stringify(payload), encoding: 'utf8' },
  );
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  if (stdout === '') return 'none';
  return (JSON.parse(stdout) as { hookSpecificOutput: { permissionDecision: string } }).hookSpecificOutput
    .permissionDecision;
}

const codeDir = () => join(home, 'state', 'code');
const kept = () => {
  const names = readdirSync(codeDir()).filter((name) => name.startsWith('one-shot.cjs.'));
  expect(names).toHaveLength(1);
  return join(codeDir(), names[0] ?? '');
};

const changed = (bytes: Buffer, from: number, to: number) => Buffer.from(bytes).fill(0xff, from, to);

it.each<[string, (bytes: Buffer) => Buffer]>([
  ['nothing', () => Buffer.alloc(0)],
  ['its first half', (bytes) => bytes.subarray(0, bytes.length / 2)],
  ['all but a byte', (bytes) => bytes.subarray(0, -1)],
  ['wrong bytes at its start', (bytes) => changed(bytes, 0, 64)],
  ['a wrong byte amid it', (bytes) => changed(bytes, bytes.length >> 2, (bytes.length >> 2) + 1)],
  ['wrong bytes at its end', (bytes) => changed(bytes, bytes.length - 64, bytes.length)],
  ['a page of zeros', (bytes) => Buffer.from(bytes).fill(0, 8_192, 12_288)],
  ['zeros', (bytes) => Buffer.alloc(bytes.length)],
  ['text', () => Buffer.from('no code, no code')],
])('decides the same where %s is left of the kept code, and mends it', (_, harm) => {
  const whole = readFileSync(kept());
  writeFileSync(kept(), harm(whole));
  expect([decide('rm -rf /'), decide('ls')]).toEqual(['deny', 'none']);
  expect(readFileSync(kept()).length).toBeGreaterThan(whole.length / 2);
});

it('decides the same where others may write the kept code, or nobody may read it', () => {
  for (const mode of [0o666, 0o000]) {
    chmodSync(kept(), mode);
    expect([decide('rm -rf /'), decide('ls')]).toEqual(['deny', 'none']);
  }
});

it('of verbs lies beside the program where a directory for it is, and nowhere else', () => {
  const root = join(base, 'clone');
  copyProductTo(root, sharedProduct(), {});
  const beside = join(root, 'dist/code');
  rmSync(beside, { recursive: true });
  mkdirSync(beside, { mode: 0o700 });
  const verb = () =>
    spawnSync(process.execPath, [join(root, 'bin/fairlead'), 'packs', 'list'], {
      env: { HOME: base, FAIRLEAD_HOME: join(base, 'of-verbs') },
      encoding: 'utf8',
    });
  expect(verb()).toMatchObject({ status: 0, stderr: '' });
  const [name = ''] = readdirSync(beside);
  expect(readdirSync(beside)).toEqual([expect.stringMatching(/^cli\.cjs\./)]);
  const { mtimeMs } = statSync(join(beside, name));
  expect(verb()).toMatchObject({ status: 0, stderr: '' });
  expect(statSync(join(beside, name)).mtimeMs).toBe(mtimeMs);
});
