import { accessSync, chmodSync, constants, lstatSync } from 'node:fs';
import { makeDir } from './files.ts';

/** Makes a directory that only its owner can enter; false when it is not ours, a link, or cannot be written. */
export function makePrivate(dir: string): boolean {
  try {
    makeDir(dir, 0o700);
    if (!isPrivate(dir)) return false;
    accessSync(dir, constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Whether what lies in it can only be ours. */
export function isOurs(dir: string): boolean {
  const found = lstatSync(dir, { throwIfNoEntry: false });
  return found !== undefined && found.isDirectory() && found.uid === userId() && (found.mode & 0o077) === 0;
}

/** A directory of ours with wider rights was made by hand or by an old umask: it is narrowed. One of somebody else is not used. */
function isPrivate(dir: string): boolean {
  const found = lstatSync(dir);
  if (!found.isDirectory() || found.uid !== userId()) return false;
  if ((found.mode & 0o077) !== 0) chmodSync(dir, 0o700);
  return true;
}

/** Systems without user numbers keep directories of a person apart by themselves. */
export function userId(): number {
  return process.getuid?.() ?? 0;
}
