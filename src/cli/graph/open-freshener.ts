import type { Freshener } from '../../graph/query/fresh-answer.ts';
import type { GraphReader } from '../../graph/query/graph-reader.ts';
import { graphStamp, openGraph } from '../../graph/store/open-graph.ts';
import { graphPlace } from '../../graph/store/place.ts';
import { nodeFiles } from '../../platform/files.ts';
import { join } from '../../platform/paths.ts';
import type { CliWorld } from '../command.ts';
import { changedFiles } from './changed-files.ts';
import { openIndexing } from './indexing.ts';
import type { GraphRoot } from './graph-root.ts';

export interface CommandFreshener extends Freshener {
  /** Brings the graph up to date with all files, if that is soon done. */
  sweep(): Promise<void>;
  close(): void;
}

/** Looking at the files of a large project takes this long; a person does not notice. */
const SWEEP_MS = 300;
/** The first question after a change has to start the process that reads it. */
const REFRESH_MS = 10_000;
/** With more than that changed, as after a checkout, what is read within the limit is kept, and the next question goes on. */
const MOST_REFRESHED = 400;
const BUDGET_MS = 0.7 * REFRESH_MS;

export function openFreshener({ path: root }: GraphRoot, world: CliWorld): CommandFreshener {
  const place = graphPlace(world.paths.state, root);
  const indexing = openIndexing(world);
  let reader: GraphReader | undefined;
  let stamp: string | undefined;
  let behind = 0;

  function open(): GraphReader | undefined {
    const now = graphStamp(nodeFiles, place);
    if (now !== stamp) {
      reader?.close();
      reader = openGraph(nodeFiles, place, root);
      stamp = now;
    }
    return reader;
  }

  function refresh(paths: readonly string[]): Promise<boolean> {
    return indexing.tryTo({ do: 'refresh', root, paths: paths.map((path) => join(root, path)) }, REFRESH_MS);
  }

  function changed(): readonly string[] {
    const opened = open();
    const until = Date.now() + SWEEP_MS;
    return opened ? changedFiles(nodeFiles, opened, () => Date.now() > until).paths : [];
  }

  return {
    open,
    refresh,
    isPartial: () => false,
    behind: () => behind,
    async sweep() {
      const before = changed();
      if (before.length === 0) return;
      const isDone =
        before.length > MOST_REFRESHED
          ? await indexing.tryTo({ do: 'sweep', root, budgetMs: BUDGET_MS }, REFRESH_MS)
          : await refresh(before);
      if (!isDone) behind = changed().length;
    },
    close() {
      reader?.close();
      indexing.close();
    },
  };
}
