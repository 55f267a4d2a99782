import type { GraphSettings } from '../../engine/settings.ts';
import type { IndexRequest } from '../indexer/request.ts';
import { choiceBy } from '../settings.ts';
import type { Attempts } from './attempts.ts';
import type { DrawingQueue } from './drawing-queue.ts';
import type { GraphsOptions } from './graphs-options.ts';
import { forgetDue, packagesTouched } from './tracked-root.ts';
import type { TrackedRoot } from './tracked-root.ts';
import type { TrackedRoots } from './tracked-roots.ts';

/** Makes the index of a root, and keeps it current. */
export interface Upkeep {
  /** After the replies at hand, or so much later. */
  schedule(root: string, entry: TrackedRoot, ms: number): void;
}

export function createUpkeep(
  options: GraphsOptions,
  roots: TrackedRoots,
  attempts: Attempts,
  drawings: DrawingQueue,
): Upkeep {
  async function attend(root: string, entry: TrackedRoot): Promise<void> {
    if (roots.isClosed || entry.busy || options.isOff(options.now())) return;
    // Who worked in a root that is gone is found elsewhere.
    for (const [other, each] of roots.all()) if (!each.busy && !options.isThere(other)) lose(other, each);
    if (!options.isThere(root)) return lose(root, entry);
    roots.reopen(root, entry);
    await index(root, entry);
    if (roots.isClosed) return;
    if (entry.due) return attend(root, entry);
    // Where nothing can be read and nobody wants an index, or it is not time to make one, an edit makes none.
    if (entry.stamp === undefined || (entry.settings && !entry.reader)) return forgetDue(entry);
    noticeChanges(entry);
    const { sweepDue, gathers } = entry;
    const touched = packagesTouched(entry, (path) => options.packageOf(root, path, entry.settings?.walk));
    const sweeps = (sweepDue && !gathers) || touched.length > 0;
    if (sweeps || entry.edited.size > 0) {
      if (await update(root, entry, sweeps, touched)) await attend(root, entry);
      return;
    }
    drawings.go();
  }

  /** Makes the index where there is none that can be used, and it is time to. */
  async function index(root: string, entry: TrackedRoot): Promise<void> {
    const { due, settings } = entry;
    entry.due = undefined;
    if (due === undefined || settings === undefined || (entry.reader && entry.madeUnder === settings)) return;
    const attempt = attempts.consider(root, { ...due, settings, hasIndex: entry.reader !== undefined });
    if (attempt === 'later') return;
    entry.madeUnder = settings;
    if (attempt === undefined) return;
    entry.busy = true;
    // All of it is read now.
    forgetDue(entry);
    const isMade = await attempt;
    entry.busy = false;
    roots.reopen(root, entry);
    if (isMade) drawings.want({ root, what: 'architecture', ...textOnly(settings) });
  }

  /** False when another process writes there: then what is open stays as it is for now. */
  async function update(
    root: string,
    entry: TrackedRoot,
    sweeps: boolean,
    touched: readonly string[],
  ): Promise<boolean> {
    const paths = [...entry.edited];
    const used = [...entry.touched];
    entry.busy = true;
    entry.reading = new Set(paths);
    entry.edited.clear();
    if (sweeps) entry.sweepDue = false;
    const sweep: IndexRequest = touched.length > 0 ? { do: 'sweep', root, touched } : { do: 'sweep', root };
    const task: IndexRequest = sweeps ? sweep : { do: 'refresh', root, paths };
    try {
      await options.ask({ ...task, ...choiceBy(entry.settings) });
      for (const path of used) entry.touched.delete(path);
      // A file beyond the cap changes this and nothing else.
      entry.scope = options.readScope(root);
      return true;
    } catch (error) {
      // What was asked for is still due; the next event tries again.
      entry.sweepDue = true;
      if (roots.isClosed || !options.isHeld(root)) throw error;
      return false;
    } finally {
      entry.busy = false;
      entry.reading = new Set();
      roots.reopen(root, entry);
      entry.waiters.release((path) => !entry.edited.has(path));
    }
  }

  function lose(root: string, entry: TrackedRoot): void {
    roots.closeGraph(entry);
    forgetDue(entry);
    entry.madeUnder = undefined;
    if (entry.settings) attempts.vanished(root);
  }

  /** Files that were changed by somebody whom no event tells of, and that an agent has looked at. */
  function noticeChanges(entry: TrackedRoot): void {
    const { reader, read, edited, settings, scope } = entry;
    const isDue = (path: string) =>
      reader !== undefined && options.isChanged(reader, path, scope === undefined, settings?.walk);
    for (const path of read) if (isDue(path)) edited.add(path);
    read.clear();
  }

  function schedule(root: string, entry: TrackedRoot, ms: number): void {
    const work = () => {
      if (ms > 0) entry.gathers = false;
      else entry.scheduled = false;
      attend(root, entry).catch((error: unknown) => {
        // What an engine that ends leaves undone, the next one finds by comparing files.
        if (!roots.isClosed) options.onFailure('keeping the code graph current', error);
      });
    };
    if (ms > 0) return options.soon(ms, work);
    if (entry.scheduled) return undefined;
    entry.scheduled = true;
    return options.afterReply(work);
  }

  return { schedule };
}

export function textOnly({ pictures }: GraphSettings): { isTextOnly?: true } {
  return pictures === 'auto' ? {} : { isTextOnly: true };
}
