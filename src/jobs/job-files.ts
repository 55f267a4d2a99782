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

const MAX_TRIES = 3;
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
    const real = canonicalPath(files, path);
    if (real.startsWith(`${home}/`)) return;
    throw new Error(`${path} is not written: it leads to ${real}, which lies outside of ${root}`);
  }

  /** Throws where the file cannot be written; false when it does not hold what is expected. */
  function isReady(path: string, expected: string | undefined): boolean {
    allow(path);
    if (expected === undefined) return files.lstat(path) === undefined;
    const bytes = files.readBytes(path);
    if (bytes === undefined || decoder.decode(bytes) !== expected) return false;
    if (!isSame(bytes, encoder.encode(expected))) throw new Error(`${path} is not UTF-8 and stays as it is`);
    if (files.isProtected(path)) throw new Error(`${path} is write-protected and stays as it is`);
    return true;
  }

  function tryWrite(path: string, text: string, expected: string | undefined): boolean {
    if (!isReady(path, expected) || !files.replace(path, text, expected)) return false;
    ownWrites.note(path, text);
    return true;
  }

  function moved(path: string): Error {
    refused ??= 'moved';
    return new Error(`${path} changed while a job was at it`);
  }

  const readText: JobFiles['readText'] = (path, maxBytes) => {
    const bytes = files.readBytes(path, maxBytes);
    return bytes === undefined ? undefined : decoder.decode(bytes);
  };

  return {
    refused: () => refused,
    files: {
      readText,
      stat: (path) => files.stat(path),
      list: (dir, max) => files.list(dir, max),
      write(path, text, expected) {
        if (text !== expected && !tryWrite(path, text, expected)) throw moved(path);
      },
      check(path, expected) {
        if (!isReady(path, expected)) throw moved(path);
      },
      update(path, change) {
        for (let tries = 1; tries <= MAX_TRIES; tries += 1) {
          const before = readText(path);
          const after = before === undefined ? undefined : change(before);
          if (after === undefined) throw new Error(`${path} cannot be read any more`);
          if (after === before || tryWrite(path, after, before)) return;
        }
        throw new Error(`${path} kept changing`);
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
