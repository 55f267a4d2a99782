import type { Files } from '../platform/files.ts';
import { dirname, join, resolve } from '../platform/paths.ts';

const MAX_BYTES = 4 * 1024;

/**
 * A text that changes with every commit and switch of branch in the repository that holds a directory, from a few small
 * files; undefined where there is no repository.
 */
export function headOf(files: Files, dir: string): string | undefined {
  const gitDir = gitDirOf(files, dir);
  if (gitDir === undefined) return undefined;
  const read = (path: string) => files.readText(path, MAX_BYTES)?.trim();
  const head = read(join(gitDir, 'HEAD')) ?? '';
  const ref = /^ref: (refs\/.+)$/.exec(head)?.[1];
  if (ref === undefined) return head;
  const shared = resolve(gitDir, read(join(gitDir, 'commondir')) ?? '.');
  const loose = read(join(shared, ref));
  if (loose !== undefined) return `${ref} ${loose}`;
  // Many refs in one file: any change of it counts.
  const all = [join(shared, 'packed-refs'), join(shared, 'reftable', 'tables.list')].map((path) => files.stat(path));
  return [ref, ...all.map((found) => `${found?.mtimeMs}:${found?.size}:${found?.ino}`)].join(' ');
}

function gitDirOf(files: Files, dir: string): string | undefined {
  const entry = join(dir, '.git');
  const kind = files.stat(entry)?.kind;
  if (kind === 'dir') return entry;
  const named = kind === 'file' ? /^gitdir: (.+?)\s*$/.exec(files.readText(entry, MAX_BYTES) ?? '')?.[1] : undefined;
  if (named !== undefined) return resolve(dir, named);
  const above = dirname(dir);
  return above === dir ? undefined : gitDirOf(files, above);
}
