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
/** With more than that changed, as after a checkout, the answer does not wait; the next one may. */
const MOST_REFRESHED = 400;

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

  return {
    open,
    refresh,
    isPartial: () => false,
    behind: () => behind,
    async sweep() {
      const before = open();
      if (!before) return;
      const until = Date.now() + SWEEP_MS;
      const { paths } = changedFiles(nodeFiles, before, () => Date.now() > until);
      if (paths.length === 0) return;
      if (paths.length > MOST_REFRESHED || !(await refresh(paths))) behind = paths.length;
    },
    close() {
      reader?.close();
      indexing.close();
    },
  };
}
