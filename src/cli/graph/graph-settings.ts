import { graphWanted, readGraphSettings } from '../../graph/settings.ts';
import type { GraphSettings } from '../../engine/settings.ts';
import { mergeConfig } from '../../workspace/config/settings.ts';
import { settingsOf } from '../../workspace/policy.ts';
import type { CliWorld } from '../command.ts';
import { GRAPH_PACK } from '../../event/known-packs.ts';

/** How a root is indexed: as the engine does it there, or one would undo what the other chose. */
export async function graphSettingsAt(world: Pick<CliWorld, 'engine'>, root: string): Promise<GraphSettings> {
  const { packs } = settingsOf(await world.engine().workspaces.layersAt(root));
  return graphWanted(packs[GRAPH_PACK]) ?? readGraphSettings();
}

/** Whether also the home directory and the top of the file system may be roots. Only the person says that, as in the engine. */
export async function forcesRoots(world: Pick<CliWorld, 'engine' | 'userHome'>): Promise<boolean> {
  const { user } = await world.engine().workspaces.layersAt(world.userHome);
  return graphWanted(mergeConfig([user.config]).packs[GRAPH_PACK])?.force === true;
}
