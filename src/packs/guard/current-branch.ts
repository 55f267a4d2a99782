import type { Effect, RuleFiles } from '../../engine/rule.ts';
import { findRepository } from '../../git/repository.ts';

/** The branch that is checked out where the effect would be; undefined when that cannot be told. */
export function currentBranch(
  { git }: Effect,
  { files, workspace }: { readonly files: RuleFiles; readonly workspace: { readonly root: string } },
): string | undefined {
  const gitDir = findRepository(files, git?.dir ?? workspace.root)?.gitDir ?? `${workspace.root}/.git`;
  return /^ref: refs\/heads\/(\S+)/.exec(files.readText(`${gitDir}/HEAD`, 512) ?? '')?.[1];
}
