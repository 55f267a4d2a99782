import { basename, dirname, join, resolve } from '../../platform/paths.ts';
import type { SetupFiles } from '../adapter.ts';

/** A path or the name of a commit needs no more. */
const MAX_BYTES = 8 << 10;

/**
 * The directory under which client 2.1.325 keeps what is one person's in one project: the top of the repository, for a
 * linked work tree the main one, elsewhere the directory of the session itself. `dir` must be canonical.
 */
export function projectKey(dir: string, files: SetupFiles): string {
  const read = (...path: string[]): string | undefined => files.readText(join(...path), MAX_BYTES)?.trim();
  for (let top = dir; ; top = dirname(top)) {
    const link = /^gitdir: (.+)$/.exec(read(top, '.git') ?? '')?.[1];
    if (link !== undefined) return mainOf(resolve(top, link)) ?? top;
    if (read(top, '.git', 'HEAD') !== undefined) return top;
    if (dirname(top) === top) return dir;

    function mainOf(gitDir: string): string | undefined {
      const [shared, back] = [read(gitDir, 'commondir'), read(gitDir, 'gitdir')];
      // Anybody can write a file that names a repository; only the repository can name the tree.
      if (!shared || !back || resolve(gitDir, back) !== join(top, '.git')) return undefined;
      const common = resolve(gitDir, shared);
      return basename(common) === '.git' ? dirname(common) : common;
    }
  }
}
