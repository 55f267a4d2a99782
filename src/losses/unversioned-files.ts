import { isMade } from '../effects/paths/made.ts';
import type { Files } from '../platform/files.ts';
import { join } from '../platform/paths.ts';
import { MOST_FILES, Unseen, WHY } from './world.ts';

/** The files at a path and below that no repository has; what a build made is left out. */
export function countUnversioned(
  files: Files,
  start: string,
): { readonly found: readonly string[]; readonly nested: readonly string[] } {
  const found: string[] = [];
  const nested: string[] = [];
  let left = 2 * MOST_FILES;
  const see = (path: string, below: readonly string[]): void => {
    if ((left -= 1) < 0) throw new Unseen(WHY.tooMuch);
    const kind = files.lstat(path)?.kind;
    if (kind === undefined || (below.length > 0 && isMade(below))) return;
    if (kind !== 'dir') return void found.push(path);
    if (files.exists(join(path, '.git'))) return void nested.push(path);
    for (const name of files.list(path, left + 1)) see(join(path, name), [...below, name]);
  };
  see(start, []);
  return { found, nested };
}
