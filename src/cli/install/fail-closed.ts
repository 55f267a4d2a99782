import type { Scope } from '../../adapters/installer.ts';
import type { EventName } from '../../event/event.ts';
import type { CliWorld } from '../command.ts';
import type { Wiring } from './inspect.ts';

/** Whether a rule that must not be skipped listens to an event, in the sessions that read the settings of a scope. */
export type FailClosed = (scope: Scope, event: EventName) => boolean;

/** A shared file must not stop those who have the project and not this program. */
export function blocksOnFailure(scope: Wiring['scope']): scope is Exclude<Scope, 'project'> {
  return scope === 'local' || scope === 'user';
}

/** What no project has a say in. */
export const EVERYWHERE = '/';

export async function failClosedAt(root: string, world: CliWorld): Promise<FailClosed> {
  const { policyAt } = world.engine().workspaces;
  const [everywhere, here] = [await policyAt(EVERYWHERE), await policyAt(root)];
  return (scope, event) => (scope === 'user' ? everywhere : here).index.failsClosed(event);
}
