import {
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  lchownSync,
  linkSync,
  lstatSync,
  lutimesSync,
  mkdirSync,
  openSync,
  readdirSync,
  readlinkSync,
  readSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import type { Stats } from 'node:fs';
import { userId } from './private-dir.ts';

/** What lies at a path, links not followed. */
export interface EntryStat {
  readonly kind: 'file' | 'dir' | 'link' | 'special';
  readonly mode: number;
  readonly size: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  readonly dev: number;
  readonly ino: number;
  readonly nlink: number;
  /** Set where it is not ours. */
  readonly owner?: readonly [uid: number, gid: number];
}

export interface CopiedFile {
  /** Of its bytes, SHA-256. */
  readonly sha: string;
  readonly size: number;
}

/** It was written to while it was read. */
export class ChangedMeanwhile extends Error {}

/**
 * Entries as they are, with modes, times and links: for what is kept and put back. Everything throws where it fails, and
 * nothing follows a link.
 */
export interface Entries {
  /** Undefined when nothing is there. */
  look(path: string): EntryStat | undefined;
  /** Sorted. A name that no text can hold is an error. */
  names(dir: string): readonly string[];
  readLink(path: string): string;
  /** To a new file that only its owner may read, which shares the blocks of the source where the disk can. `check` may end it. */
  copy(source: string, target: string, check?: () => void): CopiedFile;
  /** Into a file that is there, so that all of its names have it. */
  refill(source: string, target: string): void;
  /** The name of its bytes, as `copy` gives it. */
  hash(path: string): string;
  /** A second name for a file; false where that name is taken. */
  addName(path: string, name: string): boolean;
  makeDir(path: string, mode: number): void;
  makeLink(path: string, target: string): void;
  setMode(path: string, mode: number): void;
  setTime(path: string, mtimeMs: number): void;
  setOwner(path: string, owner: readonly [uid: number, gid: number]): void;
  /** Takes the place of a file, and of an empty directory if it is one itself. */
  move(from: string, to: string): void;
  removeFile(path: string): void;
  removeTree(path: string): void;
  /** Waits until the disk has it. */
  settle(path: string): void;
}

const CHUNK_BYTES = 1 << 20;
const chunk = (): Uint8Array => (buffer ??= new Uint8Array(CHUNK_BYTES));
let buffer: Uint8Array | undefined;

export const nodeEntries: Entries = {
  look(path) {
    try {
      const found = lstatSync(path, { throwIfNoEntry: false });
      return found && describe(found);
    } catch (error) {
      // A file lies where the path has a directory.
      if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return undefined;
      throw error;
    }
  },
  names(dir) {
    return readdirSync(dir, { encoding: 'buffer' }).map(spell).sort();
  },
  readLink: (path) => spell(readlinkSync(path, { encoding: 'buffer' })),
  copy(source, target, check) {
    const cloned = clone(source, target, check);
    if (cloned) return cloned;
    const out = openSync(target, 'wx', 0o600);
    try {
      const copied = readThrough(source, (bytes) => {
        check?.();
        for (let done = 0; done < bytes.length;) done += writeSync(out, bytes, done);
      });
      if (fstatSync(out).size !== copied.size) throw new ChangedMeanwhile(target);
      return copied;
    } finally {
      closeSync(out);
    }
  },
  refill(source, target) {
    const out = openSync(target, constants.O_WRONLY | (constants.O_NOFOLLOW ?? 0));
    try {
      ftruncateSync(out);
      readThrough(source, (bytes) => {
        for (let done = 0; done < bytes.length;) done += writeSync(out, bytes, done);
      });
    } finally {
      closeSync(out);
    }
  },
  hash: (path) => readThrough(path, () => undefined).sha,
  addName(path, name) {
    try {
      linkSync(path, name);
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
      throw error;
    }
  },
  makeDir: (path, mode) => mkdirSync(path, { mode }),
  makeLink: (path, target) => symlinkSync(target, path),
  setMode: chmodSync,
  setTime: (path, mtimeMs) => lutimesSync(path, mtimeMs / 1_000, mtimeMs / 1_000),
  setOwner: (path, [uid, gid]) => lchownSync(path, uid, gid),
  move: renameSync,
  removeFile: unlinkSync,
  removeTree: (path) => rmSync(path, { recursive: true, force: true }),
  settle(path) {
    const descriptor = openSync(path, 'r');
    try {
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  },
};

/** Undefined where the disk does not share blocks between files; for small files asking that takes longer than copying. */
function clone(source: string, target: string, check?: () => void): CopiedFile | undefined {
  const before = lstatSync(source);
  if (!before.isFile() || before.size < CHUNK_BYTES) return undefined;
  try {
    copyFileSync(source, target, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE_FORCE);
  } catch {
    rmSync(target, { force: true });
    return undefined;
  }
  chmodSync(target, 0o600);
  const copied = readThrough(target, () => check?.());
  const after = lstatSync(source);
  if (before.ino !== after.ino || before.ctimeMs !== after.ctimeMs || after.size !== copied.size)
    throw new ChangedMeanwhile(source);
  return copied;
}

function describe(found: Stats): EntryStat {
  const { mode, size, mtimeMs, ctimeMs, dev, ino, nlink, uid, gid } = found;
  const kind = found.isFile() ? 'file' : found.isDirectory() ? 'dir' : found.isSymbolicLink() ? 'link' : 'special';
  const isOurs = uid === userId() && gid === (process.getgid?.() ?? 0);
  return {
    ...{ kind, mode: mode & 0o7777, size, mtimeMs, ctimeMs, dev, ino, nlink },
    ...(!isOurs && { owner: [uid, gid] }),
  };
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function spell(name: Uint8Array): string {
  return decoder.decode(name);
}

/** Opened without blocking and only read when regular; what changes meanwhile is an error. */
function readThrough(path: string, take: (bytes: Uint8Array) => void): CopiedFile {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  const descriptor = openSync(path, O_RDONLY | (O_NOFOLLOW ?? 0) | (O_NONBLOCK ?? 0));
  try {
    const before = fstatSync(descriptor);
    if (!before.isFile()) throw new ChangedMeanwhile(path);
    const hash = process.getBuiltinModule('node:crypto').createHash('sha256');
    let size = 0;
    for (;;) {
      const count = readSync(descriptor, chunk());
      if (count === 0) break;
      const bytes = chunk().subarray(0, count);
      hash.update(bytes);
      take(bytes);
      size += count;
    }
    const after = fstatSync(descriptor);
    if (size !== after.size || before.mtimeMs !== after.mtimeMs || before.ctimeMs !== after.ctimeMs)
      throw new ChangedMeanwhile(path);
    return { sha: hash.digest('hex'), size };
  } finally {
    closeSync(descriptor);
  }
}
