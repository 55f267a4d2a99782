import { accessSync, constants, rmdirSync, statSync } from 'node:fs';
import { canonicalPath, nodeFiles } from '../../platform/files.ts';
import { dirname } from '../../platform/paths.ts';
import { CommandError } from '../command.ts';

/** What shall become of one file; a text that is absent stands for no file. */
export interface FileChange {
  readonly path: string;
  readonly before?: string;
  readonly after?: string;
  /** For directories that have to be made. */
  readonly dirMode: number;
  /** For the file itself; without it, a file keeps the one it has. */
  readonly mode?: number;
  /** Directories to remove afterwards if nothing is in them, innermost first. */
  readonly emptyDirs?: readonly string[];
}

/** The text with every byte in it, a byte order mark too, or undefined when there is no file. */
export function readWhole(path: string): string | undefined {
  const bytes = nodeFiles.readBytes(path);
  if (bytes === undefined) {
    if (!nodeFiles.exists(path)) return undefined;
    throw new CommandError(`${path} cannot be read, or is not a file`);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new CommandError(`${path} is not UTF-8 text; nothing was changed`);
  }
}

/** Refuses before anything is shown or asked, since a rename would replace a read-only file all the same. */
export function requireWritable(path: string): void {
  const target = canonicalPath(nodeFiles, path);
  if (!nodeFiles.exists(target)) return;
  try {
    accessSync(target, constants.W_OK);
    if ((statSync(target).mode & 0o222) !== 0) return;
  } catch {
    // Said below.
  }
  throw new CommandError(`${path} is read-only; nothing was changed`);
}

/** A path, with the file that it leads to where that is another one. */
export function withReal(path: string): string {
  const real = canonicalPath(nodeFiles, path);
  return real === path ? path : `${path}, which is ${real}`;
}

/** Who may read and write a file; undefined when there is none. */
export function modeOf(path: string): number | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  return found && found.mode & 0o777;
}

/** The directories above a file that do not exist yet, innermost first. */
export function missingDirs(path: string): string[] {
  const missing: string[] = [];
  let dir = dirname(canonicalPath(nodeFiles, path));
  while (!nodeFiles.exists(dir) && dirname(dir) !== dir) {
    missing.push(dir);
    dir = dirname(dir);
  }
  return missing;
}

/** The agent writes its settings too, maybe while a person reads the diff; its words must not be lost. */
export function requireUnchanged({ path, before }: FileChange): void {
  if (readWhole(path) !== before)
    throw new CommandError(`${path} has changed in the meantime; nothing was written to it, run the command again`);
}

/** A link stays a link: what it leads to is written. */
export function carryOut({ path, after, dirMode, mode }: FileChange): void {
  const target = canonicalPath(nodeFiles, path);
  try {
    if (after === undefined) nodeFiles.remove(target);
    else {
      nodeFiles.makeDir(dirname(target), dirMode);
      nodeFiles.writeAtomic(target, after, mode);
    }
  } catch (error) {
    throw new CommandError(`${path} cannot be written: ${error instanceof Error ? error.message : String(error)}`);
  }
}

export function removeEmpty(dir: string): void {
  if (nodeFiles.list(dir, 1).length > 0) return;
  try {
    rmdirSync(dir);
  } catch {
    // Somebody put something into it: it stays.
  }
}
