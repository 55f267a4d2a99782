import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { nodeFiles } from '../../platform/files.ts';
import { askGraph } from './ask-graph.ts';
import { answerFresh } from './fresh-answer.ts';
import type { Freshener } from './fresh-answer.ts';
import type { GraphReader } from './graph-reader.ts';
import { plannedReader } from './reader.fixture.ts';

let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'fairlead-fresh-')));
  for (const name of ['a.ts', 'b.ts', 'c.ts']) writeFileSync(join(root, name), name);
});
afterEach(() => rmSync(root, { recursive: true }));

/** `b` calls `a`; `c` has nothing to do with them. */
function scan(links = ['b.ts#b -> a.ts#a']): GraphReader {
  const files = Object.fromEntries(
    ['a.ts', 'b.ts', 'c.ts'].flatMap((path) => {
      const stat = nodeFiles.stat(join(root, path));
      return stat ? [[path, { size: stat.size, mtimeMs: stat.mtimeMs }]] : [];
    }),
  );
  return plannedReader({ root, files, symbols: { 'a.ts#a': {}, 'b.ts#b': {}, 'c.ts#c': {} }, links });
}

function freshener(first: GraphReader, rescan: (paths: readonly string[]) => GraphReader | undefined, partial = false) {
  let reader = first;
  const refreshed: (readonly string[])[] = [];
  const made: Freshener = {
    open: () => reader,
    refresh: async (paths) => {
      refreshed.push(paths);
      const next = rescan(paths);
      if (next) reader = next;
      return next !== undefined;
    },
    isPartial: () => partial,
    behind: () => 0,
  };
  return { ...made, refreshed };
}

const callersOfA = (reader: GraphReader) => askGraph(reader, { action: 'callers', symbol: 'a' }, () => undefined);

describe('an answer', () => {
  it('from files that are as they were is given at once', async () => {
    const source = freshener(scan(), () => undefined);
    expect(await answerFresh(callersOfA, nodeFiles, source)).toMatchObject({ state: 'stable', stale: 0, root });
    expect(source.refreshed).toEqual([]);
  });

  it('is given again when a file that it names changed, and other files are left alone', async () => {
    const source = freshener(scan(), () => scan([]));
    writeFileSync(join(root, 'b.ts'), 'changed');
    writeFileSync(join(root, 'c.ts'), 'changed');
    const answered = await answerFresh(callersOfA, nodeFiles, source);
    expect(source.refreshed).toEqual([['b.ts']]);
    expect(answered).toMatchObject({ state: 'stable', stale: 0, answer: { calls: { total: 0 } } });
  });

  it('says how many files are not read again yet', async () => {
    const source = freshener(scan(), () => undefined);
    writeFileSync(join(root, 'a.ts'), 'changed');
    rmSync(join(root, 'b.ts'));
    expect(await answerFresh(callersOfA, nodeFiles, source)).toMatchObject({ state: 'stale', stale: 2 });
    expect(source.refreshed).toHaveLength(1);
  });

  it('does not wait for a file that changes all the time', async () => {
    const first = scan();
    writeFileSync(join(root, 'b.ts'), 'changed');
    const source = freshener(first, () => first);
    expect(await answerFresh(callersOfA, nodeFiles, source)).toMatchObject({ state: 'stale', stale: 1 });
    expect(source.refreshed).toHaveLength(2);
  });

  it('counts what is behind elsewhere', async () => {
    const source = { ...freshener(scan(), () => undefined), behind: () => 7 };
    expect(await answerFresh(callersOfA, nodeFiles, source)).toMatchObject({ state: 'stale', stale: 7 });
  });

  it('is partial while files are not resolved', async () => {
    expect(
      await answerFresh(
        callersOfA,
        nodeFiles,
        freshener(scan(), () => undefined, true),
      ),
    ).toMatchObject({
      state: 'partial',
    });
  });

  it('without a graph there is none', async () => {
    const none: Freshener = {
      open: () => undefined,
      refresh: async () => false,
      isPartial: () => false,
      behind: () => 0,
    };
    expect(await answerFresh(callersOfA, nodeFiles, none)).toBeUndefined();
  });
});
