import { commitMerged } from './commit-merged.ts';
import type { Merge } from './commit-merged.ts';
import { expiryOf, hourOf, telemetryId } from './hours.ts';
import { addNumbers, createTally, numbersOf, readNumbers } from './numbers.ts';
import type { Tally } from './numbers.ts';
import type { ObserverMemory } from './observer.ts';
import { createPendingCells, mergesOf } from './pending-cells.ts';
import { parseCellId } from '../state/cells.ts';
import type { Store } from '../state/store.ts';

export interface WriteBehindOptions {
  readonly store: Store;
  readonly clock: { now(): number };
  isOff(now: number): boolean;
  onFailure(what: string, error: unknown): void;
  /** Absent in a process that writes when it ends. */
  readonly soon?: (ms: number, work: () => void) => void;
}

/** What was counted and kept since it was last written. */
export interface WriteBehind {
  tallyAt(pack: string, root: string, at: number): Tally;
  memoryFor(owners: { readonly session: string; readonly workspace: string }, now: number): ObserverMemory;
  /** Not while the kill switch is on: then it is kept. */
  flush(): void;
  /** After it nothing is written any more. */
  close(): void;
}

/** How long a process that stays gathers before it writes. */
const FLUSH_MS = 2_000;

export function createWriteBehind({ store, clock, isOff, onFailure, soon }: WriteBehindOptions): WriteBehind {
  let tallies = new Map<string, Tally>();
  const cells = createPendingCells(store);
  let isDue = false;
  let isClosed = false;

  function announce(): void {
    if (isDue || !soon) return;
    isDue = true;
    soon(FLUSH_MS, () => {
      isDue = false;
      flush();
    });
  }

  function flush(): void {
    if (isClosed || (tallies.size === 0 && cells.isEmpty())) return;
    const now = clock.now();
    if (isOff(now)) return announce();
    const counted = tallies;
    const changed = cells.take();
    tallies = new Map();
    const putBack = (why: unknown) => {
      for (const [id, tally] of counted) {
        const newer = tallies.get(id);
        if (newer) addNumbers(tally, numbersOf(newer));
        tallies.set(id, tally);
      }
      cells.putBack(changed);
      onFailure('writing telemetry', why);
    };
    try {
      const merges = [...[...counted].map(([id, tally]) => mergeOf(id, tally)), ...mergesOf(changed)];
      if (commitMerged(store, merges, now)) store.stored()?.catch(putBack);
      else putBack('other processes kept writing');
    } catch (error) {
      putBack(error);
    }
  }

  return {
    tallyAt(pack, root, at) {
      const id = telemetryId(root, pack, hourOf(at));
      let tally = tallies.get(id);
      if (!tally) tallies.set(id, (tally = createTally()));
      announce();
      return tally;
    },
    memoryFor(owners, now) {
      const { get, change } = cells.memoryFor(owners, now);
      return {
        get,
        change(...step) {
          announce();
          return change(...step);
        },
        store: flush,
      };
    },
    flush,
    close() {
      flush();
      isClosed = true;
    },
  };
}

function mergeOf(id: string, tally: Tally): Merge {
  return {
    id,
    expires: expiryOf(parseCellId(id).key),
    merged(before) {
      const sum = createTally();
      addNumbers(sum, readNumbers(before));
      addNumbers(sum, numbersOf(tally));
      return JSON.stringify(numbersOf(sum));
    },
  };
}
