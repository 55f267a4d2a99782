import type { Effect, PathScope } from '../../event/effect.ts';

export interface CatastropheOptions {
  readonly protectedBranches: readonly string[];
  /** Kinds of effects that are left to the softer rules. */
  readonly leave: readonly string[];
}

export const PROTECTED_BRANCHES: readonly string[] = ['main', 'master', 'develop', 'trunk', 'production', 'release/*'];

/** Places that hold everything of somebody. */
const WHOLE: ReadonlySet<PathScope | undefined> = new Set(['root', 'system', 'home', 'workspace', 'git']);
/** Places whose owners and rights the machine itself lives by. */
const OF_THE_MACHINE: ReadonlySet<PathScope | undefined> = new Set(['root', 'system', 'home']);

/**
 * Cannot be brought back, and hits everything: by one effect. `branch` is what a forced push without a branch would hit,
 * where that is known.
 */
export function isCatastrophe(effect: Effect, options: CatastropheOptions, branch?: string): boolean {
  if (options.leave.includes(effect.kind)) return false;
  const { kind, how, scope, recursive, of } = effect;
  switch (kind) {
    case 'delete':
      return WHOLE.has(scope) && !isDeepInSystem(effect) && (recursive === true || how === 'move');
    case 'permissions':
      if (how === 'owner' && isDeepInSystem(effect)) return false;
      return recursive === true && (OF_THE_MACHINE.has(scope) || (how === 'no-access' && WHOLE.has(scope)));
    case 'kill':
      return how === 'everything';
    case 'destroy-disk':
    case 'exhaust':
      return true;
    case 'run-remote':
      return how === 'fetched' || how === 'shell-served';
    case 'send':
      return of === 'secret' || of === 'environment';
    case 'force-push':
      return isProtected(branchOf(effect) ?? branch, options.protectedBranches);
    default:
      return false;
  }
}

/** A package's own corner, such as `/var/lib/apt/lists`, is not the machine. */
function isDeepInSystem({ scope, path }: Effect): boolean {
  return (
    scope === 'system' && path !== undefined && path.split('/').filter((part) => part !== '' && part !== '*').length > 2
  );
}

/** The effects that together leave nothing of the work: changed and new files alike, or the history that git would find them by. */
export function losesAllWork(effects: readonly Effect[], { leave }: CatastropheOptions): readonly Effect[] {
  const kept = effects.filter(({ scope }) => scope !== 'temp');
  const all = kept.filter(({ kind, recursive }) => kind === 'discard' && recursive === true);
  const changed = all.find(({ how }) => how !== 'clean' && how?.startsWith('stash') !== true);
  const cleaned = all.filter(({ how }) => how === 'clean');
  if (changed && cleaned.length > 0 && !leave.includes('discard'))
    return [changed, ...all.filter((effect) => effect !== changed)];
  const history = kept.filter(({ kind }) => kind === 'rewrite-history');
  const expired = history.find(({ how }) => how?.startsWith('reflog') === true);
  const pruned = history.filter(({ how }) => how === 'gc' || how === 'prune');
  return expired && pruned.length > 0 && !leave.includes('rewrite-history') ? [expired, ...pruned] : [];
}

/** The branch that the command names; undefined when it means the current one. */
export function branchOf({ branch = '' }: Effect): string | undefined {
  return branch === '' || branch === 'HEAD' || branch === '@' ? undefined : branch;
}

export function isProtected(branch: string | undefined, patterns: readonly string[]): boolean {
  if (branch === undefined) return false;
  const name = branch.replace(/^refs\/heads\//, '');
  return patterns.some((pattern) =>
    pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name.toLowerCase() === pattern.toLowerCase(),
  );
}
