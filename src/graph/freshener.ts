import type { Freshener } from '../../graph/query/fresh-answer.ts';
import type { GraphReader } from '../../graph/query/graph-reader.ts';
import { ANSWERS_FROM } from '../../graph/store/made-by.ts';
import { graphStamp, openGraph } from '../../graph/store/open-graph.ts';
import { graphPlace } from '../../graph/store/place.ts';
import { nodeFiles } from '../../platform/files.ts';
import { join } from '../../platform/paths.ts';
import type { CliWorld } from '../command.ts';
import { changedFiles } from './changed-files.ts';
import type { Changes } from './changed-files.ts';
import { openIndexing } from './indexing.ts';
import type { GraphRoot } from './graph-root.ts';

export interface CommandFreshener extends Freshener {
  /** Brings the graph up to date with all files, if that is soon done; one that cannot be used is made anew. */
  sweep(): Promise<void>;
  /** There is a graph, whether or not it can be used. */
  isThere(): boolean;
  close(): void;
}

/** Looking at all files of a very large project takes longer: then the indexing process does it. */
const SWEEP_MS = 2_000;
/** The first question after a change has to start the process that reads it. */
const REFRESH_MS = 10_000;
/** With more than that changed, as after a checkout, what is read within the limit is kept, and the next question goes on. */
const MOST_REFRESHED = 400;
const BUDGET_MS = 0.7 * REFRESH_MS;

export function openFreshener(
  { path: root }: Pick<GraphRoot, 'path'>,
  world: Pick<CliWorld, 'paths'>,
  sweepMs = SWEEP_MS,
): CommandFreshener {
  const place = graphPlace(world.paths.state, root);
  const indexing = openIndexing(world);
  let reader: GraphReader | undefined;
  let stamp: string | undefined;
  let behind = 0;
  let isLookedAt = true;

  function open(): GraphReader | undefined {
    const now = graphStamp(nodeFiles, place);
    if (now !== stamp) {
      reader?.close();
      reader = openGraph(nodeFiles, place, root, ANSWERS_FROM);
      stamp = now;
    }
    return reader;
  }

  function refresh(paths: readonly string[]): Promise<boolean> {
    return indexing.tryTo({ do: 'refresh', root, paths: paths.map((path) => join(root, path)) }, REFRESH_MS);
  }

  function changed(): Pick<Changes, 'paths' | 'complete'> {
    const opened = open();
    const until = Date.now() + sweepMs;
    return opened
      ? changedFiles(nodeFiles, opened, () => Date.now() >= until)
      : { paths: [], complete: stamp === undefined };
  }

  return {
    open,
    refresh,
    isPartial: () => !isLookedAt,
    behind: () => behind,
    isThere: () => stamp !== undefined,
    async sweep() {
      const { paths, complete } = changed();
      if (complete && paths.length === 0) return;
      const isDone =
        complete && paths.length <= MOST_REFRESHED
          ? await refresh(paths)
          : await indexing.tryTo({ do: 'sweep', root, budgetMs: BUDGET_MS }, REFRESH_MS);
      if (isDone) return;
      const left = changed();
      behind = left.paths.length;
      isLookedAt = left.complete;
    },
    close() {
      reader?.close();
      indexing.close();
    },
  };
}
