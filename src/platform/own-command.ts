import { join } from 'node:path';

/** How the command line of this build is started: it lies beside what runs here. */
export function ownCommand(): readonly string[] {
  return [process.execPath, join(import.meta.dirname, 'cli.js')];
}
