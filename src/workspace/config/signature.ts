import type { Files } from '../../platform/files.ts';

/** What a path looked like when it was read. Whatever changes a file changes at least its ctime or its inode. */
export interface Signature {
  readonly path: string;
  /** The path itself rather than what it links to. */
  readonly link?: true;
  /** Size, mtime, ctime and inode; absent when nothing was there. */
  readonly seen?: readonly [number, number, number, number];
}

/** A change within one tick of the file system's clock leaves no other trace, so younger files are looked at again. */
const TICK_MS = 100;

export function sign(path: string, files: Files, link?: true): Signature {
  const stat = link ? files.lstat(path) : files.stat(path);
  return {
    path,
    ...(link ? { link } : {}),
    ...(stat ? { seen: [stat.size, stat.mtimeMs, stat.ctimeMs, stat.ino] as const } : {}),
  };
}

export function isUnchanged({ path, link, seen }: Signature, files: Files): boolean {
  const stat = link ? files.lstat(path) : files.stat(path);
  if (stat === undefined || seen === undefined) return stat === undefined && seen === undefined;
  return stat.size === seen[0] && stat.mtimeMs === seen[1] && stat.ctimeMs === seen[2] && stat.ino === seen[3];
}

/** Whether every file was old enough, when it was read, for a later change to show. */
export function isSettled(signatures: readonly Signature[], now: number): boolean {
  return signatures.every(({ seen }) => seen === undefined || Math.abs(now - seen[2]) > TICK_MS);
}
