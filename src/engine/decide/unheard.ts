import type { Engine } from '../engine.ts';
import type { Said } from '../../state/draft.ts';
import type { Change } from '../../state/store.ts';

/**
 * Undoes what keeps rules from saying once more what nobody heard. A cell that has moved on meanwhile stays as it is.
 */
export function takeBack(said: readonly Said[], { store, clock, onFailure }: Engine): void {
  const now = clock.now();
  try {
    for (const { id, value, before, expires } of said) {
      if (store.get(id, now) !== value) continue;
      const change: Change = before === undefined ? { op: 'delete', id } : { op: 'set', id, value: before, expires };
      store.commit({ reads: new Map([[id, value]]), changes: [change], now });
    }
    store.stored()?.catch((error: unknown) => onFailure('taking back what nobody heard', error));
  } catch (error) {
    onFailure('taking back what nobody heard', error);
  }
}
