import type { LookLater } from './looks.ts';
import { addCount, addPeak, addTime } from './numbers.ts';
import type { Observe, PackObserver, PackTelemetry, Seen } from './observer.ts';
import { createWriteBehind } from './write-behind.ts';
import type { WriteBehindOptions } from './write-behind.ts';
import type { RelayRecord } from '../event/follow-up.ts';
import { isPromise } from '../engine/decide/run.ts';
import { createWatches } from './watch.ts';

export interface Telemetry {
  /** Takes notice of an event; what follows from it happens after the reply. */
  see(seen: Seen): void;
  /** The numbers of a pack in a workspace, for those who work between events. */
  of(pack: string, root: string): PackTelemetry;
  /** Resolves when observers have been told of every event so far. */
  finish(): Promise<void>;
  /** Writes what was counted since the last time, unless the kill switch is on. */
  flush(): void;
  /** Tells observers that are loaded of the rest, and writes. */
  close(): void;
}

export interface TelemetryOptions extends Omit<WriteBehindOptions, 'soon'> {
  readonly observers: readonly PackObserver[];
  relay(record: RelayRecord): void;
  /** For a process that stays; one that answers a single event finishes and closes instead. */
  readonly resident?: Pick<Required<WriteBehindOptions>, 'soon'> & {
    /** Runs work when the replies at hand are out. */
    afterReply(work: () => void): void;
  };
  /** For looks between events, in a process that stays. */
  readonly lookLater?: LookLater;
}

/** Counts in memory what rules and observers report, and adds it to the cells of the hour from time to time. */
export function createTelemetry(options: TelemetryOptions): Telemetry {
  const { store, clock, onFailure, resident } = options;
  const kept = createWriteBehind({ ...options, ...(resident && { soon: resident.soon }) });
  const loaded = new Map<PackObserver, Observe>();
  const toTell = createWatches(options.observers, store, onFailure);
  let queue: Seen[] = [];
  /** Ends when what was waiting has been told. */
  let telling = Promise.resolve();
  let isTellingDue = false;
  let isClosed = false;

  function numbersAt(pack: string, root: string, at: () => number): PackTelemetry {
    return {
      count: (name, by = 1) => addCount(kept.tallyAt(pack, root, at()), name, by),
      time: (name, ms) => addTime(kept.tallyAt(pack, root, at()), name, ms),
      peak: (name, value) => addPeak(kept.tallyAt(pack, root, at()), name, value),
    };
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

  function tell({ pack }: PackObserver, observe: Observe, seen: Seen, root: string): void {
    const { event, place } = seen;
    const { session, receivedAt: now } = event;
    try {
      observe(seen, {
        ...numbersAt(pack, root, () => now),
        now,
        options: (rule) => place.policy.index.rules.find(({ meta }) => meta.id === rule)?.options ?? {},
        lookLater: (at, look) => options.lookLater?.(pack, at, seen, look),
        memory: kept.memoryFor({ session, workspace: place.root }, now),
        relay: ({ rule, variant, text, variables }) =>
          options.relay({
            at: now,
            event: 'relay',
            rule,
            variant,
            message: `${rule}: ${text}`,
            ...(variables && { variables }),
            session,
            root: place.root,
          }),
      });
    } catch (error) {
      onFailure(`observing for ${pack}`, error);
    }
  }

  function takeNumbers({ followUps, event }: Seen): void {
    for (const followUp of followUps) {
      if (followUp.kind !== 'count' && followUp.kind !== 'time') continue;
      const tally = kept.tallyAt(followUp.pack, followUp.root, event.receivedAt);
      if (followUp.kind === 'count') addCount(tally, followUp.name, followUp.by);
      else addTime(tally, followUp.name, followUp.ms);
    }
  }

  /** In the order of the events, so that an observer never sees an answer before its question. */
  async function drain(): Promise<void> {
    isTellingDue = false;
    for (let next = queue.shift(); next; next = queue.shift()) {
      takeNumbers(next);
      for (const { observer, root } of toTell(next)) {
        const found = load(observer);
        const observe = isPromise(found) ? await found : found;
        if (isClosed) return;
        if (observe) tell(observer, observe, next, root);
      }
    }
  }

  const finish = () => (telling = telling.then(drain));

  return {
    see(seen) {
      if (seen.followUps.length === 0 && options.observers.length === 0) return;
      queue.push(seen);
      if (isTellingDue || !resident) return;
      isTellingDue = true;
      resident.afterReply(() => void finish());
    },
    of: (pack, root) => numbersAt(pack, root, clock.now),
    finish,
    flush: kept.flush,
    close() {
      const rest = queue;
      queue = [];
      for (const seen of rest) {
        takeNumbers(seen);
        for (const { observer, root } of toTell(seen)) {
          const observe = loaded.get(observer);
          if (observe) tell(observer, observe, seen, root);
        }
      }
      kept.close();
      isClosed = true;
    },
  };
}
