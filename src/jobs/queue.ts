import type { JobLimits } from './limits.ts';

export interface JobName {
  readonly root: string;
  readonly pack: string;
  readonly subject: string;
  readonly kind: string;
}

export interface Mark {
  readonly first: number;
  readonly last: number;
}

/** What is due and when it runs; holds no clock and no timer. One entry per job, so it is never longer than there are jobs. */
export interface Queue {
  /** Marks a job as due. `after`: kinds of the same subject that run first when they were marked no later. */
  mark(name: JobName, at: Mark, limits: JobLimits, after?: readonly string[]): void;
  /** Whether it waits or runs. */
  holds(name: JobName): boolean;
  /**
   * What may start now; it counts as running until `done` or `retry`. `readyAt` says of a job whose time has come when it may
   * run; one that waits for another to end says `Infinity`.
   */
  take(now: number, readyAt: (name: JobName, limits: JobLimits) => number): JobName[];
  /** It ended. If it was marked while it ran, it is due once more. */
  done(name: JobName): void;
  /** It did not do its work and stays due: not before `at`, unless it is marked again. */
  retry(name: JobName, at: number): void;
  /** When `take` may find something, unless a running job ends before. */
  next(now: number): number | undefined;
  /** Jobs that wait. */
  waiting(): number;
}

interface Waiting {
  first: number;
  last: number;
  /** Set by `retry`. */
  notBefore: number;
  /** What `readyAt` said when it was last asked. */
  heldUntil: number;
}

interface Entry {
  readonly name: JobName;
  limits: JobLimits;
  after: readonly string[];
  /** Times of the newest marks, enough to tell a burst. */
  recent: number[];
  isBurst: boolean;
  isRunning: boolean;
  waiting: Waiting | undefined;
}

export function queueKey({ root, pack, subject, kind }: JobName): string {
  return `${root} ${pack} ${subject}:${kind}`;
}

export function createQueue(): Queue {
  const entries = new Map<string, Entry>();

  /** In the order in which they are due. */
  function waitingAt(now: number): (Entry & { waiting: Waiting })[] {
    return [...entries.values()].filter(isWaiting).sort((a, b) => dueAt(a, now) - dueAt(b, now));
  }

  function isBlocked({ name, after, waiting }: Entry & { waiting: Waiting }, now: number): boolean {
    return after.some((kind) => {
      const earlier = entries.get(queueKey({ ...name, kind }));
      if (earlier?.isRunning === true) return true;
      if (!earlier?.waiting || isHeld(earlier.waiting, now)) return false;
      // One that is marked over and over while this one waits has had its turn.
      return earlier.waiting.first <= waiting.first;
    });
  }

  const running = (): number => [...entries.values()].filter(({ isRunning }) => isRunning).length;

  return {
    mark(name, { first, last }, limits, after = []) {
      const key = queueKey(name);
      let entry = entries.get(key);
      if (!entry) {
        entry = { name, limits, after, recent: [], isBurst: false, isRunning: false, waiting: undefined };
        entries.set(key, entry);
      }
      entry.limits = limits;
      entry.after = after;
      noteMark(entry, last);
      const { waiting } = entry;
      if (waiting && waiting.notBefore <= last) waiting.last = last;
      else entry.waiting = { first, last, notBefore: 0, heldUntil: 0 };
    },
    holds(name) {
      const entry = entries.get(queueKey(name));
      return entry !== undefined && (entry.isRunning || entry.waiting !== undefined);
    },
    take(now, readyAt) {
      for (const [key, entry] of entries) if (isForgotten(entry, now)) entries.delete(key);
      const taken: JobName[] = [];
      let busy = running();
      for (const entry of waitingAt(now)) {
        if (dueAt(entry, now) > now) break;
        if (entry.isRunning || busy >= entry.limits.queue.maxParallel || isBlocked(entry, now)) continue;
        entry.waiting.heldUntil = readyAt(entry.name, entry.limits);
        if (entry.waiting.heldUntil > now) continue;
        entry.isRunning = true;
        (entry as Entry).waiting = undefined;
        busy += 1;
        taken.push(entry.name);
      }
      return taken;
    },
    done(name) {
      const entry = entries.get(queueKey(name));
      if (entry) entry.isRunning = false;
    },
    retry(name, at) {
      const entry = entries.get(queueKey(name));
      if (!entry) return;
      entry.isRunning = false;
      entry.waiting ??= { first: at, last: at, notBefore: at, heldUntil: 0 };
    },
    next(now) {
      const busy = running();
      const times = waitingAt(now)
        .filter((entry) => !entry.isRunning && busy < entry.limits.queue.maxParallel && !isBlocked(entry, now))
        .map((entry) => Math.max(dueAt(entry, now), entry.waiting.heldUntil));
      const soonest = Math.min(...times);
      return Number.isFinite(soonest) ? soonest : undefined;
    },
    waiting: () => [...entries.values()].filter(isWaiting).length,
  };
}

function isWaiting(entry: Entry): entry is Entry & { waiting: Waiting } {
  return entry.waiting !== undefined;
}

function isHeld({ notBefore, heldUntil }: Waiting, now: number): boolean {
  return Math.max(notBefore, heldUntil) > now;
}

function dueAt(
  { waiting: { first, last, notBefore }, limits, isBurst }: Entry & { waiting: Waiting },
  now: number,
): number {
  if (notBefore > 0) return notBefore;
  // The clock was set back; nobody should wait until it gets there again.
  if (first > now) return now;
  const { quietMs, maxWaitMs, burstQuietMs, burstMaxWaitMs } = limits.queue;
  const quiet = isBurst ? burstQuietMs : quietMs;
  const most = isBurst ? burstMaxWaitMs : maxWaitMs;
  return Math.min(last + quiet, first + most);
}

function noteMark(entry: Entry, at: number): void {
  const { burstCount, burstWindowMs } = entry.limits.queue;
  if (isCalm(entry, at)) {
    entry.recent = [];
    entry.isBurst = false;
  }
  entry.recent = [...entry.recent, at].slice(-(Math.floor(burstCount) + 1));
  const oldest = entry.recent[0] ?? at;
  if (entry.recent.length > burstCount && at - oldest <= burstWindowMs) entry.isBurst = true;
}

function isCalm({ recent, limits }: Entry, now: number): boolean {
  return now - (recent.at(-1) ?? Number.NEGATIVE_INFINITY) >= limits.queue.burstWindowMs;
}

function isForgotten(entry: Entry, now: number): boolean {
  return !entry.isRunning && entry.waiting === undefined && isCalm(entry, now);
}
