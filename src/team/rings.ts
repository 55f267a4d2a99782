import { sha256 } from '../platform/hash.ts';
import type { PolicyHead, Stage } from './bundle.ts';

/** Where a machine stands among all, from 0 up to 100: the same for every version of a policy, another for each policy. */
export function placeOf(machine: string, policy: string): number {
  return (Number.parseInt(sha256(`${policy}\n${machine}`).slice(0, 12), 16) / 2 ** 48) * 100;
}

export interface Standing {
  readonly stage: Stage;
  /** Which ring, counted from 1; 0 where the machine is in none. */
  readonly ring: number;
}

export function standingOf(
  { name, rings }: Pick<PolicyHead, 'name' | 'rings'>,
  machine: string,
  labels: readonly string[],
): Standing {
  const place = placeOf(machine, name);
  const at = rings.findIndex(({ labels: wanted, share }) => {
    if (wanted === undefined && share === undefined) return true;
    return wanted?.some((label) => labels.includes(label)) === true || (share !== undefined && place < share);
  });
  return { stage: rings[at]?.stage ?? 'audit', ring: at + 1 };
}
