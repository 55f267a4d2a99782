import { statSync } from 'node:fs';
import { keepPrivate } from './private-dir.ts';
import { openSqlite } from './sqlite.ts';

export interface Lock {
  /** False once the file is gone or another one has its name: then somebody else may hold a lock as well. */
  holds(): boolean;
  release(): void;
}

/**
 * Takes a lock that the kernel frees with its process, however that ends; undefined when another process has it. Node
 * offers no such lock, SQLite does: an exclusive transaction on a file that stays empty.
 */
export function tryLock(path: string): Lock | undefined {
  keepPrivate(path);
  const db = openSqlite(path);
  try {
    db.exec('PRAGMA busy_timeout = 0; PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
  } catch (error) {
    db.close();
    if (/locked|busy/i.test(error instanceof Error ? error.message : '')) return undefined;
    throw error;
  }
  const held = inode(path);
  taken.add(db);
  return {
    holds: () => held !== undefined && inode(path) === held,
    release() {
      taken.delete(db);
      db.close();
    },
  };
}

/** A lock lasts as long as its process, also when nothing else refers to it. */
const taken = new Set<object>();

function inode(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  return found && `${found.dev} ${found.ino}`;
}
