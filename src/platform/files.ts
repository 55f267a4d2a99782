import {
  accessSync,
  appendFileSync,
  chmodSync,
  closeSync,
  constants,
  existsSync,
  fchmodSync,
  fstatSync,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  opendirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  readSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import type { Stats } from 'node:fs';
import { basename, dirname, join, parse, resolve, sep } from 'node:path';

export interface FileStat {
  /** A symbolic link itself, seen by `lstat`, is `other`. */
  readonly kind: 'file' | 'dir' | 'other';
  readonly size: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  readonly ino: number;
  /** By its owner. */
  readonly isExecutable: boolean;
}

/** Reading answers `undefined` for whatever cannot be read and never throws; writing throws. */
export interface Files {
  stat(path: string): FileStat | undefined;
  lstat(path: string): FileStat | undefined;
  exists(path: string): boolean;
  realpath(path: string): string | undefined;
  readLink(path: string): string | undefined;
  /** The first `maxBytes` bytes of a regular file, or all of it. */
  readBytes(path: string, maxBytes?: number): Uint8Array | undefined;
  readText(path: string, maxBytes?: number): string | undefined;
  /** At most `bytes` bytes of a regular file from a place in it. */
  readRange(path: string, from: number, bytes: number): Uint8Array | undefined;
  /** Names in a directory, sorted; with `max`, no more than that many are read, in the order of the file system. */
  list(dir: string, max?: number): readonly string[];
  /** Replaces a file in one step. Without `mode` the file keeps the one it has; a symbolic link stays a link. */
  writeAtomic(path: string, bytes: Uint8Array | string, mode?: number): void;
  /** As `writeAtomic`, for what can be made again and tells by itself whether it is whole: the disk is not waited for. */
  writeDerived(path: string, bytes: Uint8Array, mode: number): void;
  /**
   * As `writeAtomic`, for files that are not ours: a new one is as open to others as its directory is, and the disk is not
   * waited for, as agents and editors do not either. False when the file does not hold `expected`, or is there although
   * that is undefined: then it has what others wrote.
   */
  replace(path: string, bytes: Uint8Array | string, expected: string | undefined): boolean;
  /** Whether the file is there and may not be written to, by anybody or by us. Replacing it would go round that. */
  isProtected(path: string): boolean;
  makeDir(path: string, mode: number): void;
  /** Makes a directory and those above it, with the mode of the one they lie in. */
  makeDirLikeParent(path: string): void;
  /** Removes a file or a link; a missing one is fine. */
  remove(path: string): void;
  /** Adds to a file that only its owner has a right to: one that is open to others is narrowed. */
  append(path: string, text: string): void;
  /** Writes into a file that is there, from a place in it on. Within its size this takes no new room on most disks. */
  patch(path: string, at: number, bytes: Uint8Array): void;
  /** Makes a file with this text; false when there is one already. */
  create(path: string, text: string): boolean;
}

const decoder = new TextDecoder();

export const nodeFiles: Files = {
  stat: (path) => describe(path, statSync),
  lstat: (path) => describe(path, lstatSync),
  exists: existsSync,
  realpath: (path) => attempt(() => realpathSync.native(path)),
  readLink: (path) => attempt(() => readlinkSync(path)),
  readBytes,
  readText(path, maxBytes) {
    const bytes = readBytes(path, maxBytes);
    return bytes === undefined ? undefined : decoder.decode(bytes);
  },
  readRange: (path, from, bytes) =>
    readRegular(path, (descriptor, size) => readPart(descriptor, from, Math.min(bytes, size - from))),
  list: (dir, max) => (attempt(() => (max === undefined ? readdirSync(dir) : listFirst(dir, max))) ?? []).sort(),
  writeAtomic(path, bytes, mode) {
    const target = canonicalPath(nodeFiles, path);
    write(target, bytes, mode ?? modeOf(target), { isDurable: true });
  },
  writeDerived(path, bytes, mode) {
    write(path, bytes, mode, { isDurable: false });
  },
  replace(path, bytes, expected) {
    const target = canonicalPath(nodeFiles, path);
    const mode = modeOf(target) ?? (modeOf(dirname(target)) ?? 0o600) & 0o666;
    const made = Buffer.from(bytes);
    const place = (temporary: string) =>
      expected === undefined ? placeNew(temporary, target) : placeOver(temporary, target, made, Buffer.from(expected));
    return write(target, made, mode, { isDurable: false, place });
  },
  isProtected(path) {
    const mode = modeOf(path);
    if (mode === undefined) return false;
    return (mode & 0o222) === 0 || attempt(() => (accessSync(path, constants.W_OK), true)) === undefined;
  },
  makeDir,
  makeDirLikeParent(path) {
    if (existsSync(path)) return;
    const parent = dirname(path);
    if (parent !== path) nodeFiles.makeDirLikeParent(parent);
    const mode = modeOf(parent) ?? 0o700;
    makeDir(path, mode);
    chmodSync(path, mode);
  },
  remove(path) {
    rmSync(path, { force: true });
  },
  append(path, text) {
    const { O_WRONLY, O_APPEND, O_CREAT, O_NONBLOCK } = constants;
    const descriptor = openSync(path, O_WRONLY | O_APPEND | O_CREAT | (O_NONBLOCK ?? 0), 0o600);
    try {
      // Nobody may read a pipe in its place for as long as this process lives.
      if (!fstatSync(descriptor).isFile()) throw new Error(`not a file: ${path}`);
      // Not ours to narrow, or on a file system without rights: the text is what matters.
      attempt(() => (fstatSync(descriptor).mode & 0o077) !== 0 && fchmodSync(descriptor, 0o600));
      appendFileSync(descriptor, text);
    } finally {
      closeSync(descriptor);
    }
  },
  patch(path, at, bytes) {
    const descriptor = openSync(path, constants.O_WRONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
    try {
      for (let done = 0; done < bytes.length;)
        done += writeSync(descriptor, bytes, done, bytes.length - done, at + done);
    } finally {
      closeSync(descriptor);
    }
  },
  create(path, text) {
    try {
      writeFileSync(path, text, { flag: 'wx', mode: 0o600 });
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
      throw error;
    }
  },
};

/**
 * The one spelling of a path: every link followed, also one whose target does not exist yet,
 * because that is where a write through it would go.
 */
export function canonicalPath(files: Files, path: string): string {
  const absolute = resolve(path);
  const real = files.exists(absolute) ? files.realpath(absolute) : undefined;
  return real ?? followMissing(files, absolute, MOST_LINKS);
}

/** As many as the system follows before it takes them for a circle. */
const MOST_LINKS = 40;

/** From the top, so that nothing is asked below the first entry that is missing. */
function followMissing(files: Files, absolute: string, linksLeft: number): string {
  const { root } = parse(absolute);
  const names = absolute.slice(root.length).split(sep);
  let found = root;
  for (const [at, name] of names.entries()) {
    const next = join(found, name);
    const kind = files.lstat(next)?.kind;
    const rest = () => names.slice(at + 1).join(sep);
    if (kind === undefined) return join(next, rest());
    const target = kind === 'other' && linksLeft > 0 ? files.readLink(next) : undefined;
    if (target !== undefined) return followMissing(files, resolve(found, target, rest()), linksLeft - 1);
    found = next;
  }
  return found;
}

/**
 * Makes a directory and those above it. Not Node's recursive mkdir: where a parent exists but takes no directory, as in
 * /proc, that one tries for ever.
 */
export function makeDir(path: string, mode: number): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return;
  const parent = dirname(path);
  if (parent !== path && !existsSync(parent)) makeDir(parent, mode);
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
}

/** Most files that are looked for are not there, and to write down where that was found out takes longer than to find it out. */
function attempt<T>(read: () => T): T | undefined {
  const { stackTraceLimit } = Error;
  limitStacks(0);
  try {
    return read();
  } catch {
    return undefined;
  } finally {
    limitStacks(stackTraceLimit);
  }
}

/** Node can be told to freeze what all code shares; then errors have their stacks. */
export function limitStacks(limit: number): void {
  Reflect.set(Error, 'stackTraceLimit', limit);
}

type StatCall = (path: string, options: { throwIfNoEntry: false }) => Stats | undefined;

function describe(path: string, call: StatCall): FileStat | undefined {
  let found: Stats | undefined;
  try {
    found = call(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
  if (found === undefined) return undefined;
  return {
    kind: found.isFile() ? 'file' : found.isDirectory() ? 'dir' : 'other',
    size: found.size,
    mtimeMs: found.mtimeMs,
    ctimeMs: found.ctimeMs,
    ino: found.ino,
    isExecutable: (found.mode & 0o100) !== 0,
  };
}

/** Opened without blocking and only read when regular: a repository may hold a pipe under any name. */
function readRegular(path: string, read: (descriptor: number, size: number) => Uint8Array): Uint8Array | undefined {
  return attempt(() => {
    const descriptor = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      const found = fstatSync(descriptor);
      return found.isFile() ? read(descriptor, found.size) : undefined;
    } finally {
      closeSync(descriptor);
    }
  });
}

function readBytes(path: string, maxBytes?: number): Uint8Array | undefined {
  return readRegular(path, (descriptor, size) =>
    maxBytes === undefined ? readFileSync(descriptor) : readPart(descriptor, 0, Math.min(maxBytes, size)),
  );
}

function readPart(descriptor: number, from: number, most: number): Uint8Array {
  const bytes = new Uint8Array(Math.max(0, most));
  let filled = 0;
  while (filled < bytes.length) {
    const count = readSync(descriptor, bytes, filled, bytes.length - filled, from + filled);
    if (count === 0) break;
    filled += count;
  }
  return bytes.subarray(0, filled);
}

/** Whatever a file system means by the size of a directory, the names of one this small are read in a moment. */
const SMALL_DIR = 64 << 10;

function listFirst(dir: string, max: number): string[] {
  // Walking a directory name by name takes several times as long as reading a small one whole.
  if (statSync(dir).size <= SMALL_DIR) return readdirSync(dir).slice(0, max);
  const names: string[] = [];
  const handle = opendirSync(dir);
  try {
    while (names.length < max) {
      const entry = handle.readSync();
      if (entry === null) break;
      names.push(entry.name);
    }
  } finally {
    handle.closeSync();
  }
  return names;
}

function modeOf(path: string): number | undefined {
  return attempt(() => statSync(path).mode & 0o7777);
}

interface Writing {
  readonly isDurable: boolean;
  /** Gives the finished file its name; false when it must not have it. */
  place?(temporary: string): boolean;
}

function write(
  target: string,
  bytes: Uint8Array | string,
  mode: number | undefined,
  { isDurable, place = (temporary) => (renameSync(temporary, target), true) }: Writing,
): boolean {
  const temporary = join(
    dirname(target),
    `.${basename(target)}.${process.pid}-${Math.random().toString(36).slice(2)}.tmp`,
  );
  try {
    const descriptor = openSync(temporary, 'wx', mode ?? 0o666);
    try {
      writeFileSync(descriptor, bytes);
      if (isDurable) fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    if (mode !== undefined) chmodSync(temporary, mode);
    return place(temporary);
  } catch (error) {
    // Nobody knows the temporary name, and a failed write names no file at all.
    if (error instanceof Error) {
      const told = error.message.replaceAll(temporary, target);
      error.message = told.includes(target) ? told : `${told} '${target}'`;
    }
    throw error;
  } finally {
    attempt(() => rmSync(temporary, { force: true }));
  }
}

/** A second name for a file fails where there is one of that name, which a rename would replace. */
function placeNew(temporary: string, target: string): boolean {
  try {
    linkSync(temporary, target);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
  }
  // Not every file system has second names.
  if (lstatSync(target, { throwIfNoEntry: false }) !== undefined) return false;
  renameSync(temporary, target);
  return true;
}

/**
 * Held open, the file that is replaced can still be read afterwards: what somebody wrote to it between the comparison and
 * the rename is seen there, and put back. Out of sight remain a write that comes later through a descriptor opened before
 * the rename, and another rename in the instant between the last look and ours.
 */
function placeOver(temporary: string, target: string, made: Uint8Array, expected: Uint8Array): boolean {
  const held = attempt(() => openSync(target, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)));
  if (held === undefined) return false;
  try {
    const isCurrent = () => fstatSync(held).isFile() && isSame(readAll(held), expected);
    if (!isCurrent() || statSync(target, { throwIfNoEntry: false })?.ino !== fstatSync(held).ino) return false;
    renameSync(temporary, target);
    if (isCurrent()) return true;
    const theirs = readAtRest(held);
    if (isSame(readBytes(target) ?? expected, made)) write(target, theirs, modeOf(target), { isDurable: false });
    return false;
  } finally {
    closeSync(held);
  }
}

const REST_MS = 5;
const MOST_RESTS = 10;

/** All of a file that somebody is writing: editors empty it first. */
function readAtRest(descriptor: number): Uint8Array {
  let seen = readAll(descriptor);
  for (let rests = 0; rests < MOST_RESTS; rests += 1) {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, REST_MS);
    const now = readAll(descriptor);
    if (now.length > 0 && isSame(now, seen)) break;
    seen = now;
  }
  return seen;
}

/** From its start, wherever the descriptor stands. */
function readAll(descriptor: number): Uint8Array {
  return readPart(descriptor, 0, fstatSync(descriptor).size);
}

function isSame(some: Uint8Array, other: Uint8Array): boolean {
  return Buffer.compare(some, other) === 0;
}
