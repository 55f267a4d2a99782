import { openFreshener } from '../../graph/index.ts';
import type { Indexing, RootFreshener } from '../../graph/index.ts';
import type { GraphSettings } from '../../engine/settings.ts';
import { nodeFiles } from '../../platform/files.ts';
import type { CliWorld } from '../command.ts';
import { graphSettingsAt } from './graph-settings.ts';
import { openIndexing } from './indexing.ts';

/** What a command needs to ask the graph of one root. */
export interface Asking {
  readonly indexing: Indexing;
  readonly freshener: RootFreshener;
  readonly settings: GraphSettings;
}

/** `refreshMs`: how long is waited for files that changed to be read again. */
export async function withFreshener<Result>(
  world: CliWorld,
  root: string,
  refreshMs: number | undefined,
  work: (asking: Asking) => Promise<Result>,
): Promise<Result> {
  const settings = await graphSettingsAt(world, root);
  const indexing = openIndexing(world);
  const freshener = openFreshener({ state: world.paths.state, root, files: nodeFiles, indexing, settings, refreshMs });
  try {
    return await work({ indexing, freshener, settings });
  } finally {
    freshener.close();
    indexing.close();
  }
}
