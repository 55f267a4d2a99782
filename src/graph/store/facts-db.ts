import { openDerived } from '../../platform/database.ts';
import { MADE_BY } from './made-by.ts';

/** A file as it was when its facts were taken. */
export interface StoredFile {
  readonly path: string;
  readonly size: number;
  readonly mtimeMs: number;
  /** Of the content. */
  readonly hash: string;
  /** Of the facts. */
  readonly digest: string;
}

export interface StoredFacts extends StoredFile {
  readonly facts: Uint8Array;
}

/** Facts by path. Each call changes all it names or nothing. */
export interface FactsDb {
  /** Why all that was stored was dropped: a damaged file, another root, or extractors that may find other facts. */
  readonly notice: string | undefined;
  /** All of them without the facts, by path. */
  files(): StoredFile[];
  facts(path: string): Uint8Array | undefined;
  change(put: readonly StoredFacts[], removed: readonly string[]): void;
  /** For files whose content is what it was. */
  touch(files: readonly Pick<StoredFile, 'path' | 'size' | 'mtimeMs'>[]): void;
  /** Another number once another process has written here. */
  version(): number;
  /** Moves what was written into the file itself. */
  checkpoint(): void;
  close(): void;
}

const FORMAT = 1;
const BUSY_MS = 5_000;
const PAGE_BYTES = 1_024;
const SCHEMA = `
  CREATE TABLE IF NOT EXISTS made (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS files (
    path TEXT PRIMARY KEY, size INTEGER NOT NULL, mtime REAL NOT NULL,
    hash BLOB NOT NULL, digest BLOB NOT NULL, facts BLOB NOT NULL);`;

interface Row {
  readonly path: string;
  readonly size: number;
  readonly mtime: number;
  readonly hash: Uint8Array;
  readonly digest: Uint8Array;
}

export function openFactsDb(path: string, root: string): FactsDb {
  const { db, notice: replaced } = openDerived(path, {
    schema: SCHEMA,
    format: FORMAT,
    busyMs: BUSY_MS,
    pageBytes: PAGE_BYTES,
  });
  const select = db.prepare('SELECT path, size, mtime, hash, digest FROM files ORDER BY path');
  const selectFacts = db.prepare('SELECT facts FROM files WHERE path = ?');
  const put = db.prepare(
    `INSERT INTO files (path, size, mtime, hash, digest, facts) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (path) DO UPDATE SET size = excluded.size, mtime = excluded.mtime, hash = excluded.hash,
       digest = excluded.digest, facts = excluded.facts`,
  );
  const drop = db.prepare('DELETE FROM files WHERE path = ?');
  const touch = db.prepare('UPDATE files SET size = ?, mtime = ? WHERE path = ?');

  function together(work: () => void): void {
    db.exec('BEGIN IMMEDIATE');
    try {
      work();
      db.exec('COMMIT');
    } catch (error) {
      try {
        db.exec('ROLLBACK');
      } catch {
        // SQLite has already rolled back, as it does when the disk is full.
      }
      throw error;
    }
  }

  function clear(): void {
    together(() => {
      db.exec('DELETE FROM files');
      const set = db.prepare('INSERT OR REPLACE INTO made (key, value) VALUES (?, ?)');
      set.run('root', root);
      set.run('by', MADE_BY);
    });
  }

  function checkpoint(): void {
    db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  }

  const made = Object.fromEntries(
    (db.prepare('SELECT key, value FROM made').all() as { key: string; value: string }[]).map(({ key, value }) => [
      key,
      value,
    ]),
  );
  const isForeign = made['root'] !== undefined && made['root'] !== root;
  const isOther = made['by'] !== undefined && made['by'] !== MADE_BY;
  if (made['root'] !== root || isOther) clear();
  const why = isForeign
    ? `it is of ${made['root']}`
    : isOther
      ? 'it was made by another version of fairlead'
      : undefined;

  return {
    notice: replaced ?? why,
    files: () =>
      (select.all() as Row[]).map(({ path: each, size, mtime, hash, digest }) => ({
        path: each,
        size,
        mtimeMs: mtime,
        hash: hex(hash),
        digest: hex(digest),
      })),
    facts: (each) => (selectFacts.get(each) as { facts: Uint8Array } | undefined)?.facts,
    change(rows, removed) {
      together(() => {
        for (const each of removed) drop.run(each);
        for (const row of rows) {
          const digests = [row.hash, row.digest].map((text) => Buffer.from(text, 'hex'));
          put.run(row.path, row.size, row.mtimeMs, ...digests, row.facts);
        }
      });
    },
    touch(rows) {
      together(() => {
        for (const { path: each, size, mtimeMs } of rows) touch.run(size, mtimeMs, each);
      });
    },
    version: () => (db.prepare('PRAGMA data_version').get() as { data_version: number }).data_version,
    checkpoint,
    close() {
      try {
        checkpoint();
      } catch {
        // A full disk: what was written lies beside the file, and counts all the same.
      }
      db.close();
    },
  };
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex');
}
