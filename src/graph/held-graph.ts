import type { KnownGraph } from '../engine/rule.ts';
import type { Considered } from './attempts.ts';
import type { GraphReader } from './query/graph-reader.ts';
import type { GraphSettings } from './settings.ts';
import { createWaiters } from './waiters.ts';
import type { Waiters } from './waiters.ts';

/** The graph of a root that sessions work in, and what is to be done about it. */
export interface HeldGraph {
  reader?: GraphReader | undefined;
  known?: KnownGraph | undefined;
  stamp?: string | undefined;
  /** Absolute paths that were edited and not yet asked about, that are being read again, and that an agent has read. */
  readonly edited: Set<string>;
  reading: ReadonlySet<string>;
  readonly read: Set<string>;
  readonly waiters: Waiters;
  sweepDue: boolean;
  /** More commands may follow the ones whose changes are to be looked for. */
  gathers: boolean;
  /** Work was asked for and is not done: what is open may be behind. */
  busy: boolean;
  scheduled: boolean;
  /** Absent where nobody wants an index. */
  settings?: GraphSettings | undefined;
  /** Those that what is open is known to be made under. */
  madeUnder?: GraphSettings | undefined;
  due?: Pick<Considered, 'occasion' | 'reason'> | undefined;
}

export function holdNew(soon: (ms: number, work: () => void) => void): HeldGraph {
  return {
    edited: new Set(),
    reading: new Set(),
    read: new Set(),
    waiters: createWaiters(soon),
    sweepDue: false,
    gathers: false,
    busy: false,
    scheduled: false,
  };
}

/** Nothing of it is to be done any more. */
export function forgetDue(entry: HeldGraph): void {
  entry.edited.clear();
  entry.read.clear();
  entry.sweepDue = false;
  entry.waiters.release(() => true);
}

export function isBehind({ edited, sweepDue, busy }: HeldGraph): boolean {
  return edited.size > 0 || sweepDue || busy;
}
