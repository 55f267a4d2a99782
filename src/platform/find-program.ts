import { accessSync, constants, statSync } from 'node:fs';
import { isAbsolute, join } from './paths.ts';
import type { Environment } from './paths.ts';

export function findOnPath(name: string, env: Environment): string | undefined {
  const windows = process.platform === 'win32';
  const names = windows ? [`${name}.exe`, `${name}.cmd`] : [name];
  const dirs = (env['PATH'] ?? '').split(windows ? ';' : ':').filter((dir) => isAbsolute(dir));
  return dirs.flatMap((dir) => names.map((each) => join(dir, each))).find(isProgram);
}

/** How long an answer about a program counts. */
const KNOWN_MS = 60_000;
const MAX_KNOWN = 500;

/** Whether a program of a name is on a search path, looked up at most once a minute. A name with a slash is no name. */
export function createProgramLookup(now: () => number): (name: string, path: string | undefined) => boolean {
  const known = new Map<string, { readonly has: boolean; readonly until: number }>();
  return (name, path) => {
    const key = `${name}\n${path}`;
    const before = known.get(key);
    if (before !== undefined && before.until > now()) return before.has;
    const has = /^[^\\/\0]+$/.test(name) && findOnPath(name, { PATH: path }) !== undefined;
    if (known.size >= MAX_KNOWN) known.clear();
    known.set(key, { has, until: now() + KNOWN_MS });
    return has;
  };
}

/** A directory may be entered and is no program for it. */
function isProgram(path: string): boolean {
  return isExecutable(path) && statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

export function isExecutable(path: string): boolean {
  return isAllowed(path, constants.X_OK);
}

export function isWritableDir(path: string): boolean {
  return isAllowed(path, constants.W_OK | constants.X_OK);
}

function isAllowed(path: string, mode: number): boolean {
  try {
    accessSync(path, mode);
    return true;
  } catch {
    return false;
  }
}
