import { isMade } from '../effects/paths/made.ts';
import { repositoryAt } from '../git/repository.ts';
import type { Files } from '../platform/files.ts';
import { join } from '../platform/paths.ts';
import { createPace } from './world.ts';

/** The files at a path and below that no repository has; what a build made is left out. */
export async function countUnversioned(
  files: Files,
  start: string,
): Promise<{ readonly found: readonly string[]; readonly nested: readonly string[] }> {
  const found: string[] = [];
  const nested: string[] = [];
  const pace = createPace();
  const see = async (path: string, below: readonly string[]): Promise<void> => {
    await pace.step(below.length);
    const kind = files.lstat(path)?.kind;
    if (kind === undefined || (below.length > 0 && isMade(below))) return;
    if (kind !== 'dir') return void found.push(path);
    // What only has the name holds no files that another look would find.
    if (repositoryAt(files, join(path, '.git'), path)) return void nested.push(path);
    for (const name of files.list(path, pace.left + 1)) await see(join(path, name), [...below, name]);
  };
  await see(start, []);
  return { found, nested };
}
