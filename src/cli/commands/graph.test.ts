import { readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { graphPaths } from '../../graph/index.ts';
import { RECORD_FORMAT, writeSections } from '../../graph/graph.fixture.ts';
import type { GraphPaths } from '../../graph/graph.fixture.ts';
import { nodeFiles } from '../../platform/files.ts';
import { pathsOf } from '../../platform/paths.ts';
import { pause } from '../../platform/timers.ts';
import { plantShop } from '../graph/indexed-project.fixture.ts';
import type { ShopProject } from '../graph/indexed-project.fixture.ts';

let shop: ShopProject;

function eachHasItsOwn(): void {
  beforeEach(() => {
    shop = plantShop();
  });
  afterEach(() => shop.remove());
}

/** Indexed once. Each case finds the project and its graph as they were then. */
function eachFindsItIndexed(): void {
  beforeAll(async () => {
    shop = plantShop();
    // To draw takes as long as to index, and what is drawn is not looked at here.
    shop.putUser('config.yaml', 'packs: { autocontext: { enabled: true, pictures: off } }\n');
    // Of a time that can be given to a file again.
    utimesSync(join(shop.root, 'tool.py'), 1_000, 1_000);
    expect((await shop.graph('index')).code).toBe(0);
    shop.keep();
  });
  beforeEach(() => shop.restore());
  afterAll(() => shop.remove());
}

const placeOfShop = () => graphPaths(pathsOf(join(shop.home, '.fairlead')).state, shop.root);

describe('without a graph', () => {
  eachHasItsOwn();

  it('a question is not answered as if nothing were there', async () => {
    expect(await shop.graph('callers', 'main')).toEqual({
      code: 1,
      out: '',
      err: `fairlead: ${shop.root} has no code graph; \`fairlead graph index\` makes one\n`,
    });
    expect(await shop.graph('search', 'main', '--root', 'src')).toMatchObject({
      code: 1,
      err: `fairlead: ${shop.root}/src has no code graph; \`fairlead graph index --root ${shop.root}/src\` makes one\n`,
    });
  });

  it('nobody is sent to make one while that is being done', async () => {
    const lease = await shop.holdLease();
    expect(await shop.graph('callers', 'main')).toEqual({
      code: 1,
      out: '',
      err: `fairlead: the code graph of ${shop.root} is being made by process ${process.pid}; \`fairlead graph status\` tells when it is there\n`,
    });
    expect((await shop.graph('status')).out).toMatch(
      /There is no code graph\. One is being made\.\n {2}writer +process/,
    );
    lease.release();
  });

  it('status says so and exits with 1', async () => {
    expect(await shop.graph('status')).toEqual({
      code: 1,
      out: `${shop.root}  (a project)\nThere is no code graph. \`fairlead graph index\` makes one.\n`,
      err: '',
    });
  });

  it('the home directory is no project', async () => {
    const { code, err } = await shop.ask(['index'], { cwd: shop.home });
    expect([code, err]).toEqual([1, `fairlead: ${shop.home} is no project; change to one, or name it with --root\n`]);
  });

  it('a directory without code is not indexed', async () => {
    const empty = join(shop.home, 'empty');
    nodeFiles.makeDir(empty, 0o700);
    const { code, out } = await shop.graph('index', '--root', empty);
    expect([code, out]).toEqual([
      1,
      `${empty} has no file in a language that is known, so there is nothing to index.\n`,
    ]);
    expect((await shop.graph('callers', 'main', '--root', empty)).code).toBe(1);
  });
});

describe('index', () => {
  eachHasItsOwn();

  it('tells what it found; the next time reads what changed, and all of it when forced', async () => {
    const { code, out, err } = await shop.graph('index');
    expect([code, err]).toEqual([0, '']);
    expect(out).toMatch(/5 files read, 0 gone, in \d+\.\d s\n {2}files +5, with 7 symbols\n/);
    expect(out).toMatch(
      /typescript: 3 files, 5 symbols\n +python: 1 file, 2 symbols\n +manifests: 1 file, 0 symbols\n {2}edges +\d+; 0 possible, 0 unresolved/,
    );

    writeFileSync(join(shop.root, 'tool.py'), 'def parse_config(text):\n    return text\n');
    expect(await shop.json('index')).toMatchObject({ schema: 1, root: shop.root, parsed: 1, counts: { symbols: 6 } });
    expect(await shop.json('index')).toMatchObject({ parsed: 0 });
    expect(await shop.json('index', '--force')).toMatchObject({ parsed: 5 });
  });

  it('an interrupt ends it, and the next one goes on', async () => {
    // This one waits for it.
    const lease = await shop.holdLease();
    const { child, ran } = shop.begin(['index']);
    await pause(1_500);
    child.kill('SIGINT');
    expect(await ran).toEqual({
      code: 130,
      out: '',
      err: 'Interrupted. What was read is kept; `fairlead graph index` goes on from there.\n',
    });
    expect((await shop.json('status'))['holder']).toMatchObject({ pid: process.pid });
    lease.release();
    expect((await shop.graph('index')).code).toBe(0);
    expect((await shop.json('status'))['holder']).toBeUndefined();
  });

  it('says what to do when another one takes too long', async () => {
    const lease = await shop.holdLease();
    expect(await shop.graph('index', '--root', 'src')).toMatchObject({ code: 0 });
    expect(await shop.graph('index', '--wait', '0')).toEqual({
      code: 1,
      out: '',
      err: `fairlead: the index is being written by process ${process.pid}; wait until it is done, which \`fairlead graph status\` tells, then run \`fairlead graph index\` again\n`,
    });
    lease.release();
  });

  it.each([[['--force', '--verify']], [['--wait', '61']], [['--forse']], [['x']], [['--root', 'nowhere']]])(
    '%j is a mistake',
    async (words) => {
      expect((await shop.graph('index', ...words)).code).toBe(words[0] === '--root' ? 1 : 2);
    },
  );
});

describe('with a graph', () => {
  eachFindsItIndexed();

  it('--verify finds what has the size and the time it had', async () => {
    const path = join(shop.root, 'tool.py');
    writeFileSync(path, readFileSync(path, 'utf8').replace('def run', 'def ran'));
    utimesSync(path, 1_000, 1_000);
    expect((await shop.json('search', 'ran'))['symbols']).toMatchObject({ total: 0 });
    expect(await shop.json('index', '--verify')).toMatchObject({ parsed: 1 });
    expect((await shop.json('search', 'ran'))['symbols']).toMatchObject({ total: 1 });
  });

  it('status names no writer where a killed one left its number behind, which another process has now', async () => {
    (await shop.holdLease()).release();
    writeFileSync(placeOfShop().holder, JSON.stringify({ pid: process.pid, since: Date.now() }));
    expect((await shop.json('status'))['holder']).toBeUndefined();
  });

  describe('an answer', () => {
    it('has text and data', async () => {
      expect(await shop.graph('callers', 'Store.save')).toEqual({
        code: 0,
        out: `Store.save  method  src/store.ts:2-4
  save(item: string): void
1 caller in production; 1 call
  main  src/main.ts:4
stable
`,
        err: '',
      });
      expect(await shop.json('callers', 'Store.save')).toMatchObject({
        schema: 1,
        root: shop.root,
        state: 'stable',
        stale: 0,
        is: 'callers',
        calls: { total: 1, items: [{ symbol: { key: 'src/main.ts#main' }, sites: [{ line: 4, why: 'receiver' }] }] },
      });
      expect((await shop.graph('impact', 'Store.save', '--depth', '3')).out).toContain(
        'distance 2: 1 caller in tests\n  testMain  src/main.test.ts:3  test\n',
      );
      expect((await shop.graph('context', 'parse', 'config')).out).toContain(
        '1  def parse_config(text):\n2      return text\n1 caller in production\n  run  tool.py:5\n',
      );
      expect((await shop.graph('callees', 'run')).out).toContain('1 callee, 1 call\n  parse_config  tool.py:1  at 5\n');
    });

    it('is found for names that mean none or several, which the exit code tells', async () => {
      shop.putProject('src/other.ts', 'export function main(): void {}\n');
      const several = await shop.graph('callers', 'main');
      expect([several.code, several.out]).toEqual([1, expect.stringContaining('"main" is the name of 2 symbols')]);
      expect((await shop.graph('callers', 'main', '--pick', 'best')).out).toContain(
        'also of that name: main src/other.ts:1',
      );
      expect((await shop.graph('callers', 'main', '--file', 'other.ts')).out).toContain(
        'no callers found; 0 possible, 0 unresolved references of this name',
      );
      const none = await shop.graph('callers', 'mian');
      expect([none.code, none.out]).toEqual([
        1,
        expect.stringContaining('similar names\n  main  function  src/main.ts:2'),
      ]);
    });

    it('is of the files as they are: changed, new, moved and gone', async () => {
      const callers = async () => {
        const { calls, state } = (await shop.json('callers', 'Store.save')) as {
          state: string;
          calls: { items: { symbol: { name: string }; sites: { line: number }[] }[] };
        };
        return [
          state,
          ...calls.items.map(({ symbol, sites }) => `${symbol.name}:${sites.map(({ line }) => line).join()}`),
        ];
      };
      expect(await callers()).toEqual(['stable', 'main:4']);
      shop.putProject(
        'src/main.ts',
        "import { Store } from './store.ts';\n\nexport function main(): void {\n  new Store().save('a');\n  new Store().save('b');\n}\n",
      );
      expect(await callers()).toEqual(['stable', 'main:4,5']);
      shop.putProject(
        'src/more.ts',
        "import { Store } from './store.ts';\nexport const more = () => new Store().save('c');\n",
      );
      expect(await callers()).toEqual(['stable', 'main:4,5', 'more:2']);
      rmSync(join(shop.root, 'src/main.ts'));
      expect(await callers()).toEqual(['stable', 'more:2']);
      expect(await shop.json('status')).toMatchObject({ state: 'stable', stale: 0 });
    });

    it('is of the branch that is checked out, however much changed with it', async () => {
      for (let n = 0; n < 450; n += 1)
        shop.putProject(`src/many/f${n}.ts`, `import { Store } from '../store.ts';\nnew Store().save('${n}');\n`);
      const { out } = await shop.graph('callers', 'Store.save', '--limit', '1');
      expect(out).toContain('451 callers in production; 451 calls\n');
      expect(out.split('\n').at(-2)).toBe('stable');
    });

    it.each<[string, (location: GraphPaths) => void]>([
      ['a damaged snapshot', ({ snapshot }) => writeFileSync(snapshot, readFileSync(snapshot).subarray(0, 200))],
      ['an empty snapshot', ({ snapshot }) => writeFileSync(snapshot, '')],
      [
        'a snapshot by another version, laid out in another way',
        ({ snapshot }) =>
          writeFileSync(
            snapshot,
            writeSections(
              { kind: 'snapshot', format: RECORD_FORMAT, root: shop.root, madeBy: '1 0.0.9 other' },
              { paths: new Uint8Array([255, 255, 255, 255, 15]), names: new Uint8Array([7]) },
            ),
          ),
      ],
      ['damaged facts', ({ facts }) => writeFileSync(facts, 'junk'.repeat(999))],
      ['a damaged lease', ({ lease }) => writeFileSync(lease, 'junk'.repeat(999))],
    ])('is given whatever became of the store: %s', async (_what, spoil) => {
      (await shop.holdLease()).release();
      spoil(placeOfShop());
      shop.putProject(
        'src/more.ts',
        "import { Store } from './store.ts';\nexport const more = () => new Store().save('c');\n",
      );
      expect(await shop.json('callers', 'Store.save')).toMatchObject({ state: 'stable', calls: { total: 2 } });
      expect(await shop.json('status')).toMatchObject({ state: 'stable', stale: 0 });
    });

    it('says how many files it could not read again while another process writes', async () => {
      const lease = await shop.holdLease();
      shop.putProject('src/main.ts', 'export function main(): void {}\n');
      shop.putProject('src/new.ts', 'export const fresh = 1;\n');
      const { code, out } = await shop.graph('callers', 'Store.save');
      expect([code, out.split('\n').at(-2)]).toEqual([0, 'stale: 2 files']);
      expect((await shop.graph('status')).out).toContain('stale: 2 files');
      lease.release();
      expect((await shop.graph('callers', 'Store.save')).out).toContain('no callers found');
    });

    it('is of the tree that it is asked in', async () => {
      const other = join(shop.home, 'other');
      for (const [path, text] of [
        ['package.json', '{}'],
        ['src/main.ts', 'export function main(): void {}\nmain();\n'],
      ] as const) {
        nodeFiles.makeDir(join(other, 'src'), 0o700);
        writeFileSync(join(other, path), text);
      }
      await shop.ask(['index'], { cwd: other });
      expect((await shop.ask(['callers', 'main'], { cwd: join(other, 'src') })).out).toContain('src/main.ts:2');
      expect((await shop.graph('callers', 'main', '--root', other)).out).toContain('src/main.ts:2');
      expect((await shop.graph('callers', 'main')).out).toContain('testMain  src/main.test.ts:3  test');
      const pinned = { cwd: join(shop.root, 'src'), env: { FAIRLEAD_PROJECT_DIR: shop.root } };
      expect((await shop.ask(['status'], pinned)).out).toContain(`${shop.root}  (set in the environment)`);
    });
  });
});
