import { accessSync, constants } from 'node:fs';
import { isAbsolute, join } from '../../platform/paths.ts';
import type { Environment } from '../../platform/paths.ts';

export function findOnPath(name: string, env: Environment): string | undefined {
  const windows = process.platform === 'win32';
  const names = windows ? [`${name}.exe`, `${name}.cmd`] : [name];
  const dirs = (env['PATH'] ?? '').split(windows ? ';' : ':').filter((dir) => isAbsolute(dir));
  return dirs.flatMap((dir) => names.map((each) => join(dir, each))).find(isExecutable);
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
