import type { Engine } from './engine.ts';
import type { Said } from '../state/draft.ts';

/**
 * Clears what keeps rules from saying once more what nobody heard. A cell that has moved on meanwhile stays as it is.
 */
export function takeBack(said: readonly Said[], { store, clock, onFailure }: Engine): void {
  const now = clock.now();
  try {
    for (const { id, value } of said)
      if (store.get(id, now) === value)
        store.commit({ reads: new Map([[id, value]]), changes: [{ op: 'delete', id }], now });
    store.stored()?.catch((error: unknown) => onFailure('taking back what nobody heard', error));
  } catch (error) {
    onFailure('taking back what nobody heard', error);
  }
}
