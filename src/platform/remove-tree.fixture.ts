import { rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const TRIES = 100;

/** A process that has just been told to end may still write into the directory. Node's own retries do not look for new files. */
export async function removeTree(...paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    for (let tried = 1; ; tried++) {
      try {
        rmSync(path, { recursive: true, force: true });
        break;
      } catch (error) {
        if (tried === TRIES || (error as NodeJS.ErrnoException).code !== 'ENOTEMPTY') throw error;
        await sleep(50);
      }
    }
  }
}
