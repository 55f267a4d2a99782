import type { RuleGraph } from '../../engine/rule.ts';
import type { Considered } from './attempts.ts';
import type { GraphReader } from '../query/graph-reader.ts';
import type { Scope } from '../store/scope.ts';
import type { GraphSettings } from '../../engine/settings.ts';

/** Who waits for a file to be read again, each for so long and no longer. */
interface Waiters {
  wait(path: string, ms: number): Promise<void>;
  /** Those whose file there is nothing to wait for any more go on. */
  release(isDone: (path: string) => boolean): void;
}

function createWaiters(soon: (ms: number, work: () => void) => void): Waiters {
  const waiting = new Map<() => void, string>();
  return {
    wait: (path, ms) =>
      new Promise((resolve) => {
        const go = () => {
          waiting.delete(go);
          resolve();
        };
        waiting.set(go, path);
        soon(ms, go);
      }),
    release(isDone) {
      for (const [go, path] of waiting) if (isDone(path)) go();
    },
  };
}

/** The graph of a root that sessions work in, and what is to be done about it. */
export interface TrackedRoot {
  reader?: GraphReader | undefined;
  graph?: RuleGraph | undefined;
  stamp?: string | undefined;
  /** Absolute paths that were edited and not yet asked about, that are being read again, and that an agent has read. */
  readonly edited: Set<string>;
  reading: ReadonlySet<string>;
  readonly read: Set<string>;
  readonly waiters: Waiters;
  /** Absent where all files are indexed, and where nothing is open. */
  scope?: Scope | undefined;
  /** Absolute paths of files that sessions work with, whose packages may have to come first. */
  readonly touched: Set<string>;
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

export function newTrackedRoot(soon: (ms: number, work: () => void) => void): TrackedRoot {
  return {
    edited: new Set(),
    reading: new Set(),
    read: new Set(),
    touched: new Set(),
    waiters: createWaiters(soon),
    sweepDue: false,
    gathers: false,
    busy: false,
    scheduled: false,
  };
}

/** Nothing of it is to be done any more. */
export function forgetDue(entry: TrackedRoot): void {
  entry.edited.clear();
  entry.read.clear();
  entry.sweepDue = false;
  entry.waiters.release(() => true);
}

export function isBehind({ edited, sweepDue, busy }: TrackedRoot): boolean {
  return edited.size > 0 || sweepDue || busy;
}

/** The packages that sessions work in and that do not come first yet; none where all files are indexed. */
export function packagesTouched(
  { scope, touched }: TrackedRoot,
  packageOf: (path: string) => string | undefined,
): readonly string[] {
  const packages = new Set<string>();
  for (const path of touched) {
    const found = scope && packageOf(path);
    if (found === undefined || scope?.touched.includes(found)) touched.delete(path);
    else packages.add(found);
  }
  return [...packages];
}
