import { nodeFiles } from '../platform/files.ts';
import { acceptProject, listProject, trustStatus } from '../workspace/config/trust.ts';
import type { ListedFile } from '../workspace/config/trust.ts';
import type { CliWorld } from './command.ts';

/**
 * Changes one file of a project's settings, named from their directory. Where all of them were trusted, or there were none, and a
 * person asks, they are trusted afterwards as well; returns whether they are.
 */
export function changeProject(root: string, name: string, change: () => void, world: CliWorld): boolean {
  const deps = { files: nodeFiles, state: world.paths.state, now: Date.now };
  const before = listProject(root, deps);
  const { state, context } = trustStatus(root, deps);
  const isAccepted = [state, context].every((each) => each === 'trusted' || each === 'absent');
  change();
  if (!isAccepted || !world.isPerson()) return false;
  // The text of a directory beside the settings is only kept as accepted, never accepted here.
  const after = { ...listProject(root, deps), context: context === 'trusted' };
  // What somebody else put there meanwhile is nobody's to accept unseen.
  return stampOf(before.files, name) === stampOf(after.files, name) && acceptProject(after, deps).accepted;
}

function stampOf(files: readonly ListedFile[], but: string): string {
  return files
    .filter(({ name }) => name !== but)
    .map(({ name, sha256 }) => `${sha256} ${name}`)
    .sort()
    .join('\n');
}
