import { isDamage } from '../../platform/database.ts';
import type { Files } from '../../platform/files.ts';
import { tryLock } from '../../platform/lock.ts';
import type { Lock } from '../../platform/lock.ts';
import { isAlive } from '../../platform/processes.ts';
import type { GraphPaths } from './graph-paths.ts';

export interface Holder {
  readonly pid: number;
  /** Milliseconds since the epoch. */
  readonly since: number;
}

export interface Lease {
  /** False once its file is gone or replaced: then this process must not write any more. */
  holds(): boolean;
  release(): void;
}

type HolderFiles = Pick<Files, 'readText' | 'writeAtomic' | 'remove' | 'makeDir'>;

/** The right to write the graph of one root. The system takes it back when the process ends, however it ends. */
export function takeLease(files: HolderFiles, location: GraphPaths, self: Holder): Lease | undefined {
  files.makeDir(location.dir, 0o700);
  const lock = lockOn(files, location.lease);
  if (lock === undefined) return undefined;
  try {
    files.writeAtomic(location.holder, `${JSON.stringify(self)}\n`, 0o600);
  } catch {
    // On a full disk nobody is told who holds it; it is held all the same.
  }
  return {
    holds: lock.holds,
    release() {
      if (lock.holds()) files.remove(location.holder);
      lock.release();
    },
  };
}

/** Nobody can hold what something else was written into, and it has no content to lose. */
function lockOn(files: HolderFiles, path: string): Lock | undefined {
  try {
    return tryLock(path);
  } catch (error) {
    if (!isDamage(error)) throw error;
    files.remove(path);
    return tryLock(path);
  }
}

/**
 * Who writes there at present, as far as that process said. What a killed one left behind may name a process that has its
 * number now, so that only what is really held counts.
 */
export function holderOf(files: Pick<Files, 'readText'>, location: GraphPaths): Holder | undefined {
  try {
    const { pid, since } = JSON.parse(files.readText(location.holder) ?? '') as Holder;
    return isAlive(pid) && isHeld(location) ? { pid, since } : undefined;
  } catch {
    return undefined;
  }
}

function isHeld({ lease }: GraphPaths): boolean {
  try {
    const free = tryLock(lease);
    free?.release();
    return free === undefined;
  } catch (error) {
    // Where it cannot be tried, as in a directory that is read-only, the one who said so is believed.
    return !isDamage(error);
  }
}
