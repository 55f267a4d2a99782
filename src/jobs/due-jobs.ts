import { breakerId, isOnTrial, readBreaker, recoversAt } from './breaker.ts';
import type { Job } from './job.ts';
import { readLimits } from './limits.ts';
import type { JobLimits } from './limits.ts';
import { perform } from './perform.ts';
import type { Performed, PerformParts } from './perform.ts';
import { createQueue } from './queue.ts';
import type { JobName, Mark } from './queue.ts';

/** While the kill switch is on, and where a pack is off, work that is due is looked at again after so long. */
const OFF_MS = 1_000;
const INACTIVE_MS = 30_000;

export interface DueJobsOptions extends PerformParts {
  soon(ms: number, work: () => void): void;
  isClosed(): boolean;
  /** Of a pack that is loaded. */
  jobNamed(name: JobName): Job | undefined;
  /** Takes note of work that is under way; what fails of it is reported as `what`. */
  follow(what: string, work: Promise<void>): void;
}

/** Jobs that are due, each run when its time comes. */
export interface DueJobs {
  mark(name: JobName, mark: Mark, limits: JobLimits): void;
  /** Whether it waits or runs. */
  holds(name: JobName): boolean;
  /** Starts what may run, and wakes up for the rest. */
  pump(): void;
}

export function createDueJobs(options: DueJobsOptions): DueJobs {
  const { store, now, soon, numbersOf, mayWrite, isClosed, follow } = options;
  const queue = createQueue();
  /** Jobs at work, by kind. */
  const running = new Map<string, number>();
  let wakesAt = Number.POSITIVE_INFINITY;

  function mark(name: JobName, at: Mark, limits = readLimits({})): void {
    const job = options.jobNamed(name);
    if (job && !isClosed()) queue.mark(name, at, limits, job.after);
  }

  function pump(): void {
    if (isClosed() || queue.waiting() === 0) return;
    if (!mayWrite()) return wake(now() + OFF_MS);
    const longest = queue.waiting();
    for (const name of queue.take(now(), readyAt)) {
      numbersOf(name.pack, name.root).peak('jobs.longest', longest);
      countRunning(name, 1);
      // Each in a turn of its own, so that events are answered in between.
      soon(0, () => follow(`running ${name.pack} ${name.kind}`, runDue(name)));
    }
    const next = queue.next(now());
    if (next !== undefined) wake(next);
  }

  function wake(at: number): void {
    if (at >= wakesAt) return;
    wakesAt = at;
    soon(Math.max(0, at - now()), () => {
      if (wakesAt === at) wakesAt = Number.POSITIVE_INFINITY;
      pump();
    });
  }

  function readyAt(name: JobName, limits: JobLimits): number {
    const breaker = readBreaker(store.get(breakerId(name.root, name.pack, name.kind), now()));
    if (isOnTrial(breaker) && (running.get(kindKey(name)) ?? 0) > 0) return Number.POSITIVE_INFINITY;
    return recoversAt(breaker, now(), limits.breaker);
  }

  function countRunning(name: JobName, by: number): void {
    const key = kindKey(name);
    const count = (running.get(key) ?? 0) + by;
    if (count > 0) running.set(key, count);
    else running.delete(key);
  }

  async function runDue(name: JobName): Promise<void> {
    let performed: Performed | undefined;
    try {
      performed = await perform(name, true, options);
    } finally {
      countRunning(name, -1);
      if (performed?.ran.state === 'done') queue.done(name);
      else queue.retry(name, now() + pauseAfter(performed));
      // Its own kind too, if it was marked meanwhile.
      for (const each of performed?.due ?? []) mark(each, { first: now(), last: now() }, performed?.limits);
      pump();
    }
  }

  function pauseAfter(performed: Performed | undefined): number {
    if (!performed) return mayWrite() ? INACTIVE_MS : OFF_MS;
    const { ran, limits } = performed;
    return ran.state === 'failed' ? limits.breaker.recoveryMs : limits.queue.maxWaitMs;
  }

  return { mark, holds: queue.holds, pump };
}

function kindKey({ root, pack, kind }: JobName): string {
  return `${root} ${pack} ${kind}`;
}
