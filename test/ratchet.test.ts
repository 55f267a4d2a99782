import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { judgeTests, machineSeconds, startCount } from '../scripts/test-cost.mjs';

const script = fileURLToPath(new URL('../scripts/ratchet.mjs', import.meta.url));
const made: string[] = [];
afterAll(() => made.forEach((dir) => rmSync(dir, { recursive: true })));

function makeTree(files: Readonly<Record<string, string>>): string {
  const dir = mkdtempSync(join(tmpdir(), 'fairlead-ratchet-'));
  made.push(dir);
  write(dir, { 'knip.json': '{ "entry": ["src/hook.ts", "src/packs/*/pack.ts"] }', 'bench/.keep': '', ...files });
  return dir;
}

function write(dir: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), text);
  }
}

function ratchet(dir: string, ...args: string[]): { readonly status: number | null; readonly output: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, '--checkout', dir, ...args], {
    encoding: 'utf8',
  });
  return { status, output: stdout + stderr };
}

interface Kept {
  readonly limits: Readonly<Record<string, number>>;
  readonly raised: readonly unknown[];
}
const keptIn = (dir: string): Kept => JSON.parse(readFileSync(join(dir, 'bench', 'ratchet.json'), 'utf8')) as Kept;
const lines = (count: number): string => '// a line\n'.repeat(count);

describe('npm run ratchet', () => {
  it('counts every file of the product by its room, and no test, fixture or generated file', () => {
    const dir = makeTree({
      'src/engine/run.ts': lines(10),
      'src/engine/run.test.ts': lines(1_000),
      'src/adapters/contract.ts': lines(1_000),
      'src/packs/index.generated.ts': lines(1_000),
      'src/graph/python/fixtures/all.py': lines(1_000),
      'src/core/later.ts': lines(3),
      'src/page/style.css': 'a {}\nb {}',
      'src/packs/guard/words.json': '["é"]\n',
    });
    ratchet(dir);
    const { limits } = keptIn(dir);
    expect(limits).toMatchObject({ core: 13, 'core.bytes': 130, page: 2, 'page.bytes': 9, packs: 1, 'packs.bytes': 7 });
    expect(limits).toMatchObject({ agents: 0, graph: 0 });
  });

  it('refuses a file that lies in no room', () => {
    const { status, output } = ratchet(makeTree({ 'src/attic/run.ts': lines(1) }), '--check');
    expect([status, output]).toEqual([1, expect.stringContaining('src/attic/run.ts')]);
  });

  it('fails when a room has 500 lines more, until somebody says why', () => {
    const dir = makeTree({ 'src/engine/run.ts': lines(100) });
    ratchet(dir);
    expect(ratchet(dir, '--check').status).toBe(0);
    write(dir, { 'src/engine/more.ts': lines(500) });
    const { status, output } = ratchet(dir, '--check');
    expect(status).toBe(1);
    expect(output).toContain('core rose by 500: 600, and may be 100');
    expect(output).toContain('npm run ratchet -- --raise core=600');

    expect(ratchet(dir, '--raise', 'core=600').output).toContain('say why');
    expect(ratchet(dir, '--raise', 'core=50', '--why', 'less').output).toContain('may be 100 already');
    expect(ratchet(dir, '--raise', 'attic=50', '--why', 'new').output).toContain('no figure in "attic=50"');
    expect(ratchet(dir).status).toBe(0);
    expect(ratchet(dir, '--check').status).toBe(1);

    const raised = ['--raise', 'core.lines=+500', '--raise', 'core.bytes=6000', '--why', 'reads commands'];
    expect(ratchet(dir, ...raised).status).toBe(0);
    expect(ratchet(dir, '--check').status).toBe(0);
    expect(ratchet(dir, '--raise', 'core=+1', '--why', 'reads commands').status).toBe(0);
    expect(keptIn(dir).raised).toEqual([
      { figure: 'core.bytes', by: 5000, why: 'reads commands' },
      { figure: 'core', by: 501, why: 'reads commands' },
    ]);
  });

  it('fails when lines move to a room that has no place for them', () => {
    const dir = makeTree({ 'src/engine/run.ts': lines(100) });
    ratchet(dir);
    write(dir, { 'src/engine/run.ts': lines(50), 'src/shell/run.ts': lines(50) });
    expect(ratchet(dir, '--check').output).toContain('shell rose by 50: 50, and may be 0');
  });

  it('writes down what fell, and holds it', () => {
    const dir = makeTree({ 'src/engine/run.ts': lines(100) });
    ratchet(dir);
    write(dir, { 'src/engine/run.ts': lines(60) });
    expect(ratchet(dir, '--check')).toMatchObject({ status: 0, output: expect.stringContaining('2 figures fell') });
    expect(ratchet(dir).output).toContain('lowered core from 100 to 60');
    write(dir, { 'src/engine/run.ts': lines(61) });
    expect(ratchet(dir, '--check').status).toBe(1);
  });

  it('says that its file cannot be read', () => {
    const dir = makeTree({ 'src/engine/run.ts': lines(1), 'bench/ratchet.json': '<<<<<<< ours' });
    expect(ratchet(dir, '--check')).toMatchObject({ status: 1, output: expect.stringContaining('cannot be read') });
  });
});

const LONERS: readonly (readonly [string, Readonly<Record<string, string>>, readonly string[]])[] = [
  ['one that imports a type', { 'a.ts': "import type { B } from './b.ts';\n" }, ['b.ts', 'b.ts#B']],
  [
    'two importers',
    { 'a.ts': "import { b } from './b.ts';\n", 'c.ts': "import { B } from './b.ts';\n" },
    ['b.ts#B', 'b.ts#b'],
  ],
  ['a test', { 'a.test.ts': "import { b } from './b.ts';\n" }, []],
  [
    'a test beside',
    { 'a.ts': "import { b } from './b.ts';\n", 'b.test.ts': "import { b } from './b.ts';\n" },
    ['b.ts', 'b.ts#b'],
  ],
  ['a generated list', { 'index.generated.ts': "export const load = () => import('./b.ts');\n" }, []],
  ['late, one name', { 'a.ts': "export const load = async () => (await import('./b.ts')).b;\n" }, ['b.ts', 'b.ts#b']],
  ['late, in words', { 'a.ts': "const { b: mine } = await import('./b.ts');\n" }, ['b.ts', 'b.ts#b']],
  ['late, all of it', { 'a.ts': "export const load = () => import('./b.ts');\n" }, ['b.ts', 'b.ts#B', 'b.ts#b']],
  ['as a whole', { 'a.ts': "import * as all from './b.ts';\nall.b();\n" }, ['b.ts', 'b.ts#b']],
  ['a type in place', { 'a.ts': "export type A = import('./b.ts').B;\n" }, ['b.ts', 'b.ts#B']],
  ['in a comment', { 'a.ts': "// import('./b.ts')\n" }, []],
  [
    'through a file that hands it on',
    { 'door.ts': "export { b as d } from './b.ts';\n", 'a.ts': "import { d } from './door.ts';\n" },
    ['b.ts', 'b.ts#b', 'door.ts'],
  ],
  [
    'through two doors, by two',
    {
      'door.ts': "export * from './b.ts';\n",
      'a.ts': "import { b } from './door.ts';\n",
      'c.ts': "import { b } from './b.ts';\n",
    },
    ['door.ts'],
  ],
];

describe('files with one importer and names with one user', () => {
  // All in one tree, each case in a folder of its own: one process finds them.
  const folders = LONERS.flatMap(([, files], index) =>
    Object.entries({ 'b.ts': 'export const b = () => 1;\nexport type B = 1;\n', ...files }).map(
      ([path, text]) => [`src/engine/${index}/${path}`, text] as const,
    ),
  );
  const found = ratchet(makeTree(Object.fromEntries(folders)), '--list').output.split('\n');

  it.each(LONERS.map((each, index) => [each[0], index, each[2]] as const))('%s', (_, index, expected) => {
    const folder = `src/engine/${index}/`;
    const here = found.filter((each) => each.startsWith(folder)).map((each) => each.slice(folder.length));
    expect(here.sort()).toEqual([...expected].sort());
  });

  it('leaves out what a process starts with', () => {
    const dir = makeTree({
      'src/cli.ts': "import './hook.ts';\nimport './packs/a/pack.ts';\n",
      'src/hook.ts': '',
      'src/packs/a/pack.ts': '',
    });
    expect(ratchet(dir, '--list').output.trim()).toBe('');
  });
});

describe('what npm test costs', () => {
  it('reads the time of the machine', () => {
    expect(machineSeconds(() => 'cpu  100 0 200 5000 6000 10 20 30 0 0\ncpu0 1 1')).toBe(3.6);
    expect(machineSeconds(() => undefined)).toBeUndefined();
  });

  it.each([
    ['nobody', 0, 0, undefined],
    ['others before', 60, 0, expect.stringContaining('others kept') as string],
    ['others after', 0, 60, expect.stringContaining('others kept') as string],
  ])('counts all that the machine did, beside %s', async (_, before, after, unfit) => {
    let seconds = 50;
    const others = [before, after];
    const machine = () => seconds;
    const wait = async () => void (seconds += others.shift() ?? 0);
    const end = await startCount({ machine, wait, calibration: () => 0.02 });
    seconds += 100;
    expect(await end()).toMatchObject({ figure: 5000, seconds: 100, unfit });
  });

  it('is not known everywhere', async () => {
    const end = await startCount({ machine: () => undefined });
    expect(await end()).toEqual({ unfit: expect.stringContaining('Linux') });
  });

  it.each([
    ['less', { figure: 900, seconds: 9 }, 1000, true, '9 s of processor time, 900 rounds, and may be 1000'],
    ['what runs differ by', { figure: 1150, seconds: 9 }, 1000, true, 'and may be 1000'],
    ['more', { figure: 1151, seconds: 9 }, 1000, false, '--raise "npm test=1151"'],
    ['no limit', { figure: 900, seconds: 9 }, undefined, true, 'not set: npm run ratchet -- --set-tests sets it'],
    ['no measure', { figure: 9000, seconds: 9, unfit: 'skipped 3 tests' }, 1000, true, 'not judged: skipped 3 tests'],
    ['nothing known', { unfit: 'Linux alone' }, 1000, true, 'not judged: Linux alone'],
  ])('judges %s', (_, found, limit, ok, text) => {
    expect(judgeTests(found, limit)).toMatchObject({ ok, text: expect.stringContaining(text) });
  });

  it('becomes a limit where it may be one', () => {
    const dir = makeTree({ 'src/engine/run.ts': lines(1) });
    const last = (found: object) => write(dir, { '.build/test-cost.json': JSON.stringify(found) });
    expect(ratchet(dir, '--set-tests').output).toContain('no npm test has run to its end');
    last({ figure: 900, unfit: 'others had 50 %' });
    expect(ratchet(dir, '--set-tests').output).toContain('is no measure: others had 50 %');
    last({ figure: 900 });
    expect(ratchet(dir, '--set-tests').status).toBe(0);
    last({ figure: 950 });
    expect(ratchet(dir, '--set-tests').output).toContain('it rose to 950, and may be 900');
    expect(ratchet(dir, '--raise', 'npm test=950', '--why', 'more of them').status).toBe(0);
    expect(keptIn(dir).limits['npm test']).toBe(950);
  });
});
