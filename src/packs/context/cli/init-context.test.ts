import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { nodeFiles } from '../../../platform/files.ts';
import { trustStatus } from '../../../workspace/config/trust.ts';
import { plantTree } from '../../../roots/tree.fixture.ts';
import type { Tree } from '../../../roots/tree.fixture.ts';
import { fakeWorld } from '../../../cli/world.fixture.ts';
import type { FakeWorld, FakeWorldOptions } from '../../../cli/world.fixture.ts';
import { init as contextInit } from './commands/context.ts';
import { init } from '../../../cli/commands/init.ts';

let tree: Tree;
let project: string;

beforeEach(() => {
  tree = plantTree();
  project = tree.repository('project');
});
afterEach(() => tree.remove());

function world(options: Partial<FakeWorldOptions> = {}): FakeWorld {
  return fakeWorld({ home: tree.home, cwd: project, env: { PATH: process.env['PATH'] }, ...options });
}

function put(path: string, text: string): string {
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, text);
  return text;
}

const read = (path: string): string => readFileSync(path, 'utf8');

const config = () => join(project, '.fairlead', 'config.yaml');
const PACK = 'Switch the pack context on, in this project?';
const LINE = 'Show rules, stopped calls and context left in the status line?';
beforeEach(() => {
  put(join(project, '.context', 'TASKS.md'), '');
  put(join(project, '.context', 'hooks', 'messages', 'qa-reminder', 'gate.txt'), 'x');
  put(join(project, '.ctxrc'), 'event_log: true\n');
});

it.each<[string, Partial<FakeWorldOptions>, string[], string[], boolean]>([
  ['a person wants the pack', { answer: true }, [], [PACK, LINE, 'Write these 2 files? [d]'], true],
  ['a person does not', { answer: false }, [], [PACK, LINE, 'Write this? [d]'], false],
  ['nobody can be asked', {}, [], [], false],
  ['--yes leaves the pack as it is', { answer: true }, ['--yes'], [], false],
  ['--dry-run', { answer: true }, ['--dry-run', '--pack', 'context'], [], false],
  ['--pack', { answer: true }, ['--pack', 'context'], [LINE, 'Write these 2 files? [d]'], true],
  ['--pack --yes', {}, ['--pack', 'context', '--yes'], [], true],
])('%s', async (_, options, args, asked, isOn) => {
  const at = world(options);
  await at.run(init, ...args);
  expect(at.asked).toEqual(asked);
  expect(existsSync(config())).toBe(isOn);
  if (isOn) expect(read(config())).toContain('context');
  const said = at.printed.out.replaceAll(/\s+/g, ' ');
  expect(said).toContain(
    'pack context .context (1 file, 1 message of its own), and .ctxrc with settings of ctx; the pack',
  );
  expect(said).toContain('fairlead trust`: .ctxrc sets event_log');
  expect(read(join(project, '.ctxrc'))).toBe('event_log: true\n');
  // The pack is on; what ctx left there waits for `trust` all the same.
  const deps = { files: nodeFiles, state: at.paths.state, now: Date.now };
  expect(trustStatus(project, deps)).toMatchObject({ state: isOn ? 'trusted' : 'absent', context: 'untrusted' });
});

it('says what is true of a context that was made here', async () => {
  rmSync(join(project, '.context'), { recursive: true });
  rmSync(join(project, '.ctxrc'));
  const at = world();
  await at.run(contextInit);
  at.printed.out = '';
  await at.run(init, '--pack', 'context', '--yes');
  expect(at.printed.out.replaceAll(/\s+/g, ' ')).toContain(
    'made here with `context init`, so its text and reminders go to the agent',
  );
  expect(at.printed.out).not.toContain('once you accept it');
});

it('says that hooks of ctx stay, which the pack would repeat', async () => {
  const hooks = [{ type: 'command', command: 'ctx system check-reminders' }];
  put(join(project, '.claude/settings.json'), JSON.stringify({ hooks: { UserPromptSubmit: [{ hooks }] } }));
  const at = world();
  await at.run(init, '--pack', 'context', '--yes');
  expect(at.printed.out.replaceAll(/\s+/g, ' ')).toContain(
    '1 hook of ctx in .claude/settings.json: kept; take that out, or',
  );
  expect(read(join(project, '.claude/settings.json'))).toContain('ctx system check-reminders');
});

it('is left alone by somebody who decided about the pack, and told of it when nothing else is to do', async () => {
  await world().run(init, '--yes');
  const again = world({ answer: false });
  expect(await again.run(init)).toBe(0);
  expect(again.printed.out).toContain('Nothing to do');
  expect(again.printed.out).toContain('packs on context');
  put(config(), 'packs: { context: off }\n');
  const decided = world({ answer: true });
  expect(await decided.run(init)).toBe(0);
  expect(decided.asked).toEqual([LINE, 'Write this? [d]']);
  expect(decided.printed.out).not.toContain('packs on context');
});
