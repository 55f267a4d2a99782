import type { Files } from '../platform/files.ts';
import { basename, dirname, join } from '../platform/paths.ts';

/** Where a directory is, or will be once it is made; undefined where a link on the way leads nowhere. */
export function realDir(files: Pick<Files, 'lstat' | 'realpath'>, dir: string): string | undefined {
  const missing: string[] = [];
  let at = dir;
  while (!files.lstat(at) && at !== dirname(at)) {
    missing.unshift(basename(at));
    at = dirname(at);
  }
  const real = files.realpath(at);
  return real === undefined ? undefined : join(real, ...missing);
}
