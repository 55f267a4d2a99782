import type { MachineKey } from '../record/machine-key.ts';
import { linkAll } from './links.ts';
import type { Link } from './links.ts';
import { checkpointRecord } from './log-records.ts';

/** With decisions it goes this often, and without any less often: then it says that nothing happened. */
const WITH_ROWS_MS = 600_000;
const ALONE_MS = 3_600_000;

export interface Checkpoints {
  isDue(key: MachineKey, now: number, isAlone: boolean): boolean;
  sent(key: MachineKey, now: number): void;
}

export function createCheckpoints(): Checkpoints {
  let last: { readonly at: number; readonly key?: string } | undefined;
  return {
    isDue(key, now, isAlone) {
      if (!isAlone && last?.key !== key.public) return true;
      // An engine that begins has nothing to say yet.
      last ??= { at: now };
      return Math.abs(now - last.at) >= (isAlone ? ALONE_MS : WITH_ROWS_MS);
    },
    sent(key, now) {
      last = { at: now, key: key.public };
    },
  };
}

/** It hangs on the chain, and nothing hangs on it. */
export async function checkpointAfter(
  machine: string,
  { sequence, head }: Pick<Link, 'sequence' | 'head'>,
  key: MachineKey,
  now: number,
): Promise<Uint8Array> {
  const contentAt = () => checkpointRecord({ machine, sequence }, key, now);
  const [link] = await linkAll(machine, { sequence, head }, [{ contentAt }], key);
  return link?.record ?? new Uint8Array();
}
