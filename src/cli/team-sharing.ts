import type { Sharing } from '../engine/session/scope.ts';
import { UsageError } from './command.ts';
import type { CliWorld } from './command.ts';
import { rootAt } from './known-rules.ts';

/** With whom this machine shares state; undefined where it is alone. */
export async function sharingOf(world: CliWorld): Promise<Sharing | undefined> {
  return (await world.engine().workspaces.policyAt(rootAt(world))).sharing;
}

export async function teamOf(world: CliWorld): Promise<Sharing> {
  const sharing = await sharingOf(world);
  if (sharing) return sharing;
  throw new UsageError('this machine shares no state with a team, so there is nobody else; leave --team out');
}
