import type { Files } from '../platform/files.ts';
import { CONTEXT_PACK } from '../workspace/config/settings.ts';
import type { Settings } from '../workspace/config/settings.ts';
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

/** The pack that asks for it with every session has a number of its own; without one, that of the state counts. */
export function usualDays({ packs, state }: Pick<Settings, 'packs' | 'state'>): number {
  const own = packs[CONTEXT_PACK]?.options?.['prune_days'];
  return typeof own === 'number' && own > 0 ? own : state.pruneDays;
}

/** Forgets sessions untouched for so many days: their cells and their stats logs. */
export function pruneSessions({ store, files, state }: Kept, days: number, now: number): Pruned {
  const before = now - days * DAY_MS;
  return { cells: store.prune(before, now), logs: pruneLogs(files, state, before) };
}
