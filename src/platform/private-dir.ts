import { accessSync, chmodSync, closeSync, constants, lstatSync, openSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
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

const OTHERS = 0o077;
/** Anybody may make files there, so it is nobody's own whoever owns it. */
const STICKY = 0o1000;

/**
 * Before SQLite opens a file of ours: makes it, and narrows it, its directory, and what lies beside it under these endings to
 * their owner. What cannot be narrowed stays as it is; `doctor` names it.
 */
export function keepPrivate(path: string, endings: readonly string[] = []): void {
  narrow(dirname(path));
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch {
    // It is there already, or whoever opens it will say what is in the way.
  }
  for (const ending of ['', ...endings]) narrow(path + ending);
}

/** True when nobody but the owner has a right to it now. */
export function narrow(path: string): boolean {
  try {
    const { mode, uid } = statSync(path);
    if ((mode & STICKY) !== 0 || uid !== userId()) return false;
    if ((mode & OTHERS) !== 0) chmodSync(path, mode & 0o700);
    return true;
  } catch {
    return false;
  }
}

/** Paths in a directory of ours, itself included, that others have a right to; at most `most` entries are looked at. */
export function openToOthers(dir: string, most = 20_000): readonly string[] {
  if (process.platform === 'win32') return [];
  const found: string[] = [];
  const waiting = [dir];
  let seen = 0;
  for (let path = waiting.pop(); path !== undefined && seen < most; path = waiting.pop()) {
    seen += 1;
    const stat = lstatSync(path, { throwIfNoEntry: false });
    // A link has no rights of its own.
    if (stat === undefined || stat.isSymbolicLink()) continue;
    if ((stat.mode & OTHERS) !== 0 || stat.uid !== userId()) found.push(path);
    if (stat.isDirectory()) waiting.push(...namesIn(path));
  }
  return found.sort();
}

function namesIn(dir: string): string[] {
  try {
    return readdirSync(dir).map((name) => join(dir, name));
  } catch {
    return [];
  }
}

/** Systems without user numbers keep directories of a person apart by themselves. */
export function userId(): number {
  return process.getuid?.() ?? 0;
}
