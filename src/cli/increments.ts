import { incrementIds } from '../packs/increments/increments.ts';
import { nameOf, numberOf, SPECWEAVE } from '../packs/increments/layout.ts';
import { readOptions } from '../packs/increments/options.ts';
import type { IncrementOptions } from '../packs/increments/options.ts';
import { nodeFiles } from '../platform/files.ts';
import { dirname, join } from '../platform/paths.ts';
import { settingsOf } from '../workspace/policy.ts';
import { CommandError, UsageError } from './command.ts';
import type { CliWorld } from './command.ts';
import { hint } from './hint.ts';

/** The nearest directory, from `dir` upwards, that holds increments. The person's home is no project. */
export function findIncrementsRoot(dir: string, userHome: string): string | undefined {
  for (let at = nodeFiles.realpath(dir) ?? dir; ; at = dirname(at)) {
    if (at !== userHome && nodeFiles.stat(join(at, SPECWEAVE))?.kind === 'dir') return at;
    if (dirname(at) === at) return undefined;
  }
}

export function incrementsRoot(world: CliWorld): string {
  const root = findIncrementsRoot(world.cwd, world.userHome);
  if (root === undefined) throw new CommandError(`no ${SPECWEAVE} directory at ${world.cwd} or above`);
  return root;
}

export async function incrementOptions(world: CliWorld, root: string): Promise<IncrementOptions> {
  const { packs } = settingsOf(await world.engine().workspaces.layersAt(root));
  return readOptions(packs['increments']?.options ?? {});
}

/** By its id, its number or its name. */
export function incrementNamed(given: string, root: string): string {
  const ids = incrementIds(nodeFiles, root);
  if (ids.includes(given)) return given;
  const number = /^\d+$/.test(given) ? Number(given) : undefined;
  const fitting = ids.filter((id) => nameOf(id) === given || numberOf(id) === number);
  const [only] = fitting;
  if (only !== undefined && fitting.length === 1) return only;
  if (fitting.length > 1) throw new UsageError(`"${given}" may be ${fitting.join(' or ')}`);
  throw new UsageError(`no increment "${given}"${hint(given, ids) || '; `fairlead increment list` names them'}`);
}
