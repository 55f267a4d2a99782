import { writeActiveRoot } from './active-root.ts';
import { createGraphs } from './graphs.ts';
import type { Graphs } from './graphs.ts';
import type { GraphsDeps } from './graphs-options.ts';
import { readInitRecord, writeInitRecord } from '../store/init-record.ts';
import { pathBelow } from '../indexer/changed-path.ts';
import { WRITER_MS } from '../indexer/request.ts';
import { createIndexing } from '../indexer/start-indexer.ts';
import type { Indexing } from '../indexer/start-indexer.ts';
import { changedIn } from '../query/fresh-answer.ts';
import { readScope } from '../store/scope.ts';
import { holderOf } from '../store/lease.ts';
import { ANSWERS_FROM } from '../store/made-by.ts';
import { graphStamp, openGraph } from '../store/open-graph.ts';
import { graphPaths } from '../store/graph-paths.ts';
import { isIndexed } from '../walk/is-indexed.ts';
import { packageAt } from '../walk/package-at.ts';

/** The graphs of a process that stays: read from the state directory, made and kept current by an indexing process in the background. */
export function openGraphs(deps: GraphsDeps, node: string, program: string): Graphs {
  const indexing = createIndexing({ state: deps.state, node, program, isBackground: true });
  const graphs = createStoredGraphs(deps, indexing);
  return {
    at: graphs.at,
    see: graphs.see,
    begin: graphs.begin,
    close() {
      graphs.close();
      indexing.close();
    },
  };
}

export function createStoredGraphs(deps: GraphsDeps, indexing: Pick<Indexing, 'ask' | 'draw' | 'pid'>): Graphs {
  const { state, files } = deps;
  const locationOf = (root: string) => graphPaths(state, root);
  return createGraphs({
    afterReply: deps.afterReply,
    soon: deps.soon,
    now: deps.now,
    isOff: deps.isOff,
    onFailure: deps.onFailure,
    isThere: (root) => files.stat(root)?.kind === 'dir',
    stampOf: (root) => graphStamp(files, locationOf(root)),
    open: (root) => openGraph(files, locationOf(root), root, ANSWERS_FROM),
    isChanged(reader, path, isWhole, walk) {
      const below = pathBelow(files, reader.root, path);
      if (below === undefined || changedIn(reader, [below], files).length === 0) return false;
      if (reader.file(below) !== undefined) return true;
      return isWhole && typeof isIndexed(files, reader.root, below, walk) === 'object';
    },
    readScope: (root) => readScope(files, locationOf(root), root),
    packageOf(root, path, walk) {
      const below = pathBelow(files, root, path);
      if (below === undefined || typeof isIndexed(files, root, below, walk) !== 'object') return undefined;
      return packageAt(files, root, below);
    },
    isHeld(root) {
      const holder = holderOf(files, locationOf(root));
      return holder !== undefined && holder.pid !== indexing.pid;
    },
    ask: (request) => indexing.ask({ ...request, waitMs: WRITER_MS }),
    draw: (request) => indexing.draw({ ...request, waitMs: WRITER_MS }),
    readRecord: (root) => readInitRecord(files, locationOf(root), root),
    writeRecord: (record) => writeInitRecord(files, locationOf(record.root), record),
    writeActive: (dir, active) => writeActiveRoot(files, state, dir, active),
  });
}
