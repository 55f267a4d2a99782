import type { Effect, EffectKind } from '../../event/effect.ts';
import type { HeldEffect } from './denied.ts';

/** Kinds that come to the same loss: what was to be deleted can as well be emptied, or cleaned away by git. */
const FAMILY: Readonly<Partial<Record<EffectKind, string>>> = {
  delete: 'loss',
  truncate: 'loss',
  discard: 'loss',
  write: 'change',
  overwrite: 'change',
};
/** Once is enough to know what is meant, whatever the target is called. */
const BY_KIND: ReadonlySet<EffectKind> = new Set(['run-remote', 'exhaust', 'destroy-disk']);

/**
 * Whether an effect does what was stopped before: the same kind of thing to the same target, or to more than that. Less than
 * that is what the denial asked for, so it is left to the rules.
 */
export function isSameEffect(before: HeldEffect, now: Effect): boolean {
  if ((FAMILY[before.kind] ?? before.kind) !== (FAMILY[now.kind] ?? now.kind)) return false;
  if (BY_KIND.has(now.kind)) return true;
  if (now.kind === 'send') return now.of !== 'file';
  if (now.kind === 'rewrite-history') return before.how === now.how;
  if (now.kind === 'settings') return before.how === now.how && before.target === now.target;
  if (now.kind === 'force-push' || now.kind === 'delete-branch')
    return before.branch === now.branch || now.recursive === true;
  if (before.path !== undefined && now.path !== undefined) return covers(now, withoutChildren(before.path));
  return before.target === now.target;
}

function covers({ path = '', recursive }: Effect, target: string): boolean {
  const top = withoutChildren(path);
  return top === target || (recursive === true && target.startsWith(top === '/' ? top : `${top}/`));
}

/** `dir/*` stands for the directory. */
function withoutChildren(path: string): string {
  return path.replace(/\/(\.?\*+)?$/, '') || '/';
}
