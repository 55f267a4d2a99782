import type { Fact } from '../event/facts.ts';

/** How long an answer counts, and how long it may take. */
export interface Keeping {
  readonly keepMs: number;
  /** For an answer that came too late for those who asked: their next event may be a while off. */
  readonly lateMs: number;
  readonly limitMs: number;
}

export interface KeeperOptions {
  now(): number;
  soon(ms: number, work: () => void): void;
  /** How long an event waits; `Infinity` is as long as it takes. */
  readonly waitMs: number;
  /** Starting a process takes milliseconds. An event that asks for the next one has no reason to wait for that. */
  afterReply?(work: () => void): void;
}

export interface Keeper {
  /** What is known under a key, or what `find` finds; all who ask meanwhile share one search. */
  ask<T>(key: string, keeping: Keeping, find: () => Promise<T | undefined>): Fact<T>;
  /** Nothing is being looked for any more. */
  idle(): Promise<void>;
}

interface Known {
  readonly value: unknown;
  readonly at: number;
  until: number;
  isLate: boolean;
}

interface Search {
  readonly found: Promise<unknown>;
  isLate: boolean;
}

/** What could not be found out is not looked for again for a moment. */
const FAILED_MS = 30_000;
const MOST = 200;

export function createKeeper({ now, soon, waitMs, afterReply = queueMicrotask }: KeeperOptions): Keeper {
  const known = new Map<string, Known>();
  const searches = new Map<string, Search>();

  const begin = (key: string, { keepMs, lateMs, limitMs }: Keeping, find: () => Promise<unknown>): Search => {
    const found = new Promise<unknown>((resolve) => {
      soon(limitMs, () => resolve(undefined));
      afterReply(() => {
        // A search that throws at once has failed like any other.
        Promise.resolve()
          .then(find)
          .then(resolve, () => resolve(undefined));
      });
    });
    const search: Search = {
      isLate: false,
      found: found.then((value) => {
        searches.delete(key);
        known.delete(key);
        if (known.size >= MOST) known.delete(known.keys().next().value ?? '');
        const at = now();
        const counts = value === undefined ? Math.min(FAILED_MS, keepMs) : search.isLate ? lateMs : keepMs;
        known.set(key, { value, at, until: at + counts, isLate: search.isLate });
        return value;
      }),
    };
    searches.set(key, search);
    return search;
  };

  const wait = (search: Search): Promise<unknown> | undefined => {
    if (waitMs === Infinity) return search.found;
    if (waitMs <= 0) {
      search.isLate = true;
      return undefined;
    }
    const timeIsUp = new Promise<undefined>((resolve) => {
      soon(waitMs, () => {
        search.isLate = true;
        resolve(undefined);
      });
    });
    return Promise.race([search.found, timeIsUp]);
  };

  return {
    ask<T>(key: string, keeping: Keeping, find: () => Promise<T | undefined>): Fact<T> {
      const before = known.get(key);
      const at = now();
      // A clock that was set back makes everything old.
      if (before && at < before.until && at >= before.at) {
        if (before.isLate && before.value !== undefined) {
          before.isLate = false;
          before.until = at + keeping.keepMs;
        }
        return before.value as T | undefined;
      }
      return wait(searches.get(key) ?? begin(key, keeping, find)) as Fact<T>;
    },
    async idle() {
      while (searches.size > 0) await Promise.all([...searches.values()].map(({ found }) => found));
    },
  };
}
