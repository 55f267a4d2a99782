import type { Dirty } from '../state/due-work.ts';
import { openAttempt } from './job-files.ts';
import type { JobFilesParts } from './job-files.ts';
import type { Job, JobResult } from './job.ts';
import type { JobName } from './queue.ts';

/** What became of a run: `moved` when a file kept changing under it, `stopped` when nothing may be written now. */
export type Ran =
  | { readonly state: 'done'; readonly result: JobResult }
  | { readonly state: 'failed'; readonly error: unknown }
  | { readonly state: 'moved' | 'stopped' };

const MAX_ATTEMPTS = 3;
/** A job that has not answered by then has failed. */
const LIMIT_MS = 30_000;

export interface RunParts extends Omit<JobFilesParts, 'root'> {
  now(): number;
  soon(ms: number, work: () => void): void;
}

/** Runs a job from the start until no file changed under it, a few times at most. */
export async function runJob(
  job: Job,
  { root, subject }: JobName,
  options: Readonly<Record<string, unknown>>,
  marked: Pick<Dirty, 'first' | 'last' | 'marks'>,
  parts: RunParts,
): Promise<Ran> {
  for (let tries = 1; tries <= MAX_ATTEMPTS; tries += 1) {
    const time = { isUp: false };
    const attempt = openAttempt({ ...parts, root, mayWrite: () => !time.isUp && parts.mayWrite() });
    const context = { root, subject, options, now: parts.now(), marked, files: attempt.files };
    let ran: Ran;
    try {
      ran = { state: 'done', result: await inTime(() => job.run(context), parts, time) };
    } catch (error) {
      ran = { state: 'failed', error };
    }
    const refused = attempt.refused();
    if (refused === undefined || time.isUp) return ran;
    if (refused === 'stopped') return { state: 'stopped' };
  }
  return { state: 'moved' };
}

async function inTime(
  run: () => JobResult | Promise<JobResult>,
  { soon }: RunParts,
  time: { isUp: boolean },
): Promise<JobResult> {
  const running = run();
  if (!(running instanceof Promise)) return running;
  const late = new Promise<never>((_, reject) => {
    soon(LIMIT_MS, () => {
      time.isUp = true;
      reject(new Error(`no result within ${LIMIT_MS} ms`));
    });
  });
  return Promise.race([running, late]);
}
