import type { BreakerLimits, BreakerState } from '../engine/limits/breaker.ts';
import { breakerState } from '../engine/limits/breaker.ts';
import { cellId, parseCellId, parseValue } from '../state/cells.ts';
import { Draft } from '../state/draft.ts';
import type { Store } from '../state/store.ts';

export interface Breaker {
  readonly rule: string;
  readonly state: BreakerState;
  readonly error: string;
  readonly openedAt?: number;
}

/** Every rule that failed lately. */
export function readBreakers(store: Store, limits: BreakerLimits, now: number): Breaker[] {
  const draft = new Draft(store, now);
  return store.list(cellId('user', '', 'breaker'), now).map(({ id, value }) => {
    const rule = parseCellId(id).key;
    const { error = '', openedAt } = (parseValue(value) ?? {}) as { error?: string; openedAt?: number };
    return { rule, state: breakerState(draft, rule, limits), error, ...(openedAt === undefined ? {} : { openedAt }) };
  });
}
