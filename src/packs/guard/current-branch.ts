import type { Effect, RuleFiles } from '../../engine/rule.ts';
import { runsHere } from '../../effects/words/runs-here.ts';
import { readSettings } from '../../git/refs.ts';
import { findRepository } from '../../git/repository.ts';

/** The branch that is checked out where the effect would be; undefined when that cannot be told. */
export function currentBranch(
  { git }: Effect,
  { files, workspace }: { readonly files: RuleFiles; readonly workspace: { readonly root: string } },
): string | undefined {
  const gitDir = findRepository(files, git?.dir ?? workspace.root)?.gitDir ?? `${workspace.root}/.git`;
  return /^ref: refs\/heads\/(\S+)/.exec(files.readText(`${gitDir}/HEAD`, 512) ?? '')?.[1];
}

/** What may run before a push in the same call, and points no remote elsewhere. */
const KEEPS_REMOTES =
  /^(?:add|branch|checkout|cherry-pick|clean|commit|diff|fetch|log|merge|pull|push|rebase|reset|restore|revert|rm|show|stash|status|switch|tag)\b/;

/** Whether there is a remote that a push would go to, as the repository's own settings tell. */
export function hasRemote(effect: Effect, { files }: { readonly files: RuleFiles }): 'yes' | 'no' | 'unknown' {
  const { git, host, after = [] } = effect;
  if (host !== undefined && /[:/.]/.test(host)) return 'yes';
  const repository = git && findRepository(files, git.dir);
  if (!repository || !runsHere(effect) || !after.every((name) => KEEPS_REMOTES.test(name))) return 'unknown';
  const { remotes } = readSettings(files, repository);
  if (!remotes) return 'unknown';
  return (host === undefined ? remotes.length > 0 : remotes.includes(host)) ? 'yes' : 'no';
}
