import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { graphPaths, readInitRecord } from '../../graph/index.ts';
import { writeActiveRoot, writeInitRecord } from '../../graph/graph.fixture.ts';
import type { InitRecord } from '../../graph/graph.fixture.ts';
import { nodeFiles } from '../../platform/files.ts';
import { startServer } from '../../mcp/server-process.fixture.ts';
import { pathsOf } from '../../platform/paths.ts';
import { acceptProject, listProject } from '../../workspace/config/trust.ts';
import { plantShop } from '../graph/indexed-project.fixture.ts';
import type { ShopProject } from '../graph/indexed-project.fixture.ts';

const AT = Date.parse('2026-03-10T09:00:00Z');

let shop: ShopProject;
beforeEach(() => {
  shop = plantShop();
  configure();
});
afterEach(() => shop.remove());

const state = () => pathsOf(join(shop.home, '.fairlead')).state;
const location = () => graphPaths(state(), shop.root);
const record = () => readInitRecord(nodeFiles, location(), shop.root);
const write = (fields: Partial<InitRecord>) =>
  writeInitRecord(nodeFiles, location(), {
    version: 1,
    root: shop.root,
    state: 'pending',
    reason: 'cwd',
    startedAt: AT,
    failures: 0,
    ...fields,
  });

describe('status says how a root came to be indexed, or why it is not', () => {
  it.each<[string, Partial<InitRecord>, RegExp[], object]>([
    [
      'nothing to index',
      { endedAt: AT + 100, files: 0, reason: 'session-start' },
      [/state +pending: no file in a language/, /attempt .*took 0\.1 s, because a session started/, /next +with what/],
      { state: 'pending', retryAt: AT + 5_100 },
    ],
    [
      'a failure',
      { state: 'failed', endedAt: AT + 100, failures: 1, error: 'out of memory', reason: 'single-child' },
      [
        /state +failed 1 time: out of memory\n/,
        /because it is the only project/,
        /next +with what an agent does there/,
      ],
      { state: 'failed', failures: 1, error: 'out of memory', retryAt: AT + 120_100 },
    ],
    [
      'three failures',
      { state: 'failed', endedAt: AT + 100, failures: 3, error: 'out of memory' },
      [/failed 3 times/, /next +only with `fairlead graph index`/],
      { state: 'failed', failures: 3 },
    ],
    [
      'a process that was killed at it',
      { state: 'indexing', reason: 'file' },
      [/state +pending\n/, /not ended, because an agent used a file/],
      { state: 'pending' },
    ],
  ])('%s', async (_what, fields, texts, data) => {
    write(fields);
    const { code, out } = await shop.graph('status');
    expect(code).toBe(1);
    for (const text of [/There is no code graph\. /, ...texts]) expect(out).toMatch(text);
    const { initialisation } = (await shop.json('status')) as { initialisation: object };
    expect(initialisation).toMatchObject(data);
    expect('retryAt' in initialisation).toBe('retryAt' in data || fields.state === 'indexing');
  });

  it('what is damaged counts as nothing written', async () => {
    write({});
    writeFileSync(location().init, '{"version":1,"root":');
    expect((await shop.graph('status')).out).toBe(
      `${shop.root}  (a project)\nThere is no code graph. \`fairlead graph index\` makes one.\n`,
    );
  });

  it('a request is written down as one, and ends what failed before', async () => {
    write({ state: 'failed', failures: 3, error: 'out of memory' });
    expect((await shop.graph('index')).code).toBe(0);
    expect(record()).toMatchObject({ state: 'stable', reason: 'explicit', files: 5, failures: 0 });
    expect(record()?.error).toBeUndefined();
    const { out } = await shop.graph('status');
    expect(out).toMatch(/state +stable\n/);
    expect(out).toMatch(/attempt .*because it was asked for\n/);
    expect(await shop.json('status')).toMatchObject({ initialisation: { state: 'stable', reason: 'explicit' } });
    shop.putProject('tool.py', 'def other():\n    return 1\n');
    expect((await shop.graph('status')).out).toMatch(/state +initialised; stale: 1 file\n/);
  });

  it('a request that finds nothing stores nothing', async () => {
    const empty = join(shop.home, 'empty');
    mkdirSync(empty);
    writeFileSync(join(empty, 'package.json'), '{}');
    expect((await shop.graph('index', '--root', empty)).code).toBe(1);
    const of = graphPaths(state(), empty);
    expect([of.snapshot, of.facts].map(nodeFiles.exists)).toEqual([false, false]);
    expect(readInitRecord(nodeFiles, of, empty)).toMatchObject({ state: 'pending', reason: 'explicit' });
  });

  it('an index whose files of code are all gone is not kept', async () => {
    await shop.graph('index');
    for (const path of ['src', 'tool.py']) rmSync(join(shop.root, path), { recursive: true });
    expect((await shop.graph('index')).code).toBe(1);
    expect(nodeFiles.exists(location().snapshot)).toBe(false);
  });

  it.each([
    ['where it is asked', []],
    ['as the root that is named', ['--root', '.']],
  ])('nothing marks a directory, %s', async (_how, named) => {
    const cwd = join(shop.home, 'bare');
    mkdirSync(cwd);
    const status = (...words: string[]) => shop.ask(['status', ...named, ...words], { cwd });
    const index = `\`fairlead graph index --root ${cwd}\``;
    const { code, out } = await status();
    expect(code).toBe(1);
    expect(out.slice(out.indexOf('\n') + 1)).toBe(
      `There is no code graph. ${index} makes one all the same.\n  state       pending: nothing marks it as a project\n`,
    );
    expect(JSON.parse((await status('--json')).out)).toMatchObject({
      state: 'pending',
      initialisation: { state: 'pending' },
    });
    expect((await shop.graph('index', '--root', cwd)).code).toBe(1);
    expect((await status()).out).toContain(`next        only with ${index}\n`);
    writeFileSync(join(cwd, 'a.py'), 'def f():\n    pass\n');
    expect((await shop.graph('index', '--root', cwd)).code).toBe(0);
    const indexed = await status('--json');
    expect([indexed.code, JSON.parse(indexed.out)]).toMatchObject([0, { state: 'stable' }]);
  });

  it('where a session works that was started here', async () => {
    const other = join(shop.root, 'src');
    writeActiveRoot(nodeFiles, state(), shop.root, { root: other, reason: 'file', at: AT });
    expect((await shop.graph('status')).out).toContain(`one that was started here works in ${other} since`);
    expect(await shop.json('status')).toMatchObject({ active: { root: other, reason: 'file', at: AT } });
    rmSync(other, { recursive: true });
    expect((await shop.graph('status')).out).not.toContain('works in');
    expect((await shop.json('status'))['active']).toBeUndefined();
    writeActiveRoot(nodeFiles, state(), shop.root, undefined);
    expect((await shop.json('status'))['active']).toBeUndefined();
  });
});

/** No pictures: to draw takes as long as to index. */
function configure(options = ''): void {
  const { config } = pathsOf(join(shop.home, '.fairlead'));
  mkdirSync(config, { recursive: true });
  writeFileSync(join(config, 'config.yaml'), `packs: { autocontext: { enabled: true, pictures: off${options} } }\n`);
}

it('the home directory is a root where the person says so', async () => {
  const inHome = { cwd: shop.home };
  // What the home directory says of itself does not count, be it trusted.
  writeFileSync(
    join(shop.home, '.fairlead/config.yaml'),
    'packs: { autocontext: { enabled: true, roots: { force: on } } }\n',
  );
  const deps = { files: nodeFiles, state: state(), now: Date.now };
  acceptProject(listProject(shop.home, deps), deps);
  expect((await shop.ask(['status'], inHome)).err).toContain('is no project');
  configure(', roots: { force: on }');
  expect(await shop.ask(['index'], inHome)).toMatchObject({ code: 0, out: expect.stringContaining(shop.home) });
  expect((await shop.ask(['status'], inHome)).out).toContain(`${shop.home}  (nothing marks it as a project)\n`);
  const server = await startServer({ home: shop.home, cwd: shop.root });
  const { text } = await server.call('graph', { action: 'status', root: '~' });
  await server.close();
  expect(text).toContain(`${shop.home} (named)\nstate: stable`);
  expect((await shop.graph('status')).out).toContain(`${shop.root}  (a project)\n`);
});

it('after other settings a request reads all files anew, also where that was cut off', async () => {
  const parsed = async () => (await shop.json('index'))['parsed'];
  const all = await parsed();
  configure(', index: { maxFile: 20 }');
  expect([await parsed(), await parsed()]).toEqual([all, 0]);
  expect((await shop.graph('search', 'parse_config')).code).toBe(1);
  write({ ...record(), state: 'indexing' });
  expect([await parsed(), await parsed()]).toEqual([all, 0]);
  configure(', index: { maxFile: 1MiB }');
  const server = await startServer({ home: shop.home, cwd: shop.root });
  const { text } = await server.call('graph', { action: 'index' });
  await server.close();
  expect(text).toContain(`\n${String(all)} files read, 0 gone`);
  expect((await shop.graph('search', 'parse_config')).code).toBe(0);
});

it('settings say which files, and a look at all files does not undo it', async () => {
  configure(', languages: [python]');
  expect(await shop.json('index')).toMatchObject({ counts: { languages: { python: { files: 1 } } } });
  expect(await shop.json('status')).toMatchObject({ state: 'stable', counts: { files: 2 } });
  expect((await shop.graph('search', 'main')).code).toBe(1);
  expect(await shop.json('status')).toMatchObject({ state: 'stable', counts: { files: 2 } });
  expect(readFileSync(location().init, 'utf8')).toContain('python');
});

it('answers and the status say that only a part of the files is indexed', async () => {
  configure(', index: { maxFiles: 4 }');
  expect(await shop.json('index')).toMatchObject({ counts: { files: 4 }, skipped: { 'too-many': 1 } });
  expect((await shop.graph('status')).out).toMatch(/state +stable; partial scope: 4 of 5 files\n/);
  expect(await shop.json('status')).toMatchObject({ scope: { files: 4, of: 5 } });
  expect((await shop.graph('callers', 'Store.save')).out).toMatch(/\nstable · partial scope: 4 of 5 files\n/);
  expect(await shop.json('callers', 'Store.save')).toMatchObject({ state: 'stable', scope: { files: 4, of: 5 } });
});

it('the rows of languages and manifests come to the files and symbols that are counted', async () => {
  await shop.json('index');
  const { out } = await shop.graph('status');
  const [, files, symbols] = (/files +(\d+), with (\d+) symbols/.exec(out) ?? []).map(Number);
  const rows = [...out.matchAll(/^ +(\w+): (\d+) files?, (\d+) symbols?$/gm)];
  expect(rows.map(([, name]) => name)).toEqual(['typescript', 'python', 'manifests']);
  const sum = (at: number) => rows.reduce((all, row) => all + Number(row[at]), 0);
  expect([sum(2), sum(3)]).toEqual([files, symbols]);
});
