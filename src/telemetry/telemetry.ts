import { commitMerged } from './commit-merged.ts';
import type { Merge } from './commit-merged.ts';
import { expiryOf, hourOf, telemetryId } from './hours.ts';
import { addCount, addNumbers, addPeak, addTime, createTally, numbersOf, readNumbers } from './numbers.ts';
import type { Tally } from './numbers.ts';
import type { Observe, PackObserver, PackTelemetry, Seen } from './observer.ts';
import { createPendingCells, mergesOf } from './pending-cells.ts';
import type { RelayRecord } from '../engine/asides.ts';
import { ownSessionId } from '../engine/guards.ts';
import { isPromise } from '../engine/run.ts';
import type { RuleIndex } from '../engine/rule-index.ts';
import { parseCellId } from '../state/cells.ts';
import type { Store } from '../state/store.ts';

export interface Telemetry {
  /** Takes notice of an event; what follows from it happens after the reply. */
  see(seen: Seen): void;
  /** The numbers of a pack in a workspace, for those who work between events. */
  of(pack: string, root: string): PackTelemetry;
  /** Resolves when observers have been told of every event so far. */
  settle(): Promise<void>;
  /** Writes what was counted since the last time, unless the kill switch is on. */
  flush(): void;
  /** Tells observers that are loaded of the rest, and writes. */
  close(): void;
}

export interface TelemetryOptions {
  readonly store: Store;
  readonly clock: { now(): number };
  readonly observers: readonly PackObserver[];
  relay(record: RelayRecord): void;
  isOff(now: number): boolean;
  onFailure(what: string, error: unknown): void;
  /** For a process that stays; one that answers a single event settles and closes instead. */
  readonly resident?: {
    /** Runs work when the replies at hand are out. */
    afterReply(work: () => void): void;
    soon(ms: number, work: () => void): void;
  };
}

/** How long a process that stays gathers before it writes. */
const FLUSH_MS = 2_000;

/** Counts in memory what rules and observers report, and adds it to the cells of the hour from time to time. */
export function createTelemetry(options: TelemetryOptions): Telemetry {
  const { store, clock, isOff, onFailure, resident } = options;
  let tallies = new Map<string, Tally>();
  const cells = createPendingCells(store);
  const loaded = new Map<PackObserver, Observe>();
  const watching = new WeakMap<RuleIndex, readonly PackObserver[]>();
  let queue: Waiting[] = [];
  /** Ends when what was waiting has been told. */
  let telling = Promise.resolve();
  let isTellingDue = false;
  let isFlushDue = false;
  let isClosed = false;

  function announce(): void {
    if (isFlushDue || !resident) return;
    isFlushDue = true;
    resident.soon(FLUSH_MS, () => {
      isFlushDue = false;
      flush();
    });
  }

  function tallyAt(pack: string, root: string, at: number): Tally {
    const id = telemetryId(root, pack, hourOf(at));
    let tally = tallies.get(id);
    if (!tally) tallies.set(id, (tally = createTally()));
    announce();
    return tally;
  }

  function numbersAt(pack: string, root: string, at: () => number): PackTelemetry {
    return {
      count: (name, by = 1) => addCount(tallyAt(pack, root, at()), name, by),
      time: (name, ms) => addTime(tallyAt(pack, root, at()), name, ms),
      peak: (name, value) => addPeak(tallyAt(pack, root, at()), name, value),
    };
  }

  function flush(): void {
    const now = clock.now();
    if (isClosed || (tallies.size === 0 && cells.isEmpty())) return;
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

  function observersOf({ place, silenced, row, event }: Seen): readonly PackObserver[] {
    if (options.observers.length === 0 || row.copy || event.depth > 0) return NOBODY;
    const { index } = place.policy;
    let active = watching.get(index);
    if (!active) {
      const packs = new Set(index.rules.map(({ meta }) => meta.pack));
      watching.set(index, (active = options.observers.filter(({ pack }) => packs.has(pack))));
    }
    if (active.length === 0 || store.get(ownSessionId(event.session), event.receivedAt) !== undefined) return NOBODY;
    return silenced.length === 0 ? active : active.filter(({ pack }) => !silenced.includes(pack));
  }

  function tell({ pack }: PackObserver, observe: Observe, seen: Seen): void {
    const { event, place } = seen;
    const { root } = place;
    const now = event.receivedAt;
    const { session } = event;
    try {
      observe(seen, {
        ...numbersAt(pack, root, () => now),
        now,
        options: (rule) => place.policy.index.rules.find(({ meta }) => meta.id === rule)?.options ?? {},
        memory: cells.memoryFor({ session, workspace: root }, now, flush),
        relay: ({ rule, variant, text, variables }) =>
          options.relay({
            at: now,
            event: 'relay',
            rule,
            variant,
            message: `${rule}: ${text}`,
            ...(variables && { variables }),
            session,
            root,
          }),
      });
    } catch (error) {
      onFailure(`observing for ${pack}`, error);
    }
    if (!cells.isEmpty()) announce();
  }

  function load(observer: PackObserver): Observe | Promise<Observe | undefined> {
    return (
      loaded.get(observer) ??
      observer.load().then(
        (observe) => {
          loaded.set(observer, observe);
          return observe;
        },
        (error: unknown) => {
          onFailure(`loading what observes for ${observer.pack}`, error);
          return undefined;
        },
      )
    );
  }

  function takeNumbers({ asides, event }: Seen): void {
    for (const aside of asides) {
      if (aside.kind !== 'count' && aside.kind !== 'time') continue;
      const tally = tallyAt(aside.pack, aside.root, event.receivedAt);
      if (aside.kind === 'count') addCount(tally, aside.name, aside.by);
      else addTime(tally, aside.name, aside.ms);
    }
  }

  /** In the order of the events, so that an observer never sees an answer before its question. */
  async function drain(): Promise<void> {
    isTellingDue = false;
    for (let next = queue.shift(); next; next = queue.shift()) {
      takeNumbers(next.seen);
      for (const observer of next.observers) {
        const found = load(observer);
        const observe = isPromise(found) ? await found : found;
        if (isClosed) return;
        if (observe) tell(observer, observe, next.seen);
      }
    }
  }

  const settle = () => (telling = telling.then(drain));

  return {
    see(seen) {
      const observers = observersOf(seen);
      if (seen.asides.length === 0 && observers.length === 0) return;
      queue.push({ seen, observers });
      if (isTellingDue || !resident) return;
      isTellingDue = true;
      resident.afterReply(() => void settle());
    },
    of: (pack, root) => numbersAt(pack, root, clock.now),
    settle,
    flush,
    close() {
      const rest = queue;
      queue = [];
      for (const { seen, observers } of rest) {
        takeNumbers(seen);
        for (const observer of observers) {
          const observe = loaded.get(observer);
          if (observe) tell(observer, observe, seen);
        }
      }
      flush();
      isClosed = true;
    },
  };
}

interface Waiting {
  readonly seen: Seen;
  readonly observers: readonly PackObserver[];
}

const NOBODY: readonly PackObserver[] = [];

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
