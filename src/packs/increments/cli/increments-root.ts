import { incrementIds } from '../increments.ts';
import { incrementsDir, nameOf, numberOf, SPECWEAVE } from '../layout.ts';
import { readOptions } from '../options.ts';
import type { IncrementOptions } from '../options.ts';
import { canonicalPath, nodeFiles } from '../../../platform/files.ts';
import { dirname, join } from '../../../platform/paths.ts';
import { settingsOf } from '../../../workspace/policy.ts';
import { CommandError, UsageError } from '../../../cli/command.ts';
import type { CliWorld } from '../../../cli/command.ts';
import { hint } from '../../../cli/hint.ts';

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

/** Where the increments really lie, if links lead them out of the project; what lies there is read and not written. */
export function leadsOut(root: string): string | undefined {
  const real = canonicalPath(nodeFiles, incrementsDir(root));
  return real.startsWith(`${canonicalPath(nodeFiles, root)}/`) ? undefined : real;
}

export function describeLeadsOut(root: string, real: string): string {
  return `the increments of ${root} lie in ${real}, outside of it; Fairlead writes nothing outside of a project, so their criteria, status line and docs are not kept up to date`;
}

/** For commands that write into the project. */
export function requireWriting(world: CliWorld, root: string): void {
  const { clock, isOff } = world.engine();
  if (world.env['FAIRLEAD_DISABLED'] === '1' || isOff(clock.now()))
    throw new CommandError('Fairlead is off, so nothing is written; `fairlead on` ends that');
  const real = leadsOut(root);
  if (real !== undefined) throw new CommandError(describeLeadsOut(root, real));
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
