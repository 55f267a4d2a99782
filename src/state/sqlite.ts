import { addTo } from './draft.ts';
import { sessionOf } from './memory.ts';
import type { Change, Commit, Store, StoredCell } from './store.ts';
import { queuedBy } from './team-queue.ts';
import { createTransactions } from './transactions.ts';
import type { TransactionsOptions } from './transactions.ts';
import type { Database } from '../platform/database.ts';
import type { LedgerRow } from '../event/ledger-row.ts';
import { SEPARATOR } from './cells.ts';

/** With more cells than this in memory the view starts over; the file has them all. */
const VIEW_LIMIT = 50_000;

/** More cells than this of one owner are not read at once. */
const OWNER_LIMIT = 5_000;

interface Seen {
  readonly value: string;
  readonly expires: number;
}

/** What is known of the cells in the file; null for a cell that is not there. */
interface CellView {
  look(id: string, now: number): Seen | undefined;
  set(id: string, seen: Seen | null): void;
  forget(): void;
}

/** `byOwner`: reads all cells of an owner at once, so later it knows without asking which are absent. */
function createCellView(db: Database, byOwner: boolean): CellView {
  const view = new Map<string, Seen | null>();
  /** Owners whose cells are all in the view. */
  const owners = new Set<string>();
  const select = db.prepare('SELECT value, expires FROM cells WHERE id = ?');
  const ofOwner = db.prepare('SELECT id, value, expires FROM cells WHERE id >= ? AND id < ? LIMIT ?');

  function forget(): void {
    view.clear();
    owners.clear();
  }

  /** Whether all cells of the id's owner are in the view now. */
  function knowsOwner(id: string): boolean {
    const owner = id.slice(0, id.indexOf(SEPARATOR, id.indexOf(SEPARATOR) + 1) + 1);
    if (owners.has(owner)) return true;
    const cells = ofOwner.all(owner, `${owner}\u{10ffff}`, OWNER_LIMIT) as (Seen & { id: string })[];
    if (view.size + cells.length >= VIEW_LIMIT) forget();
    for (const { id: each, value, expires } of cells) view.set(each, { value, expires });
    if (cells.length < OWNER_LIMIT) owners.add(owner);
    return cells.length < OWNER_LIMIT;
  }

  return {
    look(id, now) {
      let seen = view.get(id);
      if (seen === undefined) {
        seen =
          (byOwner && !isOfTurn(id) && knowsOwner(id) ? view.get(id) : (select.get(id) as Seen | undefined)) ?? null;
        if (view.size >= VIEW_LIMIT) forget();
        view.set(id, seen);
      }
      return seen !== null && (seen.expires === 0 || seen.expires > now) ? seen : undefined;
    },
    set: (id, seen) => void view.set(id, seen),
    forget,
  };
}

/** Each turn is an owner of its own with few cells, so asking for one cell costs less than listing them. */
function isOfTurn(id: string): boolean {
  return id.startsWith(`turn${SEPARATOR}`);
}

export const CELLS_SCHEMA = `
CREATE TABLE IF NOT EXISTS cells (
  id TEXT PRIMARY KEY, value TEXT NOT NULL, expires INTEGER NOT NULL, updated INTEGER NOT NULL, session TEXT
) WITHOUT ROWID;`;

/** The ledger's part in the store's transactions. */
export interface RowWriter {
  write(row: LedgerRow): void;
  /** The transaction ended well. */
  stored(): void;
  /** The transaction failed. */
  undo(): void;
  /** Another process has committed. */
  moved(): void;
  answered(delivery: string): string | undefined;
}

export interface SqliteStoreOptions extends Pick<TransactionsOptions, 'later' | 'gathers'> {
  /** A resident process reads all cells of an owner at once, so later it knows without asking which are absent. */
  readonly byOwner: boolean;
  /** How long it goes on without looking whether another process has committed. A commit always looks. */
  readonly refreshMs: number;
}

export interface SqliteStore extends Store {
  /** Ends the open transaction, for other work on the same file. */
  endTransaction(): void;
}

/**
 * State shared by every process of this home: write-through, under an in-memory view that is dropped as soon as another
 * process has committed.
 */
export function createSqliteStore(
  db: Database,
  ledger: RowWriter,
  { byOwner, refreshMs, ...gathering }: SqliteStoreOptions = { byOwner: false, refreshMs: 0 },
): SqliteStore {
  const view = createCellView(db, byOwner);
  const { transaction, close, closeQuietly, stored } = createTransactions(db, {
    ...gathering,
    onBegin: refresh,
    onStored: () => ledger.stored(),
    /** The view never holds a value that was not stored, whatever has happened. */
    onFailed() {
      view.forget();
      ledger.undo();
    },
  });
  const version = db.prepare('PRAGMA data_version');
  const upsert = db.prepare(
    `INSERT INTO cells (id, value, expires, updated, session) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET value = excluded.value, expires = excluded.expires, updated = excluded.updated`,
  );
  const drop = db.prepare('DELETE FROM cells WHERE id = ?');
  let seenVersion = -1;
  let seenOthers = 0;
  let refreshedAt = Number.NEGATIVE_INFINITY;

  function refresh(): void {
    const { data_version: now } = version.get() as { data_version: number };
    if (now === seenVersion) return;
    seenVersion = now;
    seenOthers += 1;
    view.forget();
    ledger.moved();
  }

  function apply(change: Change, now: number): void {
    if (change.op === 'delete') {
      drop.run(change.id);
      view.set(change.id, null);
      return;
    }
    const before = change.op === 'add' ? view.look(change.id, now) : undefined;
    const value = change.op === 'set' ? change.value : addTo(before?.value, change.by);
    const expires = before?.expires ?? change.expires;
    upsert.run(change.id, value, expires, now, sessionOf(change.id) ?? null);
    view.set(change.id, { value, expires });
  }

  return {
    get: (id, now) => view.look(id, now)?.value,
    refresh(now) {
      if (now - refreshedAt < refreshMs && now >= refreshedAt) return;
      refreshedAt = now;
      refresh();
    },
    seenOthers: () => seenOthers,
    answered: (delivery) => ledger.answered(delivery),
    commit(commit: Commit) {
      const { reads, changes, row, now } = commit;
      return transaction(() => {
        // Everything is compared before anything is written, so a refusal leaves the transaction to the others in it.
        if (row?.delivery !== undefined && ledger.answered(row.delivery) !== undefined) return false;
        for (const [id, value] of reads) if (view.look(id, now)?.value !== value) return false;
        for (const change of changes) apply(change, now);
        const queued = queuedBy(commit);
        if (queued) apply(queued, now);
        if (row) ledger.write(row);
        return true;
      });
    },
    stored,
    endTransaction: closeQuietly,
    list(prefix, now, having = '') {
      return db
        .prepare(
          'SELECT id, value, expires, updated FROM cells WHERE id >= ? AND id < ? AND instr(id, ?) AND (expires = 0 OR expires > ?) ORDER BY id',
        )
        .all(prefix, `${prefix}\u{10ffff}`, having, now) as StoredCell[];
    },
    remove(prefix) {
      const removed = transaction(
        () => db.prepare('DELETE FROM cells WHERE id >= ? AND id < ?').run(prefix, `${prefix}\u{10ffff}`).changes,
      );
      close();
      view.forget();
      return Number(removed);
    },
    prune(sessionsBefore, now) {
      const removed = transaction(() => {
        // In this order: a cell that has expired still tells when its session was last active.
        const stale = db
          .prepare(
            'DELETE FROM cells WHERE session IN (SELECT session FROM cells WHERE session IS NOT NULL GROUP BY session HAVING MAX(updated) < ?)',
          )
          .run(sessionsBefore).changes;
        const expired = db.prepare('DELETE FROM cells WHERE expires > 0 AND expires <= ?').run(now).changes;
        return Number(expired) + Number(stale);
      });
      close();
      view.forget();
      return removed;
    },
    close() {
      closeQuietly();
      db.close();
    },
  };
}
