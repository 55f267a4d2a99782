import type { JobFiles } from './job.ts';
import type { OwnWrites } from './own-writes.ts';
import { canonicalPath } from '../platform/files.ts';
import type { Files } from '../platform/files.ts';

export interface JobFilesParts {
  readonly files: Files;
  readonly root: string;
  readonly ownWrites: OwnWrites;
  /** Asked before every change; false for a job whose time is up, and while the kill switch is on. */
  mayWrite(): boolean;
}

/** What one attempt of a job does to files. */
export interface JobAttempt {
  readonly files: JobFiles;
  /** Set when a write was refused: the file had changed meanwhile, or nothing may be written now. */
  refused(): 'moved' | 'stopped' | undefined;
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
const encoder = new TextEncoder();

export function openAttempt({ files, root, ownWrites, mayWrite }: JobFilesParts): JobAttempt {
  let refused: 'moved' | 'stopped' | undefined;
  const home = canonicalPath(files, root);

  function allow(path: string): void {
    if (!mayWrite()) {
      refused ??= 'stopped';
      throw new Error(`${path} is not written: Fairlead is off, or the job took too long`);
    }
    // A link in a repository may lead anywhere.
    if (!canonicalPath(files, path).startsWith(`${home}/`)) throw new Error(`${path} lies outside of ${root}`);
  }

  function holds(path: string, expected: string | undefined): boolean {
    if (expected === undefined) return files.lstat(path) === undefined;
    const bytes = files.readBytes(path);
    if (bytes === undefined || decoder.decode(bytes) !== expected) return false;
    if (!isSame(bytes, encoder.encode(expected))) throw new Error(`${path} is not UTF-8 and stays as it is`);
    return true;
  }

  return {
    refused: () => refused,
    files: {
      readText(path, maxBytes) {
        const bytes = files.readBytes(path, maxBytes);
        return bytes === undefined ? undefined : decoder.decode(bytes);
      },
      stat: (path) => files.stat(path),
      list: (dir, max) => files.list(dir, max),
      write(path, text, expected) {
        if (text === expected) return;
        allow(path);
        if (!holds(path, expected) || !files.replace(path, text, () => holds(path, expected))) {
          refused ??= 'moved';
          throw new Error(`${path} changed while a job was at it`);
        }
        ownWrites.note(path, text);
      },
      makeDir(path) {
        if (files.stat(path)?.kind === 'dir') return;
        allow(path);
        files.makeDirLikeParent(path);
      },
    },
  };
}

function isSame(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, at) => byte === b[at]);
}
