import { PACKS } from '../event/packs.generated.ts';
import { VERSION } from '../platform/build.ts';
import { nodeFiles } from '../platform/files.ts';
import { refreshPolicy } from '../team/refresh.ts';
import type { Refreshed } from '../team/refresh.ts';
import type { TeamSettings } from '../team/place.ts';
import { settleHeld } from '../workspace/held.ts';
import { CommandError } from './command.ts';
import type { CliWorld } from './command.ts';
import { rootAt } from './known-rules.ts';

/** What this machine follows; says how to begin where it is nothing. */
export async function followed(world: CliWorld): Promise<TeamSettings> {
  const { user } = await world.engine().workspaces.layersAt(rootAt(world));
  const { team } = user.config;
  if (!team)
    throw new CommandError('this machine follows no policy; `fairlead policy follow SOURCE --key KEY` begins to');
  return team;
}

export function refresh(settings: TeamSettings, { paths }: CliWorld): Promise<Refreshed> {
  return refreshPolicy(paths.state, settings, {
    files: nodeFiles,
    now: Date.now(),
    version: VERSION,
    packs: Object.keys(PACKS),
    newMachine: () => crypto.randomUUID(),
  });
}

/** What the switch has to know, after a change. */
export async function settle(world: CliWorld): Promise<void> {
  settleHeld(await world.engine().workspaces.layersAt(rootAt(world)), nodeFiles, world.paths.state);
}
