import { PACKS } from '../event/packs.generated.ts';
import { VERSION } from '../platform/build.ts';
import { nodeFiles } from '../platform/files.ts';
import { join } from '../platform/paths.ts';
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

export interface PolicyAct {
  readonly at: number;
  readonly did: 'followed' | 'left' | 'accepted' | 'broke glass' | 'mended glass';
  readonly policy?: string;
  readonly reason?: string;
  readonly until?: number;
}

const actsPath = (state: string): string => join(state, 'team', 'acts.jsonl');

/** What people did about the policy, in order; nothing takes lines out. */
export function recordAct(act: PolicyAct, { paths }: CliWorld): void {
  nodeFiles.makeDir(join(paths.state, 'team'), 0o700);
  nodeFiles.append(actsPath(paths.state), `${JSON.stringify(act)}\n`);
}

export function actsOf({ paths }: CliWorld): readonly PolicyAct[] {
  const lines = (nodeFiles.readText(actsPath(paths.state)) ?? '').split('\n').filter((line) => line !== '');
  return lines.flatMap((line) => {
    try {
      return [JSON.parse(line) as PolicyAct];
    } catch {
      return [];
    }
  });
}
