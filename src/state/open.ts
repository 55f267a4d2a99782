import { createMemoryStore } from './memory.ts';
import { CELLS_SCHEMA, createSqliteStore } from './sqlite.ts';
import type { Commit, Store } from './store.ts';
import { createIds } from '../ledger/ledger.ts';
import type { Ledger, Retention } from '../ledger/ledger.ts';
import { createSqliteLedger, LEDGER_SCHEMA } from '../ledger/sqlite.ts';
import { isDamage, openDatabase } from '../platform/database.ts';
import type { Database } from '../platform/database.ts';

export interface OpenOptions {
  readonly path: string;
  /** How long to wait for another process's write. */
  readonly busyMs: number;
  readonly blockSize: number;
  readonly retention?: Retention;
  random(): number;
  onFailure(what: string, error: unknown): void;
  onWaiting?(): void;
}

export interface Memory {
  readonly store: Store;
  readonly ledger: Ledger;
  /** The database behind both; absent when the session runs on memory alone. */
  readonly db?: Database;
  /** Deletes what is over age: cells of dead sessions, rows of the ledger. */
  tidy(sessionsBefore: number, now: number): void;
  close(): void;
}

/**
 * Opens state and ledger. A damaged file is set aside; one that cannot be opened at all leaves the session with memory
 * that ends with the process. Either way it is recorded and the session goes on.
 */
export function openMemory(options: OpenOptions): Memory {
  try {
    return openSqlite(options);
  } catch (error) {
    options.onFailure('opening the state file; this process keeps its state in memory', error);
    return { store: createMemoryStore(), ledger: { nextId: createIds(options.random), record() {}, flush() {} }, tidy() {}, close() {} };
  }
}

function openSqlite(options: OpenOptions): Memory {
  let parts = connect(options);

  /** Damage found in the middle of a session: start a new file and go on with it. */
  function guarded<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      if (!isDamage(error)) throw error;
      options.onFailure('reading the state file', error);
      closeQuietly(parts.db);
      parts = connect(options);
      return work();
    }
  }

  const store: Store = {
    get: (id, now) => guarded(() => parts.store.get(id, now)),
    commit: (commit: Commit) => guarded(() => parts.store.commit(commit)),
    refresh: () => guarded(() => parts.store.refresh()),
    list: (prefix, now) => guarded(() => parts.store.list(prefix, now)),
    remove: (prefix) => guarded(() => parts.store.remove(prefix)),
    prune: (before, now) => guarded(() => parts.store.prune(before, now)),
    close: () => parts.store.close(),
  };
  const attempt = (what: string, work: () => void) => {
    try {
      guarded(work);
    } catch (error) {
      options.onFailure(what, error);
    }
  };
  return {
    store,
    get db() {
      return parts.db;
    },
    ledger: {
      nextId: parts.ledger.nextId,
      record: (...entry) => parts.ledger.record(...entry),
      flush: () => attempt('writing the ledger', () => parts.ledger.flush()),
    },
    tidy: (before, now) =>
      attempt('removing old state', () => {
        parts.store.prune(before, now);
        parts.ledger.rotate(now);
      }),
    close() {
      attempt('writing the ledger', () => parts.ledger.close());
      closeQuietly(parts.db);
    },
  };
}

function connect(options: OpenOptions) {
  const { db, notice } = openDatabase(options.path, CELLS_SCHEMA + LEDGER_SCHEMA, options.busyMs);
  if (notice !== undefined) options.onFailure('opening the state file', notice);
  const ledger = createSqliteLedger(db, options);
  return { db, ledger, store: createSqliteStore(db, ledger) };
}

function closeQuietly(db: Database): void {
  try {
    db.close();
  } catch {
    // Already closed, or too damaged to close; the file is set aside next.
  }
}
