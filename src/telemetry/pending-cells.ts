import type { Merge } from './commit-merged.ts';
import type { ObserverMemory } from './observer.ts';
import type { RecordSpec, Scope } from '../state/cell.ts';
import { cellId, expiryOf, parseValue } from '../state/cells.ts';
import type { Store } from '../state/store.ts';

type Step = (before: unknown) => unknown;

/** Changes of one cell that are not yet stored. */
interface Pending {
  readonly steps: readonly Step[];
  readonly expires: number;
}

/** Steps that one cell may gather while nothing can be written; then the oldest are lost. */
const MOST_STEPS = 2_000;

export type Taken = ReadonlyMap<string, Pending>;

/** Kept as steps, so that they can be made again on what other processes have stored. */
export interface PendingCells {
  isEmpty(): boolean;
  /** The memory that an observer gets for one event. */
  memoryFor(owners: Partial<Record<Scope, string>>, now: number): Omit<ObserverMemory, 'store'>;
  /** All that waits; it counts as stored until it is put back. */
  take(): Taken;
  putBack(taken: Taken): void;
}

export function createPendingCells(store: Store): PendingCells {
  let waiting = new Map<string, Pending & { readonly steps: Step[] }>();
  /** What a cell held and what it comes to with its steps, so that each step is made once as long as nobody else writes. */
  let known = new Map<string, { readonly stored: string | undefined; value: unknown }>();

  function valueOf(id: string, now: number): unknown {
    const stored = store.get(id, now);
    const before = known.get(id);
    if (before && before.stored === stored) return before.value;
    const value = afterSteps(waiting.get(id)?.steps ?? [], stored);
    known.set(id, { stored, value });
    return value;
  }

  function add(id: string, step: Step, expires: number, now: number): unknown {
    const value = step(valueOf(id, now));
    const steps = waiting.get(id)?.steps ?? [];
    if (steps.length >= MOST_STEPS) steps.shift();
    steps.push(step);
    waiting.set(id, { steps, expires });
    known.set(id, { stored: store.get(id, now), value });
    return value;
  }

  return {
    isEmpty: () => waiting.size === 0,
    memoryFor(owners, now) {
      const idOf = (spec: RecordSpec<unknown>, key: string | undefined) => {
        const owner = spec.scope === 'user' ? '' : owners[spec.scope];
        if (owner === undefined) throw new Error(`an observer has no cells of scope ${spec.scope}`);
        return cellId(spec.scope, owner, spec.name, key);
      };
      return {
        get: <T>(spec: RecordSpec<T>, key?: string) => valueOf(idOf(spec, key), now) as T | undefined,
        change: <T>(spec: RecordSpec<T>, change: (before: T | undefined) => T | undefined, key?: string) =>
          add(idOf(spec, key), change as Step, expiryOf(spec.scope, spec.ttlMs, now), now) as T | undefined,
      };
    },
    take() {
      const taken = waiting;
      waiting = new Map();
      known = new Map();
      return taken;
    },
    putBack(taken) {
      for (const [id, { steps, expires }] of taken)
        waiting.set(id, { steps: [...steps, ...(waiting.get(id)?.steps ?? [])].slice(-MOST_STEPS), expires });
      known = new Map();
    },
  };
}

export function mergesOf(taken: Taken): Merge[] {
  return [...taken].map(([id, { steps, expires }]) => ({
    id,
    expires,
    merged(before) {
      const after = afterSteps(steps, before);
      return after === undefined ? undefined : JSON.stringify(after);
    },
  }));
}

function afterSteps(steps: readonly Step[], stored: string | undefined): unknown {
  return steps.reduce((value: unknown, step) => step(value), parseValue(stored));
}
