import type { Definition } from '../model/facts.ts';
import { asBase } from './infer.ts';
import { objectOf } from './resolution.ts';
import type { Resolution } from './resolution.ts';
import type { Located } from './world.ts';

/**
 * Of members that a value of several types may mean, those that replace another of them are left out: whatever the value
 * is, it is something that has the other one.
 */
export function generalTargets(r: Resolution, targets: readonly Located[]): readonly Located[] {
  if (targets.length < 2 || targets.length > MOST) return targets;
  const kept = targets.filter((target) => !targets.some((other) => other !== target && replaces(r, target, other)));
  return kept.length > 0 ? kept : targets;
}

const MOST = 5;

function replaces(r: Resolution, target: Located, other: Located): boolean {
  const own = (target.file.definitions[target.index] as Definition).container;
  const general = (other.file.definitions[other.index] as Definition).container;
  if (own === -1 || general === -1 || (own === general && target.file === other.file)) return false;
  const wanted = objectOf(r, other.file, general, []);
  return asBase(r, objectOf(r, target.file, own, []), wanted, 0) !== undefined;
}
