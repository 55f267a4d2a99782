import { setTimeout as sleep } from 'node:timers/promises';

/** Against a hang alone: however loaded the machine is, nothing that goes on takes as long. */
export const TEST_LIMIT_MS = 600_000;
/** For what ends by itself; a wait says what it waited for before its test is given up. */
export const PATIENCE_MS = TEST_LIMIT_MS / 2;

/** A look may read what the machine knows of every process: the longer nothing came of it, the less often it is worth that. */
const pauseAfter = (waitedMs: number): number => Math.min(100, 10 + waitedMs / 20);

/** Asks again and again; fails when nothing came of it. */
export async function until<T>(
  what: string,
  look: () => T | undefined | false | Promise<T | undefined | false>,
): Promise<T> {
  for (const begun = Date.now(); ;) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    const waited = Date.now() - begun;
    if (waited > PATIENCE_MS) throw new Error(`not within ${PATIENCE_MS / 1_000} s: ${what}`);
    await sleep(pauseAfter(waited));
  }
}
