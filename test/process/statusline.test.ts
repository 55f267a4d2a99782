import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { removeTree } from '../../src/platform/remove-tree.fixture.ts';

const CLI = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));
const OWN = expect.stringMatching(/^Fairlead \d+ rules · 0 stopped today\b/) as string;
const LINE = '[demo] | ████░░░░ | 1/2 tasks | 0/2 ACs';

let base: string;
let project: string;
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'fairlead-line-')));
  project = join(base, 'project');
  cpSync('test/fixtures/specweave/project', project, { recursive: true });
  const entry = { id: '0001-demo', name: 'demo', completed: 1, total: 2, percentage: 50, acsCompleted: 0, acsTotal: 2 };
  const lastUpdate = new Date().toISOString();
  mkdirSync(join(project, '.specweave/state'));
  writeFileSync(
    join(project, '.specweave/state/status-line.json'),
    JSON.stringify({ activeIncrements: [entry], openCount: 1, lastUpdate, current: entry }),
  );
});
afterEach(() => removeTree(base));

interface Stdin {
  readonly text?: string;
  readonly stays?: true;
  readonly absent?: true;
}

async function line({ text = '', stays, absent }: Stdin, cwd = project) {
  const child = spawn(process.execPath, [CLI, 'statusline'], {
    cwd,
    env: { PATH: process.env['PATH'], HOME: base, FAIRLEAD_HOME: join(base, 'fairlead') },
    stdio: [absent ? 'ignore' : 'pipe', 'pipe', 'pipe'],
  });
  let out = '';
  let err = '';
  child.stdout?.setEncoding('utf8').on('data', (part: string) => (out += part));
  child.stderr?.setEncoding('utf8').on('data', (part: string) => (err += part));
  child.stdin?.on('error', () => {});
  child.stdin?.write(text);
  if (stays === undefined) child.stdin?.end();
  const code = await new Promise((resolve) => child.on('close', resolve));
  return { code, out, err };
}

const status = (dir: string) =>
  JSON.stringify({ workspace: { project_dir: dir }, context_window: { used_percentage: 3 } });

it.each<[string, Stdin]>([
  ['closed and empty', {}],
  ['open for ever and empty', { stays: true }],
  ['not there', { absent: true }],
  ['no JSON', { text: '{"workspace":' }],
])('prints its line with a stdin that is %s', async (_, stdin) => {
  const said = await line(stdin);
  expect(said).toEqual({ code: 0, out: OWN, err: '' });
  expect(said.out).toContain(` · ${LINE}\n`);
});

it.each<[string, Omit<Stdin, 'text'>]>([
  ['closes', {}],
  ['never closes', { stays: true }],
])('hears of the project on a stdin that %s', async (_, stdin) => {
  const said = await line({ text: status(project), ...stdin }, base);
  expect(said).toEqual({ code: 0, out: OWN, err: '' });
  expect(said.out).toContain(` · 97% context left · ${LINE}\n`);
});

it('knows nothing of a directory that is gone', async () => {
  const found = await line({ text: status(join(base, 'gone')) });
  expect(found).toEqual({ code: 0, out: 'Fairlead · 97% context left\n', err: '' });
});
