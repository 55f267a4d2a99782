import { setTimeout as sleep } from 'node:timers/promises';

/** For what ends by itself, however loaded the machine is. */
export const PATIENCE_MS = 60_000;

/** Asks again and again; fails when nothing came of it. */
export async function until<T>(
  what: string,
  look: () => T | undefined | false | Promise<T | undefined | false>,
  ms = PATIENCE_MS,
): Promise<T> {
  for (const end = Date.now() + ms; ;) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    if (Date.now() > end) throw new Error(`not within ${ms} ms: ${what}`);
    await sleep(10);
  }
}
