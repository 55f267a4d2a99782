import { nodeFiles } from '../platform/files.ts';
import { tryLock } from '../platform/lock.ts';
import type { Lock } from '../platform/lock.ts';
import { join } from '../platform/paths.ts';
import { pause } from '../platform/timers.ts';
import { CommandError } from './command.ts';
import type { CliWorld } from './command.ts';

const LOOK_AGAIN_MS = 20;

export interface Patience {
  readonly waitMs: number;
  /** Said when that is over. */
  readonly tooLong: string;
  /** Told once to whoever waits longer than a moment. */
  readonly waiting?: string;
  /** Where no lock can be made, as in a directory that is read-only, the work is done all the same. */
  readonly mustRun?: true;
}

const MOMENT_MS = 1_000;

/** Runs alone among the commands that take the same name, whichever process they run in. */
export async function alone<T>(
  { paths, err }: Pick<CliWorld, 'paths' | 'err'>,
  name: string,
  { waitMs, tooLong, waiting, mustRun }: Patience,
  work: () => T | Promise<T>,
): Promise<T> {
  const began = performance.now();
  let isTold = waiting === undefined;
  for (;;) {
    const lock = lockFor(join(paths.state, 'locks'), `${name}.lock`, mustRun === true);
    if (lock) return holding(lock, work);
    const waited = performance.now() - began;
    if (waited > waitMs) throw new CommandError(tooLong);
    if (!isTold && waited > MOMENT_MS) {
      err(`${waiting}\n`);
      isTold = true;
    }
    // Not all at the same moment again.
    await pause(LOOK_AGAIN_MS * (0.5 + Math.random()));
  }
}

function lockFor(dir: string, name: string, mustRun: boolean): Pick<Lock, 'release'> | undefined {
  try {
    nodeFiles.makeDir(dir, 0o700);
    return tryLock(join(dir, name));
  } catch (error) {
    if (!mustRun) throw error;
    return { release: () => {} };
  }
}

async function holding<T>(lock: Pick<Lock, 'release'>, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } finally {
    lock.release();
  }
}
