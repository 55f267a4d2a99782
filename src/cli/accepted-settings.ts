import { BUILT_IN } from '../packs/index.generated.ts';
import { nodeFiles } from '../platform/files.ts';
import { acceptChange } from '../workspace/config/accepted.ts';
import type { AcceptedDeps } from '../workspace/config/accepted.ts';
import { weakeningOf } from '../workspace/weakened.ts';
import type { Weakening } from '../workspace/weakened.ts';
import type { CliWorld } from './command.ts';
import { rootAt } from './known-rules.ts';

export function acceptedDeps({ paths }: CliWorld): AcceptedDeps {
  return { files: nodeFiles, state: paths.state };
}

/** In what the person's settings protect less than those that they have accepted. */
export async function weakeningIn(world: CliWorld): Promise<Weakening> {
  const { user } = await world.engine().workspaces.layersAt(rootAt(world));
  return weakeningOf(
    user,
    BUILT_IN.map(({ meta }) => meta),
    acceptedDeps(world),
  );
}

/** Records the change of a verb as accepted, and nothing that waits for a person since before. */
export async function acceptingOwn<T>(world: CliWorld, change: () => T): Promise<T> {
  const { entries: before } = await weakeningIn(world);
  const result = change();
  const { entries: after } = await weakeningIn(world);
  acceptChange(before, after, acceptedDeps(world));
  return result;
}
