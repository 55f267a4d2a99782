import type { Files } from '../platform/files.ts';
import { pruneLogs } from './session-log.ts';
import type { Store } from './store.ts';

const DAY_MS = 86_400_000;

export interface Pruned {
  readonly cells: number;
  /** Stats logs. */
  readonly logs: number;
}

export interface Kept {
  readonly store: Pick<Store, 'prune'>;
  readonly files: Files;
  /** The state directory. */
  readonly state: string;
}

/** Forgets sessions untouched for so many days: their cells and their stats logs. */
export function pruneSessions({ store, files, state }: Kept, days: number, now: number): Pruned {
  const before = now - days * DAY_MS;
  return { cells: store.prune(before, now), logs: pruneLogs(files, state, before) };
}
