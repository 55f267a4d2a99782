import type { Commands } from './commands.ts';
import { dirtyId, jobKey, readDirty } from '../state/due-work.ts';
import type { Job, JobResult, PackJobs } from './job.ts';
import { readLimits } from './limits.ts';
import type { JobLimits } from './limits.ts';
import type { JobName } from './queue.ts';
import { runJob } from './run-job.ts';
import type { Ran, RunParts } from './run-job.ts';
import { commitDone, commitFailed } from './commit-job.ts';
import type { Run } from './commit-job.ts';
import { speakerOf } from './tell.ts';
import type { RelayRecord } from '../event/follow-up.ts';
import type { Policy } from '../engine/engine.ts';
import type { Store } from '../state/store.ts';
import type { PackTelemetry } from '../telemetry/observer.ts';

export interface PerformParts extends RunParts {
  readonly store: Store;
  readonly commands: Commands;
  jobsOf(pack: string): Promise<PackJobs>;
  policyAt(root: string): Promise<Policy>;
  numbersOf(pack: string, root: string): PackTelemetry;
  relay(record: RelayRecord): void;
  onFailure(what: string, error: unknown): void;
}

export interface Performed {
  readonly ran: Ran;
  readonly limits: JobLimits;
  /** What is due because of it. */
  readonly due: readonly JobName[];
}

/**
 * The story of one run: the rules in force allow the job, it runs, and what came of it is stored and told. Undefined
 * where its rule is not in force, and when nothing may be written.
 */
export async function perform(name: JobName, ifDue: boolean, parts: PerformParts): Promise<Performed | undefined> {
  const { root, pack, subject, kind } = name;
  const { store, now, mayWrite } = parts;
  const job = (await parts.jobsOf(pack)).find((each) => each.kind === kind);
  const speaker = job && speakerOf(job, await parts.policyAt(root));
  if (!job || !speaker || !mayWrite()) return undefined;
  const { options } = speaker.rule;
  const limits = readLimits(options);
  store.refresh(now());
  const value = store.get(dirtyId(root, pack, jobKey(subject, kind)), now());
  const marks = readDirty(value);
  // Another process was faster.
  if (!marks && ifDue) return { ran: { state: 'done', result: {} }, limits, due: [] };
  const marked = marks ?? { first: now(), last: now(), marks: 1, told: [] };
  const ran = await runJob(job, name, options, marked, parts);
  if (!mayWrite()) return undefined;
  const run: Run = { name, speaker, limits: limits.breaker, value, marked };
  if (ran.state === 'done') return { ran, limits, due: await keepDone(run, job, ran.result, parts) };
  parts.numbersOf(pack, root).count(`jobs.${ran.state}`);
  if (ran.state === 'failed') keepFailed(run, job, ran.error, parts);
  return { ran, limits, due: [] };
}

async function keepDone(run: Run, job: Job, result: JobResult, parts: PerformParts): Promise<readonly JobName[]> {
  const { name, marked } = run;
  const { store, now } = parts;
  const due = commitDone(run, result, store, now);
  await store.stored();
  const numbers = parts.numbersOf(name.pack, name.root);
  numbers.count('jobs.run');
  if (marked.marks > 1) numbers.count('jobs.merged', marked.marks - 1);
  if (run.value !== undefined) numbers.time(`jobs.lag.${name.kind}`, now() - marked.last);
  for (const [what, by] of Object.entries(result.counts ?? {})) numbers.count(what, by);
  for (const [what, ms] of Object.entries(result.times ?? {})) numbers.time(what, ms);
  for (const each of result.relay ?? []) parts.relay(recordOf(run, job, each, now()));
  if (result.command) parts.commands.ask(result.command, name);
  if (result.own) parts.commands.askOwn(result.own, name);
  return due;
}

function keepFailed(run: Run, job: Job, error: unknown, parts: PerformParts): void {
  const { kind, pack, subject } = run.name;
  const message = error instanceof Error ? error.message : String(error);
  parts.onFailure(`running the job ${kind} of ${pack} on ${subject}`, error);
  const variant = commitFailed(run, message, parts.store, parts.now);
  if (variant === undefined) return;
  const text =
    variant === 'breaker-opened'
      ? `the job ${kind} failed repeatedly and rests for a while`
      : `the job ${kind} keeps failing for ${subject}`;
  parts.relay(recordOf(run, job, { variant, text, variables: { kind, error: message } }, parts.now()));
}

function recordOf(
  { name, marked }: Run,
  { rule }: Job,
  { variant, text, variables }: NonNullable<JobResult['relay']>[number],
  at: number,
): RelayRecord {
  const session = marked.told.at(-1)?.session;
  return {
    at,
    event: 'relay',
    rule,
    variant,
    message: `${rule}: ${text}`,
    root: name.root,
    ...(variables && { variables }),
    ...(session !== undefined && { session }),
  };
}
