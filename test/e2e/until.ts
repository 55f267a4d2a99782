import { setTimeout as sleep } from 'node:timers/promises';

/** For what happens in another process a moment later; on a loaded machine that may be a long one. */
export async function until<T>(look: () => T | undefined | false, ms = 120_000): Promise<T | undefined> {
  const end = Date.now() + ms;
  // Many looks start a program, so they come less often the longer it takes.
  for (let pause = 20; ; pause = Math.min(pause * 1.5, 250)) {
    const found = look();
    if (found !== undefined && found !== false) return found;
    if (Date.now() > end) return undefined;
    await sleep(pause);
  }
}
