import { closeSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeDir } from './files.ts';
import { keepPrivate } from './private-dir.ts';
import { openSqlite } from './sqlite.ts';

type Value = string | number | null | Uint8Array;

export interface Statement {
  run(...values: Value[]): {
    readonly lastInsertRowid: number | bigint;
    readonly changes: number | bigint;
  };
  get(...values: Value[]): unknown;
  all(...values: Value[]): unknown[];
}

export interface Database {
  prepare(sql: string): Statement;
  exec(sql: string): void;
  close(): void;
}

export interface Opened {
  readonly db: Database;
  /** Set when a damaged file was moved away; says where to. */
  readonly notice?: string;
}

/** Files that SQLite keeps beside a database, with the rights that it has when they are made. */
const BESIDE = ['-wal', '-shm'];
/** Raised when the tables change. */
const FORMAT = 1;
/**
 * Pages of 4 kB that gather beside the file before they are moved into it. Whoever commits then waits for that, and for the disk: a
 * few milliseconds for so many. It takes less time in all to move many at once, which a resident process does while it rests.
 */
const CHECKPOINT_PAGES = 500;
/** For a process that has more to write after its replies: before one it moves nothing, unless nobody has for very long. */
const PATIENT_PAGES = 8_000;
const DAMAGED = /not a database|malformed|corrupt|SQLITE_(CORRUPT|NOTADB)/i;

export function isDamage(error: unknown): boolean {
  return error instanceof Error && DAMAGED.test(error.message);
}

/** Moves what has gathered beside the file into it, as far as nobody else reads there. */
export function gatherIn(db: Database): void {
  db.exec('PRAGMA wal_checkpoint(PASSIVE)');
}

/** From here on commits move nothing but in `moving`. */
export function bePatient(db: Database): void {
  db.exec(`PRAGMA wal_autocheckpoint = ${PATIENT_PAGES}`);
}

/** Commits for which nobody waits, and which may move what has gathered. */
export function moving(db: Database, work: () => void): void {
  db.exec(`PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
  try {
    work();
  } finally {
    bePatient(db);
  }
}

/** Opens the file, or moves a damaged one aside and starts a new one. Throws when neither works (read-only, locked, full). */
export function openDatabase(path: string, schema: string, busyMs: number): Opened {
  makeDir(dirname(path), 0o700);
  keepPrivate(path, BESIDE);
  const found = inode(path);
  try {
    return { db: openPatiently(path, schema, busyMs) };
  } catch (error) {
    if (!isDamage(error)) throw error;
    const notice = setAside(path, found, error instanceof Error ? error.message : '');
    keepPrivate(path);
    return { db: open(path, schema, busyMs), ...(notice === undefined ? {} : { notice }) };
  }
}

export interface DerivedShape {
  readonly schema: string;
  /** What the tables and their content are; a file that has another is of no use. */
  readonly format: number;
  readonly busyMs: number;
  /** Small rows of very different length leave half a page each. */
  readonly pageBytes: number;
}

/** Opens a file whose content can be made again: one that is damaged or of another format is replaced by an empty one. */
export function openDerived(path: string, { schema, format, busyMs, pageBytes }: DerivedShape): Opened {
  makeDir(dirname(path), 0o700);
  keepPrivate(path, BESIDE);
  const begin = () => open(path, schema, busyMs, format, `PRAGMA page_size = ${pageBytes};`);
  try {
    return { db: begin() };
  } catch (error) {
    if (!isDamage(error) && !(error instanceof OtherFormat)) throw error;
    for (const suffix of ['', ...BESIDE]) rmSync(path + suffix, { force: true });
    keepPrivate(path);
    return { db: begin(), notice: error instanceof Error ? error.message : '' };
  }
}

class OtherFormat extends Error {}

const BUSY = /database is (busy|locked)|SQLITE_(BUSY|LOCKED)/i;
const RETRY_MS = 10;

/** Another process holds the file. */
export function isBusy(error: unknown): boolean {
  return error instanceof Error && BUSY.test(error.message);
}

/**
 * Where many processes set the mode of a new file at once, SQLite says that it is locked instead of waiting: then the
 * waiting is done here.
 */
function openPatiently(path: string, schema: string, busyMs: number): Database {
  const deadline = Date.now() + busyMs;
  for (;;) {
    try {
      return open(path, schema, busyMs);
    } catch (error) {
      if (!isBusy(error) || Date.now() >= deadline) throw error;
      pauseHere(RETRY_MS);
    }
  }
}

/** Nothing else runs meanwhile. */
function pauseHere(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

function open(path: string, schema: string, busyMs: number, wanted = FORMAT, setup = ''): Database {
  const db = openSqlite(path);
  try {
    db.exec(
      `PRAGMA busy_timeout = ${busyMs}; ${setup} PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA temp_store = MEMORY;
       PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES};`,
    );
    const { user_version: format } = db.prepare('PRAGMA user_version').get() as { user_version: number };
    if (format !== 0 && format !== wanted)
      throw new OtherFormat(`it was made by another version of fairlead (format ${format}, this one has ${wanted})`);
    db.exec(schema);
    if (format === 0) db.exec(`PRAGMA user_version = ${wanted}`);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/**
 * Several processes may find the damage at once. Only the one that holds the repair file moves anything, and only the
 * very file it failed on: the path may already name the successor.
 */
function setAside(path: string, failed: number | undefined, why: string): string | undefined {
  const repair = `${path}.repair`;
  if (!claim(repair)) return undefined;
  try {
    if (inode(path) !== failed) return undefined;
    const target = `${path}.damaged-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`;
    for (const suffix of ['', ...BESIDE]) {
      if (inode(path + suffix) !== undefined) renameSync(path + suffix, target + suffix);
    }
    return `the state file could not be used (${why}) and is kept as ${target}; a new one was started`;
  } finally {
    rmSync(repair, { force: true });
  }
}

function claim(repair: string): boolean {
  const deadline = Date.now() + 2_000;
  for (;;) {
    try {
      closeSync(openSync(repair, 'wx', 0o600));
      return true;
    } catch {
      const age = ageMs(repair);
      if (age === undefined || age > 5_000) rmSync(repair, { force: true });
      if (Date.now() > deadline) return false;
      pauseHere(20);
    }
  }
}

function inode(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.ino;
}

function ageMs(path: string): number | undefined {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat && Date.now() - stat.mtimeMs;
}
