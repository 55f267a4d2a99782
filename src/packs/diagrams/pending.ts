import type { RecordCell } from '../../engine/rule.ts';

/** What is to be done once a tool call has ended. */
export interface Pending {
  readonly at: number;
  /** Drawings without a source that were let through. */
  readonly exempt?: readonly Drawn[];
  /** Drawings to speak of when they are there, because the mode only advises. */
  readonly advice?: readonly (Drawn & { readonly lines: string; readonly boxes: number })[];
  /** Markdown files that a command writes with text of its own making, as they were before. */
  readonly look?: readonly { readonly path: string; readonly mtimeMs: number; readonly size: number }[];
}

/** Drawings of one file by their fingerprints. */
export interface Drawn {
  readonly path: string;
  /** What the file is remembered under. */
  readonly key: string;
  readonly drawings: readonly string[];
}

/** Calls that never ended make room for new ones, and are not waited for without end. */
const MOST_CALLS = 32;
const LONGEST_MS = 3_600_000;

type Cell = RecordCell<Readonly<Record<string, Pending>>>;

export function waitFor(cell: Cell, id: string, pending: Pending): void {
  const calls = Object.entries(cell.get() ?? {}).filter(
    ([call, { at }]) => call !== id && pending.at - at < LONGEST_MS,
  );
  cell.set(Object.fromEntries([...calls.slice(1 - MOST_CALLS), [id, pending]]));
}

/** The call has ended; with the last one the cell goes too. */
export function take(cell: Cell, id: string): Pending | undefined {
  const { [id]: pending, ...others } = cell.get() ?? {};
  if (!pending) return undefined;
  if (Object.keys(others).length === 0) cell.clear();
  else cell.set(others);
  return pending;
}

/** Forgets calls whose end nobody has heard of. */
export function dropOld(cell: Cell, now: number): void {
  const calls = Object.entries(cell.get() ?? {});
  const waiting = calls.filter(([, { at }]) => now - at < LONGEST_MS);
  if (waiting.length === 0) cell.clear();
  else if (waiting.length < calls.length) cell.set(Object.fromEntries(waiting));
}
