import { afterFailure, afterSuccess, breakerId, isOnTrial, readBreaker } from './breaker.ts';
import { dirtyId, jobKey, markDirty, readDirty } from '../state/due-work.ts';
import type { Dirty } from '../state/due-work.ts';
import type { JobResult } from './job.ts';
import type { JobBreakerLimits } from './limits.ts';
import type { JobName } from './queue.ts';
import { tellOf, warnOf, warnOnce } from './tell.ts';
import type { Speaker } from './tell.ts';
import { Draft } from '../state/draft.ts';
import type { Store } from '../state/store.ts';

const MAX_ATTEMPTS = 40;

/** A job that ran, with what its cell held when it began. */
export interface Run {
  readonly name: JobName;
  readonly speaker: Speaker;
  readonly limits: JobBreakerLimits;
  /** Undefined when it was not due and somebody asked for it. */
  readonly value: string | undefined;
  readonly marked: Dirty;
}

/** All of it is stored at once, on what is there then; throws when that cannot be done. */
function commit<T>(store: Store, now: () => number, change: (draft: Draft) => T): T {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
    const draft = new Draft(store, now());
    const result = change(draft);
    const { reads, changes } = draft;
    if (changes.length === 0 || store.commit({ reads, changes, now: draft.now })) return result;
  }
  throw new Error('other processes kept writing');
}

/** Marks a job as due; false where it is already. */
export function commitMark(
  { root, pack, subject, kind }: JobName,
  who: Dirty['told'][number] | undefined,
  store: Store,
  now: () => number,
): boolean {
  return commit(store, now, (draft) => {
    const id = dirtyId(root, pack, jobKey(subject, kind));
    if (readDirty(draft.read(id))) return false;
    markDirty(draft, id, who);
    return true;
  });
}

/** What is due after a run: the job itself if it was marked meanwhile, and what it marked. */
export function commitDone(run: Run, result: JobResult, store: Store, now: () => number): JobName[] {
  const { name, speaker, marked, limits } = run;
  const { root, pack, subject } = name;
  return commit(store, now, (draft) => {
    const id = breakerId(root, pack, name.kind);
    const known = draft.read(id);
    const after = afterSuccess(readBreaker(known), draft.now, limits);
    if (after) draft.set(id, JSON.stringify(after), 0);
    else if (known !== undefined) draft.delete(id);
    const due: JobName[] = clearMarks(run, draft) ? [] : [name];
    for (const mark of result.marks ?? []) {
      const next = { root, pack, subject: mark.subject ?? subject, kind: mark.kind };
      for (const who of marked.told.length > 0 ? marked.told : [undefined])
        markDirty(draft, dirtyId(root, pack, jobKey(next.subject, next.kind)), who);
      due.push(next);
    }
    tellOf(result, name, marked.told, speaker, draft);
    return due;
  });
}

/** Takes the marks that this run has answered; false when there are others. */
function clearMarks({ name, value, marked }: Run, draft: Draft): boolean {
  const id = dirtyId(name.root, name.pack, jobKey(name.subject, name.kind));
  const found = draft.read(id);
  const rest = readDirty(found);
  if (found === value || !rest) {
    if (found !== undefined) draft.delete(id);
    return true;
  }
  const marks = Math.max(1, rest.marks - (value === undefined ? 0 : marked.marks));
  draft.set(id, JSON.stringify({ ...rest, first: rest.last, marks }), 0);
  return false;
}

/**
 * The marks stay. True when the person has to know: this failure opened the breaker of a kind that was trusted until now, or
 * one job fails on and on, too seldom for that.
 */
export function commitFailed(
  run: Run,
  message: string,
  store: Store,
  now: () => number,
): 'breaker-opened' | 'keeps-failing' | undefined {
  const { name, speaker, limits, marked } = run;
  return commit(store, now, (draft) => {
    const id = breakerId(name.root, name.pack, name.kind);
    const before = readBreaker(draft.read(id));
    const after = afterFailure(before, message, draft.now, limits);
    draft.set(id, JSON.stringify(after), 0);
    const failed = countFailure(run, draft);
    // An open breaker has been told of.
    if (isOnTrial(before)) return undefined;
    if (after.state === 'open') {
      warnOf(openedText(run, message), 'breaker-opened', marked.told, speaker, draft);
      return 'breaker-opened';
    }
    if (failed < limits.failures) return undefined;
    // The work is the same until it is done.
    const told = { text: failingText(run, message), variant: 'keeps-failing', matter: String(marked.first) };
    warnOnce(told, name, marked.told, speaker, draft);
    return failed === limits.failures ? 'keeps-failing' : undefined;
  });
}

/** Zero when it was not due: who asked for such a run hears of its end. */
function countFailure({ name, value }: Run, draft: Draft): number {
  const id = dirtyId(name.root, name.pack, jobKey(name.subject, name.kind));
  const due = value === undefined ? undefined : readDirty(draft.read(id));
  if (!due) return 0;
  const failed = (due.failed ?? 0) + 1;
  draft.set(id, JSON.stringify({ ...due, failed }), 0);
  return failed;
}

function failingText({ name }: Run, message: string): string {
  return `The job ${name.kind} of ${name.pack} keeps failing for ${name.subject} (${message}). It is tried again every now and then; \`fairlead doctor\` has the details.`;
}

function openedText({ name, limits }: Run, message: string): string {
  const seconds = Math.round(limits.recoveryMs / 1_000);
  return `The job ${name.kind} of ${name.pack} failed repeatedly (${message}). It is tried again in ${seconds} s, and no work is lost; \`fairlead doctor\` has the details.`;
}
