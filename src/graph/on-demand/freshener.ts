import { systemClock } from '../../platform/clock.ts';
import type { Files } from '../../platform/files.ts';
import { join } from '../../platform/paths.ts';
import { changedFiles } from './changed-files.ts';
import type { Changes } from './changed-files.ts';
import type { Indexing } from '../indexer/start-indexer.ts';
import type { Freshener } from '../query/fresh-answer.ts';
import { partOf, readScope, walkIn } from '../store/scope.ts';
import { choiceBy } from '../settings.ts';
import type { FileChoice } from '../settings.ts';
import { graphPaths } from '../store/graph-paths.ts';
import { openGraphHandle } from './graph-handle.ts';
import type { GraphHandle } from './graph-handle.ts';
import { within } from '../../platform/timers.ts';
import { WRITER_MS } from '../indexer/request.ts';
import type { IndexRequest } from '../indexer/request.ts';

/** For whoever can do without: false when it could not be done, or not in time. */
function tryToIndex(indexing: Pick<Indexing, 'ask'>, request: IndexRequest, limitMs: number): Promise<boolean> {
  const done = indexing.ask({ ...request, waitMs: Math.min(limitMs, WRITER_MS) }).then(
    ({ left }) => left === 0,
    () => false,
  );
  return within(limitMs, done, false);
}

export interface FreshenerOptions {
  readonly state: string;
  readonly root: string;
  readonly files: Files;
  /** Of whoever asks more than once; closed by whoever opened it. */
  readonly graph?: GraphHandle | undefined;
  readonly indexing: Pick<Indexing, 'ask'>;
  /** Which files are indexed there. */
  readonly settings?: FileChoice | undefined;
  /** How long is waited for files that changed to be read again. */
  readonly refreshMs?: number | undefined;
  readonly sweepMs?: number | undefined;
}

/** Of one root, for whoever asks and waits. */
export interface RootFreshener extends Freshener {
  /** Brings the graph up to date with all files, if that is soon done; one that cannot be used is made anew. */
  sweep(): Promise<void>;
  /** There is a graph, whether or not it can be used. */
  isThere(): boolean;
  /** What was asked for to index goes on. */
  close(): void;
}

/** Looking at all files of a very large project takes longer: then the indexing process does it. */
const SWEEP_MS = 2_000;
/** The first question after a change has to start the process that reads it. */
const REFRESH_MS = 10_000;
/** With more than that changed, as after a checkout, what is read within the limit is kept, and the next question goes on. */
const MOST_REFRESHED = 400;
const BUDGET_SHARE = 0.7;

export function openFreshener(options: FreshenerOptions): RootFreshener {
  const { state, root, files, indexing } = options;
  const { refreshMs = REFRESH_MS, sweepMs = SWEEP_MS } = options;
  const chosen = choiceBy(options.settings);
  const graph = options.graph ?? openGraphHandle(files, state, root);
  const location = graphPaths(state, root);
  let behind = 0;
  let isLookedAt = true;

  function refresh(paths: readonly string[]): Promise<boolean> {
    const absolute = paths.map((path) => join(root, path));
    return tryToIndex(indexing, { do: 'refresh', root, paths: absolute, ...chosen }, refreshMs);
  }

  function changed(): Pick<Changes, 'paths' | 'complete'> {
    const opened = graph.open();
    const until = systemClock.now() + sweepMs;
    return opened
      ? changedFiles(
          files,
          opened,
          () => systemClock.now() >= until,
          walkIn(readScope(files, location, root), chosen.walk),
        )
      : { paths: [], complete: !graph.isThere() };
  }

  return {
    open: graph.open,
    refresh,
    isPartial: () => !isLookedAt,
    behind: () => behind,
    scope: () => partOf(readScope(files, location, root)),
    isThere: graph.isThere,
    async sweep() {
      const { paths, complete } = changed();
      if (complete && paths.length === 0) return;
      const isDone =
        complete && paths.length <= MOST_REFRESHED
          ? await refresh(paths)
          : await tryToIndex(indexing, { do: 'sweep', root, budgetMs: BUDGET_SHARE * refreshMs, ...chosen }, refreshMs);
      if (isDone) return;
      const left = changed();
      behind = left.paths.length;
      isLookedAt = left.complete;
    },
    close() {
      if (options.graph === undefined) graph.close();
    },
  };
}
