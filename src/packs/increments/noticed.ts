import { incrementIds, readIncrement } from './increments.ts';
import type { ReadableFiles } from './increments.ts';
import { incrementFile, statusFilePath, WATCHED } from './layout.ts';
import type { WatchedFile } from './layout.ts';
import type { IncrementOptions } from './options.ts';

/** What this process knows of the increments below one root. */
interface Noticed {
  /** When each watched file had changed when a job or the first look read it; 0 for one that was not there. */
  readonly times: Map<string, number>;
  /** Whether an increment was active, and when its metadata.json had changed. */
  readonly standing: Map<string, { readonly changedAt: number; readonly active: boolean }>;
}

/** Kept in memory alone: a process that starts anew compares with the status line, which the jobs write. */
const roots = new Map<string, Noticed>();
const MOST_ROOTS = 64;

const heard = new Set<string>();

/** Whether this is the first that the process hears of increments there. */
export function isFirstHeard(root: string): boolean {
  if (heard.has(root)) return false;
  if (heard.size >= MOST_ROOTS) heard.clear();
  heard.add(root);
  return true;
}

/** Takes these times as known: a job has read the files since. */
export function notice(root: string, times: ReadonlyMap<string, number>): void {
  const known = roots.get(root);
  for (const [path, time] of times) known?.times.set(path, time);
}

export function timeOf(files: Pick<ReadableFiles, 'stat'>, path: string): number {
  return files.stat(path)?.mtimeMs ?? 0;
}

interface Changed {
  readonly increment: string;
  readonly file: WatchedFile;
  /** It was active and is not any more. */
  readonly isClosed?: true;
}

/** At the first look of a process, what changed since counts: another one may have synced something else after it. */
const RECENT_MS = 3_600_000;

/** The watched files of active increments that changed and that no job has read since; those that ceased to be active too. */
export function unnoticed(
  root: string,
  files: ReadableFiles,
  { activeStatuses, scan }: Pick<IncrementOptions, 'activeStatuses' | 'scan'>,
  now: number,
): readonly Changed[] {
  const before = roots.get(root);
  const since = before ? 0 : Math.min(now - RECENT_MS, timeOf(files, statusFilePath(root)) || now);
  const { times, standing } = before ?? newRoot(root);
  const found: Changed[] = [];
  const ids = incrementIds(files, root).toReversed();
  let looked = 0;
  for (const increment of ids) {
    if (looked === scan.maxIncrements) break;
    const changedAt = timeOf(files, incrementFile(root, increment, 'metadata.json'));
    const known = standing.get(increment);
    const active =
      known?.changedAt === changedAt && changedAt > 0
        ? known.active
        : readIncrement(files, root, increment, activeStatuses).active;
    standing.set(increment, { changedAt, active });
    if (active) looked += 1;
    const isBack = active && known?.active === false;
    if (!active && known?.active === true) found.push({ increment, file: 'metadata.json', isClosed: true });
    for (const file of active ? WATCHED : []) {
      const path = incrementFile(root, increment, file);
      const time = file === 'metadata.json' ? changedAt : timeOf(files, path);
      const last = times.get(path);
      // An increment that is seen for the first time is new, unless all of them are.
      const isNew = last === undefined ? time > since : last !== time;
      // What happened to one that rested is not made up for.
      const counts = isNew && (!isBack || file === 'metadata.json');
      if (counts) found.push({ increment, file });
      else times.set(path, time);
    }
  }
  for (const [increment, { active }] of standing)
    if (!ids.includes(increment)) {
      standing.delete(increment);
      if (active) found.push({ increment, file: 'metadata.json' });
    }
  return found;
}

function newRoot(root: string): Noticed {
  if (roots.size >= MOST_ROOTS) roots.clear();
  const made: Noticed = { times: new Map(), standing: new Map() };
  roots.set(root, made);
  return made;
}
