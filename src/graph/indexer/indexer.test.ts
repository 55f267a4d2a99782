import { statSync, utimesSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { nodeFiles } from '../../platform/files.ts';
import { readAll } from '../store/read-all.fixture.ts';
import { openProject } from './project.fixture.ts';
import type { Project } from './project.fixture.ts';
import { INDEXED, TREE } from './tree.fixture.ts';

let project: Project;
beforeEach(() => {
  project = openProject(TREE);
});
afterEach(() => project.close());

/** `path#key` of whatever calls a symbol. */
function callers(key: string): string[] {
  const graph = project.graph();
  const id = graph.byKey(key);
  if (id === undefined) return ['no such symbol'];
  return graph.incoming(id).flatMap(({ kind, symbol }) => (kind === 'calls' ? graph.symbol(symbol).key : []));
}

const at = (path: string): string => `${project.root}/${path}`;

describe('indexing', () => {
  it('lists the files that are indexed, with what leads from one to the other', async () => {
    const work = await project.indexer().indexAll();
    expect(
      project
        .graph()
        .files()
        .map(({ path }) => path),
    ).toEqual(
      Object.keys(TREE)
        .filter((path) => !path.startsWith('ignored') && path !== '.gitignore')
        .sort(),
    );
    expect(work).toMatchObject({ parsed: INDEXED, resolved: INDEXED, left: 0, notices: [] });
    expect(callers('src/store.ts#make')).toEqual(['src/use.ts#run', 'src/use.ts#helper']);
    expect(callers('shop/shop.go#Shop.Sell')).toEqual(['cmd/main.go#main', 'shop/count.go#Close']);
  });

  it('that is stopped keeps what was read', async () => {
    const indexer = project.indexer();
    await expect(
      indexer.indexAll(({ done }) => {
        if (done === 3) throw new Error('told to end');
      }),
    ).rejects.toThrow('told to end');
    expect(await project.indexer().indexAll()).toMatchObject({ parsed: INDEXED - 3, resolved: INDEXED });
    expect(await project.difference()).toEqual([]);
  });

  it('tells how far it is', async () => {
    const seen: string[] = [];
    await project.indexer().indexAll(({ phase, done, total }) => seen.push(`${phase} ${done}/${total}`));
    expect(seen.at(0)).toBe(`reading 1/${INDEXED}`);
    expect(seen.at(-1)).toBe(`resolving ${INDEXED}/${INDEXED}`);
  });

  it('does nothing where nothing changed, and everything when it is forced to', async () => {
    const indexer = project.indexer();
    await indexer.indexAll();
    const bytes = nodeFiles.readBytes(project.location.snapshot);
    expect(await indexer.indexAll()).toMatchObject({ parsed: 0, resolved: 0 });
    expect(await indexer.indexAll(undefined, true)).toMatchObject({ parsed: INDEXED, resolved: 0 });
    expect(nodeFiles.readBytes(project.location.snapshot)).toEqual(bytes);
  });
});

describe('after an edit', () => {
  it('of the callee alone, what leads to it stays, vanishes with the name, and returns', async () => {
    const indexer = project.indexer();
    await indexer.indexAll();
    const text = TREE['src/store.ts'] ?? '';
    const found = ['src/use.ts#run', 'src/use.ts#helper'];
    for (const [change, expected] of [
      [text.replace('new Store()', 'new Store() /* here */'), found],
      [text.replace('make()', 'build()'), ['no such symbol']],
      [text, found],
    ] as const) {
      project.write('src/store.ts', change);
      await indexer.refresh([at('src/store.ts')]);
      expect(callers('src/store.ts#make')).toEqual(expected);
    }
  });

  it('that others cannot see, only the file itself is resolved, and only its record is written', async () => {
    const indexer = project.indexer();
    await indexer.indexAll();
    const before = nodeFiles.stat(project.location.snapshot)?.ino;
    project.write('src/store.ts', `// moves all\n${TREE['src/store.ts']}`);
    expect(await indexer.refresh([at('src/store.ts')])).toMatchObject({ parsed: 1, resolved: 1 });
    expect(nodeFiles.stat(project.location.snapshot)?.ino).toBe(before);
    const graph = project.graph();
    expect(graph.symbol(graph.byKey('src/store.ts#make') ?? -1).line).toBe(8);
    indexer.compact();
    expect(nodeFiles.exists(project.location.delta)).toBe(false);
    expect(await project.difference()).toEqual([]);
  });

  it('a touch changes no answer but the time', async () => {
    const indexer = project.indexer();
    await indexer.indexAll();
    const { digest } = project.graph();
    const was = project.graph().file('src/use.ts')?.mtimeMs;
    project.write('src/use.ts', TREE['src/use.ts'] ?? '');
    expect(await indexer.sweep()).toMatchObject({ parsed: 0, resolved: 0 });
    expect(project.graph().digest).toBe(digest);
    expect(project.graph().file('src/use.ts')?.mtimeMs).not.toBe(was);
  });

  it('that a process before did not finish, the next one does', async () => {
    const first = project.indexer();
    await first.indexAll();
    project.write('src/store.ts', (TREE['src/store.ts'] ?? '').replace('make()', 'build()'));
    const broken = project.indexer({
      ...nodeFiles,
      writeDerived() {
        throw new Error('ENOSPC: no space left on device');
      },
    });
    await expect(broken.refresh([at('src/store.ts')])).rejects.toThrow('ENOSPC');
    expect(callers('src/store.ts#make'), 'what was there can still be read').toHaveLength(2);
    const next = project.indexer();
    expect(await next.sweep()).toMatchObject({ parsed: 0, resolved: expect.any(Number) });
    expect(callers('src/store.ts#build')).toEqual([]);
    next.compact();
    expect(await project.difference()).toEqual([]);
  });
});

describe('looking at all files', () => {
  it('finds what was changed, added and deleted, and nothing else', async () => {
    const indexer = project.indexer();
    await indexer.indexAll();
    project.write('src/lib/log.ts', 'export function log() {}\n');
    project.write('src/more.ts', `import { make } from './store.ts';\nmake();\n`);
    project.remove('shop/count.go');
    expect(await indexer.sweep()).toMatchObject({ parsed: 2, removed: 1, left: 0, files: INDEXED });
    expect(callers('src/store.ts#make')).toContain('src/more.ts');
  });

  it('says how many are left when its time is up, and takes them the next time', async () => {
    const indexer = project.indexer();
    expect((await indexer.sweep(-1)).left).toBe(INDEXED);
    expect(await indexer.sweep()).toMatchObject({ parsed: INDEXED, left: 0 });
  });

  it('by content finds what size and time do not tell', async () => {
    const indexer = project.indexer();
    await indexer.indexAll();
    const { mtime, atime } = statSync(at('src/use.test.ts'));
    writeFileSync(at('src/use.test.ts'), (TREE['src/use.test.ts'] ?? '').replace('run(null', 'run(none'));
    utimesSync(at('src/use.test.ts'), atime, mtime);
    expect(await indexer.sweep()).toMatchObject({ parsed: 0 });
    expect(await indexer.verify()).toMatchObject({ parsed: 1 });
  });

  it('one ignore file more takes out what it names', async () => {
    const indexer = project.indexer();
    await indexer.indexAll();
    project.write('shop/.gitignore', 'count.go\n');
    await indexer.refresh([at('shop/.gitignore')]);
    expect(project.graph().file('shop/count.go')).toBeUndefined();
    project.remove('shop');
    await indexer.refresh([at('shop')]);
    expect(project.graph().file('shop/shop.go')).toBeUndefined();
    indexer.compact();
    expect(await project.difference()).toEqual([]);
  });
});

describe('one tree', () => {
  it('has one digest, whatever the order of directories and wherever it lies', async () => {
    await project.indexer().indexAll();
    const other = openProject(Object.fromEntries(Object.entries(TREE).toReversed()), 'build/context');
    try {
      await other.indexer({ ...nodeFiles, list: (dir, max) => nodeFiles.list(dir, max).toReversed() }).indexAll();
      expect(other.graph().digest).toBe(project.graph().digest);
      other.write('src/use.ts', 'export function run() {}');
      await other.indexer().sweep();
      expect(other.graph().digest, 'each work tree answers for itself').not.toBe(project.graph().digest);
      expect(readAll(project.graph())).not.toEqual(readAll(other.graph()));
    } finally {
      other.close();
    }
  });
});
