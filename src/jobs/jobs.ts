import { commitMark } from './commit-job.ts';
import { createCommands } from './commands.ts';
import type { CommandsOptions } from './commands.ts';
import { createDueJobs } from './due-jobs.ts';
import { DIRTY, parseDirtyId, parseJobKey, readDirty } from '../state/due-work.ts';
import type { Job, JobResult, PackJobs, PackJobsEntry } from './job.ts';
import { readLimits } from './limits.ts';
import { createOwnWrites } from './own-writes.ts';
import { perform } from './perform.ts';
import type { PerformParts } from './perform.ts';
import type { JobName, Mark } from './queue.ts';
import type { Ran } from './run-job.ts';
import type { RelayRecord } from '../event/follow-up.ts';
import type { Policy, Seen } from '../engine/engine.ts';
import { agentKey } from '../engine/session/scope.ts';
import type { Files } from '../platform/files.ts';
import { SEPARATOR } from '../state/cells.ts';
import type { PackTelemetry } from '../telemetry/observer.ts';

/** How often an engine that stays looks whether other processes left work: their marks are to be seen within a second. */
const PEEK_MS = 400;
/** How often it looks for work although nobody else has written anything. */
const LOOK_MS = 30_000;
/** Soon after its start, but not before the event that started it is answered. */
const FIRST_LOOK_MS = 50;

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
  /** Marks a job as due between events, for the session of the last one; false where it is due already. */
  mark(seen: Pick<Seen, 'event' | 'place'>, name: JobName): boolean;
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
  const { jobsOf, jobNamed } = createLoader(options.packs);
  const ownWrites = createOwnWrites(options.files, now);
  const commands = createCommands({
    ...options,
    onStart: ({ pack, root }) => numbersOf(pack, root).count('jobs.children'),
  });
  const atWork = new Set<Promise<void>>();
  let lookedAt = Number.NEGATIVE_INFINITY;
  let seenOthers = -1;
  let isClosed = false;

  const isOff = () => isClosed || options.isOff(now());
  const parts: PerformParts = { ...options, ownWrites, commands, jobsOf, mayWrite: () => !isOff() };
  const due = createDueJobs({ ...parts, soon, isClosed: () => isClosed, jobNamed, follow });

  function follow(what: string, work: Promise<void>): void {
    const done: Promise<void> = work
      .catch((error: unknown) => {
        if (!isClosed) onFailure(what, error);
      })
      .then(() => void atWork.delete(done));
    atWork.add(done);
  }

  /** What a rule or a job marked, or what somebody left in its cell. */
  async function take(name: JobName, mark: Mark, policy: () => Policy | Promise<Policy>): Promise<void> {
    const job = (await jobsOf(name.pack)).find(({ kind }) => kind === name.kind);
    if (!job) return;
    const { index } = await policy();
    const rule = index.rules.find(({ meta }) => meta.id === job.rule);
    due.mark(name, mark, readLimits(rule?.options ?? {}));
    due.pump();
  }

  function takeUp(name: JobName, policy: Policy): void {
    const at = now();
    follow(
      'taking up marked work',
      take(name, { first: at, last: at }, () => policy),
    );
  }

  function findLeft(): void {
    const known = new Set(options.packs.map(({ pack }) => pack));
    for (const { id, value } of known.size > 0 ? store.list(`workspace${SEPARATOR}`, now(), DIRTY) : []) {
      const found = parseDirtyId(id);
      const marked = found && known.has(found.pack) ? readDirty(value) : undefined;
      if (!found || !marked) continue;
      const name = nameOf(found);
      if (!due.holds(name))
        follow(
          'taking up work that was left',
          take(name, marked, () => policyAt(name.root)),
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
    due.pump();
  }

  function keepLooking(): void {
    if (isClosed) return;
    look();
    soon(PEEK_MS, keepLooking);
  }

  return {
    start: () => soon(FIRST_LOOK_MS, keepLooking),
    see({ followUps, place }) {
      for (const followUp of followUps) if (followUp.kind === 'job') takeUp(nameOf(followUp), place.policy);
    },
    mark({ event, place }, name) {
      const who = event.hasSession ? { session: event.session, agent: agentKey(event) } : undefined;
      if (isOff() || !commitMark(name, who, store, now)) return false;
      takeUp(name, place.policy);
      return true;
    },
    look,
    isOwnWrite: ownWrites.has,
    async idle() {
      while (atWork.size > 0) await Promise.all(atWork);
      await commands.idle();
    },
    async runNow(root, pack, subjects) {
      const all = (await jobsOf(pack)).filter(({ onlyWhenDue }) => onlyWhenDue !== true);
      const kinds = inOrder(all).map(({ kind }) => kind);
      const ran: RanNow[] = [];
      for (const subject of subjects)
        for (const kind of kinds) {
          const performed = await perform({ root, pack, subject, kind }, false, parts);
          ran.push({ subject, kind, ...outcomeOf(performed?.ran, isOff()) });
        }
      await commands.idle();
      return ran;
    },
    close() {
      isClosed = true;
      commands.stop();
    },
  };
}

/** The jobs of packs, loaded when they are asked for. */
function createLoader(packs: readonly PackJobsEntry[]) {
  const loaded = new Map<string, PackJobs>();
  return {
    async jobsOf(pack: string): Promise<PackJobs> {
      const entry = packs.find((each) => each.pack === pack);
      const jobs = loaded.get(pack) ?? (await entry?.load()) ?? [];
      loaded.set(pack, jobs);
      return jobs;
    },
    /** Of a pack that is loaded. */
    jobNamed: ({ pack, kind }: JobName): Job | undefined => loaded.get(pack)?.find((job) => job.kind === kind),
  };
}

function nameOf({ root, pack, key }: { root: string; pack: string; key: string }): JobName {
  const { subject, job: kind } = parseJobKey(key);
  return { root, pack, subject, kind };
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
