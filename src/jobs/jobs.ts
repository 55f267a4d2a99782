import { breakerId, isOnTrial, readBreaker, recoversAt } from './breaker.ts';
import { createCommands } from './commands.ts';
import type { CommandsOptions } from './commands.ts';
import { DIRTY, parseDirtyId, parseJobKey, readDirty } from '../state/due-work.ts';
import type { Job, JobResult, PackJobs, PackJobsEntry } from './job.ts';
import { readLimits } from './limits.ts';
import type { JobLimits } from './limits.ts';
import { createOwnWrites } from './own-writes.ts';
import { perform } from './perform.ts';
import type { Performed, PerformParts } from './perform.ts';
import { createQueue } from './queue.ts';
import type { JobName, Mark } from './queue.ts';
import type { Ran } from './run-job.ts';
import type { RelayRecord } from '../event/follow-up.ts';
import type { Policy, Seen } from '../engine/engine.ts';
import type { Files } from '../platform/files.ts';
import { SEPARATOR } from '../state/cells.ts';
import type { PackTelemetry } from '../telemetry/observer.ts';

/** How often an engine that stays looks whether other processes left work: their marks are to be seen within a second. */
const PEEK_MS = 400;
/** How often it looks for work although nobody else has written anything. */
const LOOK_MS = 30_000;
/** Soon after its start, but not before the event that started it is answered. */
const FIRST_LOOK_MS = 50;
/** While the kill switch is on, and where a pack is off, work that is due is looked at again after so long. */
const OFF_MS = 1_000;
const INACTIVE_MS = 30_000;

export interface JobsOptions extends Omit<CommandsOptions, 'onStart'> {
  readonly packs: readonly PackJobsEntry[];
  readonly files: Files;
  soon(ms: number, work: () => void): void;
  policyAt(root: string): Promise<Policy>;
  numbersOf(pack: string, root: string): PackTelemetry;
  relay(record: RelayRecord): void;
}

/** A job that a command asked for. */
export interface RanNow {
  readonly subject: string;
  readonly kind: string;
  readonly result?: JobResult;
  /** Why there is no result. */
  readonly problem?: string;
}

export interface Jobs {
  /** Finds work that others leave, from now on. */
  start(): void;
  /** Takes notice of the jobs that an event marked. */
  see(seen: Seen): void;
  /** Looks for work that others left, if they have written anything. */
  look(): void;
  isOwnWrite(path: string, mtimeMs: number): boolean;
  /** Resolves when no job and no command of one is at work. */
  idle(): Promise<void>;
  /** Runs a pack's jobs on these subjects at once, due or not, and waits for them. */
  runNow(root: string, pack: string, subjects: readonly string[]): Promise<RanNow[]>;
  /** What has not begun stays due for the next process. */
  close(): void;
}

/** Runs the background work of packs, for as long as the process lives. */
export function createJobs(options: JobsOptions): Jobs {
  const { store, now, soon, onFailure, policyAt, numbersOf } = options;
  const queue = createQueue();
  const loaded = new Map<string, PackJobs>();
  const running = new Map<string, number>();
  const ownWrites = createOwnWrites(options.files, now);
  const commands = createCommands({
    ...options,
    onStart: ({ pack, root }) => numbersOf(pack, root).count('jobs.children'),
  });
  const atWork = new Set<Promise<void>>();
  let lookedAt = Number.NEGATIVE_INFINITY;
  let seenOthers = -1;
  let wakesAt = Number.POSITIVE_INFINITY;
  let isClosed = false;

  const isOff = () => isClosed || options.isOff(now());
  const parts: PerformParts = { ...options, ownWrites, commands, jobsOf, mayWrite: () => !isOff() };

  function follow(what: string, work: Promise<void>): void {
    const done: Promise<void> = work
      .catch((error: unknown) => {
        if (!isClosed) onFailure(what, error);
      })
      .then(() => void atWork.delete(done));
    atWork.add(done);
  }

  async function jobsOf(pack: string): Promise<PackJobs> {
    const entry = options.packs.find((each) => each.pack === pack);
    const jobs = loaded.get(pack) ?? (await entry?.load()) ?? [];
    loaded.set(pack, jobs);
    return jobs;
  }

  function enqueue(name: JobName, mark: Mark, limits = readLimits({})): void {
    const job = loaded.get(name.pack)?.find(({ kind }) => kind === name.kind);
    if (!job || isClosed) return;
    queue.mark(name, mark, limits, job.after);
  }

  /** What a rule or a job marked, or what somebody left in its cell. */
  async function take(name: JobName, mark: Mark, policy: () => Policy | Promise<Policy>): Promise<void> {
    const job = (await jobsOf(name.pack)).find(({ kind }) => kind === name.kind);
    if (!job) return;
    const { index } = await policy();
    const rule = index.rules.find(({ meta }) => meta.id === job.rule);
    enqueue(name, mark, readLimits(rule?.options ?? {}));
    pump();
  }

  function pump(): void {
    if (isClosed || queue.waiting() === 0) return;
    if (isOff()) return wake(now() + OFF_MS);
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
      performed = await perform(name, true, parts);
    } finally {
      countRunning(name, -1);
      if (performed?.ran.state === 'done') queue.done(name);
      else queue.retry(name, now() + pauseAfter(performed));
      // Its own kind too, if it was marked meanwhile.
      for (const each of performed?.due ?? []) enqueue(each, { first: now(), last: now() }, performed?.limits);
      pump();
    }
  }

  function pauseAfter(performed: Performed | undefined): number {
    if (!performed) return isOff() ? OFF_MS : INACTIVE_MS;
    const { ran, limits } = performed;
    return ran.state === 'failed' ? limits.breaker.recoveryMs : limits.queue.maxWaitMs;
  }

  function findLeft(): void {
    const known = new Set(options.packs.map(({ pack }) => pack));
    for (const { id, value } of known.size > 0 ? store.list(`workspace${SEPARATOR}`, now(), DIRTY) : []) {
      const found = parseDirtyId(id);
      const due = found && known.has(found.pack) ? readDirty(value) : undefined;
      if (!found || !due) continue;
      const { subject, job } = parseJobKey(found.key);
      const name = { root: found.root, pack: found.pack, subject, kind: job };
      if (!queue.holds(name))
        follow(
          'taking up work that was left',
          take(name, due, () => policyAt(name.root)),
        );
    }
  }

  function look(): void {
    if (isOff()) return;
    store.refresh(now());
    const others = store.seenOthers();
    if (others === seenOthers && Math.abs(now() - lookedAt) < LOOK_MS) return;
    seenOthers = others;
    lookedAt = now();
    try {
      findLeft();
    } catch (error) {
      onFailure('looking for work that was left', error);
    }
    pump();
  }

  function keepLooking(): void {
    if (isClosed) return;
    look();
    soon(PEEK_MS, keepLooking);
  }

  return {
    start: () => soon(FIRST_LOOK_MS, keepLooking),
    see({ followUps, place }) {
      for (const followUp of followUps) {
        if (followUp.kind !== 'job') continue;
        const { subject, job } = parseJobKey(followUp.key);
        const name = { root: followUp.root, pack: followUp.pack, subject, kind: job };
        const at = now();
        follow(
          'taking up marked work',
          take(name, { first: at, last: at }, () => place.policy),
        );
      }
    },
    look,
    isOwnWrite: ownWrites.has,
    async idle() {
      while (atWork.size > 0) await Promise.all(atWork);
      await commands.idle();
    },
    async runNow(root, pack, subjects) {
      const kinds = inOrder(await jobsOf(pack)).map(({ kind }) => kind);
      const all: RanNow[] = [];
      for (const subject of subjects)
        for (const kind of kinds) {
          const performed = await perform({ root, pack, subject, kind }, false, parts);
          all.push({ subject, kind, ...outcomeOf(performed?.ran, isOff()) });
        }
      await commands.idle();
      return all;
    },
    close() {
      isClosed = true;
      commands.stop();
    },
  };
}

function kindKey({ root, pack, kind }: JobName): string {
  return `${root} ${pack} ${kind}`;
}

function outcomeOf(ran: Ran | undefined, isOff: boolean): Pick<RanNow, 'result' | 'problem'> {
  if (isOff || ran?.state === 'stopped') return { problem: 'Fairlead is off' };
  if (!ran) return { problem: 'its rule is off here' };
  if (ran.state === 'done') return { result: ran.result };
  if (ran.state === 'failed') return { problem: ran.error instanceof Error ? ran.error.message : String(ran.error) };
  return { problem: 'its files kept changing' };
}

/** Every job behind those it comes after. */
function inOrder(jobs: PackJobs): Job[] {
  const ordered: Job[] = [];
  const left = [...jobs];
  while (left.length > 0) {
    const kinds = new Set(left.map(({ kind }) => kind));
    const at = left.findIndex(({ after = [] }) => !after.some((kind) => kinds.has(kind)));
    ordered.push(...left.splice(Math.max(0, at), 1));
  }
  return ordered;
}
