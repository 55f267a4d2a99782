import { nodeFiles } from '../platform/files.ts';
import { isBorrowedName } from '../workspace/config/borrowed-files.ts';
import { acceptProject, listProject, trustStatus } from '../workspace/config/trust.ts';
import type { Listing } from '../workspace/config/trust.ts';
import type { CliWorld } from './command.ts';

/**
 * Changes one file of what a project has in `.fairlead`, named from there. Where all of that was trusted, or there was nothing, and a
 * person asks, it is trusted afterwards as well; returns whether it is. What lies beside it stays as trusted as it was.
 */
export function changeProject(root: string, name: string, change: () => void, world: CliWorld): boolean {
  const deps = { files: nodeFiles, state: world.paths.state, now: Date.now };
  const before = listProject(root, deps);
  const { state } = trustStatus(root, deps);
  change();
  if ((state !== 'trusted' && state !== 'absent') || !world.isPerson()) return false;
  const after = listProject(root, deps);
  // What somebody else put there meanwhile is nobody's to accept unseen.
  return othersIn(before, name) === othersIn(after, name) && acceptProject(after, deps, 'own').accepted;
}

function othersIn({ files }: Listing, but: string): string {
  return files
    .filter(({ name }) => name !== but && !isBorrowedName(name))
    .map(({ name, sha256 }) => `${sha256} ${name}`)
    .sort()
    .join('\n');
}
