import { setTimeout as sleep } from 'node:timers/promises';

/** For what happens in another process a moment later. */
export async function until<T>(look: () => T | undefined | false, ms = 5_000): Promise<T | undefined> {
  const end = Date.now() + ms;
  for (;;) {
    const found = look();
    if (found !== undefined && found !== false) return found;
    if (Date.now() > end) return undefined;
    await sleep(25);
  }
}
