import { randomBytes } from 'node:crypto';
import { statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { canonicalPath, makeDir, nodeFiles } from './files.ts';
import { userId } from './private-dir.ts';

const KEY_BYTES = 32;
const KEY_MODE = 0o600;

/** A key and when it was made, or why the file is not used; undefined when there is none. */
export type KeyReading =
  | { readonly key: Uint8Array; readonly madeAt: number }
  | { readonly problem: string }
  | undefined;

/** A key that others can read protects nothing, so such a file is not used. */
export function readKey(path: string): KeyReading {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found) return undefined;
  if (!found.isFile() || found.size !== KEY_BYTES) return { problem: `${path} is not a key of ${KEY_BYTES} bytes` };
  if (process.platform !== 'win32' && found.uid !== userId()) return { problem: `${path} belongs to another user` };
  if (process.platform !== 'win32' && (found.mode & 0o077) !== 0)
    return { problem: `${path} can be read by others; \`chmod 600\` closes it` };
  const key = nodeFiles.readBytes(path);
  return key?.length === KEY_BYTES ? { key, madeAt: found.mtimeMs } : { problem: `${path} cannot be read` };
}

/** Leaves a key alone that another process has just made. */
export function createKey(path: string): void {
  makeDir(dirname(path), 0o700);
  try {
    writeFileSync(path, randomBytes(KEY_BYTES), { flag: 'wx', mode: KEY_MODE });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/** The key before stays beside the new one until `dropOldKey`: what it opens may not be encrypted anew yet. */
export function replaceKey(path: string): Uint8Array {
  const before = nodeFiles.readBytes(path);
  if (before) nodeFiles.writeAtomic(oldKeyOf(path), before, KEY_MODE);
  const key = randomBytes(KEY_BYTES);
  nodeFiles.writeAtomic(path, key, KEY_MODE);
  return key;
}

/** Beside the key itself, not beside a link to it, which may lie anywhere. */
export function oldKeyOf(path: string): string {
  return `${canonicalPath(nodeFiles, path)}.old`;
}

export function hasOldKey(path: string): boolean {
  return nodeFiles.exists(oldKeyOf(path));
}

export function dropOldKey(path: string): void {
  nodeFiles.remove(oldKeyOf(path));
}
