import { STATE_NOTICE } from '../state/cells.ts';
import { createMemoryStore } from '../state/memory.ts';
import { CELLS_SCHEMA, createSqliteStore } from '../state/sqlite.ts';
import type { Commit, Store } from '../state/store.ts';
import { createFateBook } from './fates.ts';
import { SUM_SCHEMA } from './rows.ts';
import type { FateBook } from './fates.ts';
import { createIds } from './ledger.ts';
import { createOutbox } from './outbox.ts';
import type { Outbox } from './outbox.ts';
import type { Ledger, Retention } from './ledger.ts';
import { createSqliteLedger, LEDGER_SCHEMA } from './sqlite.ts';
import type { SqliteLedger } from './sqlite.ts';
import { isDecided } from './unrecorded.ts';
import type { Unrecorded } from './unrecorded.ts';
import { bePatient, gatherIn, isDamage, moving, openDatabase } from '../platform/database.ts';
import type { Database } from '../platform/database.ts';
import { afterThis } from '../platform/timers.ts';

export interface OpenOptions {
  readonly path: string;
  /** How long to wait for another process's write. */
  readonly busyMs: number;
  /** Stays for many events: takes ledger numbers in blocks and keeps whole owners in memory. */
  readonly resident: boolean;
  retention?(): Retention;
  now(): number;
  random(): number;
  onFailure(what: string, error: unknown): void;
  onWaiting?(isBehind: boolean): void;
  /** Events are not in the ledger although their reply is out; less than nothing when they are after all. */
  onUnrecorded?(change: Unrecorded): void;
  /** Whether commits of other events are about to follow. */
  gathers?(): boolean;
}

export interface Memory {
  readonly store: Store;
  readonly ledger: Ledger;
  /** The database behind both; undefined when the session runs on memory alone. */
  readonly db: Database | undefined;
  /** What became of decisions; undefined as the database is. */
  readonly fates: FateBook | undefined;
  /** How far the ledger has left the machine; undefined as the database is. */
  readonly outbox: Outbox | undefined;
  /** Deletes rows of the ledger that are over age. */
  rotate(now: number): void;
  /** Ledger numbers taken for events to come, by session. */
  held(): ReturnType<SqliteLedger['held']>;
  /** Moves into the file what has gathered beside it; for a moment at which nobody waits. */
  gatherIn(): void;
  /** The reply is out: from here on waiting for another process is worth no more than a moment. */
  hurry(): void;
  close(): void;
}

interface Parts {
  readonly store: Store;
  readonly ledger: Ledger;
  readonly db?: Database;
  readonly fates?: FateBook;
  readonly outbox?: Outbox;
  held: SqliteLedger['held'];
  rotate(now: number): void;
  gatherIn(): void;
  close(): void;
  /** Another file, or none, takes its place. */
  abandon(): void;
}

/** Sequence numbers that a resident process takes at a time. */
const BLOCK_SIZE = 64;
/** How often it looks for commits of other processes. */
const REFRESH_MS = 20;

const HURRY_MS = 200;

const SCHEMA = CELLS_SCHEMA + LEDGER_SCHEMA;

/** Reads every page of the tables, so that damage shows while the file can still be set aside; opening alone may miss it. */
const PROBE = `${SUM_SCHEMA}
SELECT max(length(id) + length(value)) FROM cells; SELECT max(length(rules)) FROM events; SELECT max(length(body)) FROM details;
SELECT max(reserved) FROM sequences; SELECT max(last) FROM released; SELECT max(length(message)) FROM relays; SELECT max(length(traces)) FROM fates;
SELECT max(length(rule)) FROM heeds; SELECT max(length(rule)) FROM rule_days; SELECT max(length(event)) FROM event_days;
SELECT max(length(rule)) FROM rule_marks; SELECT max(length(root)) FROM session_sums;
SELECT max(n) FROM outbox; SELECT max(length(key)) FROM outbox_sums;`;

/**
 * Opens state and ledger. A damaged file is set aside, also in the middle of a session; one that cannot be opened at all
 * leaves the session with memory that ends with the process. Either way it is recorded and the session goes on.
 */
export function openMemory(options: OpenOptions): Memory {
  let parts = openParts(options, SCHEMA);

  function guarded<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      if (!isDamage(error)) throw error;
      options.onFailure('reading the state file', error);
    }
    giveUp(parts);
    parts = openParts(options, SCHEMA + PROBE);
    try {
      return work();
    } catch (error) {
      if (!isDamage(error)) throw error;
      giveUp(parts);
      parts = withoutFile(options, error);
      return work();
    }
  }

  /** What cannot be read counts as absent: rules that need no memory still protect. */
  function readable<T>(work: () => T, otherwise: T): T {
    try {
      return guarded(work);
    } catch (error) {
      options.onFailure('reading the state file', error);
      return otherwise;
    }
  }

  const attempt = (what: string, work: () => void) => {
    try {
      guarded(work);
    } catch (error) {
      options.onFailure(what, error);
    }
  };

  const store: Store = {
    get: (id, now) => readable(() => parts.store.get(id, now), undefined),
    answered: (delivery) => readable(() => parts.store.answered(delivery), undefined),
    commit: (commit: Commit) => guarded(() => parts.store.commit(commit)),
    stored: () => parts.store.stored(),
    refresh: (now) => readable(() => parts.store.refresh(now), undefined),
    seenOthers: () => parts.store.seenOthers(),
    list: (prefix, now, having) => guarded(() => parts.store.list(prefix, now, having)),
    remove: (prefix) => guarded(() => parts.store.remove(prefix)),
    prune: (before, now) => guarded(() => parts.store.prune(before, now)),
    close: () => parts.store.close(),
  };
  return {
    store,
    get db() {
      return parts.db;
    },
    get fates() {
      return parts.fates;
    },
    get outbox() {
      return parts.outbox;
    },
    ledger: {
      nextId: (at) => parts.ledger.nextId(at),
      record: (...entry) => parts.ledger.record(...entry),
      relay: (record) => parts.ledger.relay(record),
      flush: (most) => attempt('writing the ledger', () => parts.ledger.flush(most)),
    },
    rotate: (now) => attempt('removing old rows', () => parts.rotate(now)),
    held: () => parts.held(),
    gatherIn: () => attempt('writing the state file', () => parts.gatherIn()),
    hurry: () => attempt('writing the ledger', () => parts.db?.exec(`PRAGMA busy_timeout = ${HURRY_MS}`)),
    close() {
      attempt('writing the ledger', () => parts.close());
      closeQuietly(parts.db);
    },
  };
}

function openParts(options: OpenOptions, schema: string): Parts {
  try {
    const { db, notice } = openDatabase(options.path, schema, options.busyMs);
    const { resident } = options;
    const ledger = createSqliteLedger(db, { ...options, blockSize: resident ? BLOCK_SIZE : 1 });
    const store = createSqliteStore(db, ledger, {
      byOwner: resident,
      refreshMs: resident ? REFRESH_MS : 0,
      ...(resident ? { gathers: options.gathers ?? (() => false), later: afterThis } : {}),
    });
    const { endTransaction } = store;
    if (resident) bePatient(db);
    const alone =
      <T extends readonly unknown[], R>(work: (...args: T) => R) =>
      (...args: T): R => {
        endTransaction();
        return work(...args);
      };
    if (notice !== undefined) {
      options.onFailure('opening the state file', notice);
      keepNotice(store, notice, options.now());
    }
    const fates = createFateBook(db);
    const outbox = createOutbox(db);
    return {
      db,
      fates: { open: alone(fates.open), keep: alone(fates.keep) },
      // What is read in an open transaction may never have been.
      outbox: {
        state: alone(outbox.state),
        begin: alone(outbox.begin),
        end: alone(outbox.end),
        step: alone(outbox.step),
        sending: alone(outbox.sending),
        resume: alone(outbox.resume),
        arrived: alone(outbox.arrived),
        failed: alone(outbox.failed),
        passed: alone(outbox.passed),
        newest: alone(outbox.newest),
        sums: alone(outbox.sums),
      },
      ledger: { ...ledger, flush: alone(resident ? (most) => moving(db, () => ledger.flush(most)) : ledger.flush) },
      store,
      held: ledger.held,
      rotate: alone(ledger.rotate),
      gatherIn: alone(() => gatherIn(db)),
      close: alone(ledger.close),
      abandon: ledger.abandon,
    };
  } catch (error) {
    return withoutFile(options, error);
  }
}

function withoutFile(options: OpenOptions, error: unknown): Parts {
  options.onFailure('opening the state file; this process keeps its state in memory', error);
  const store = createMemoryStore();
  const why = error instanceof Error ? error.message : String(error);
  keepNotice(store, `the state file cannot be used (${why}), so nothing is remembered beyond one event`, options.now());
  const ledger = createLostLedger(options);
  const flush = () => ledger.flush();
  return { store, ledger, held: () => ({}), rotate() {}, gatherIn() {}, close: flush, abandon: flush };
}

/** Writes nothing but how much that was. */
function createLostLedger({ random, onWaiting, onUnrecorded }: OpenOptions): Ledger {
  let [events, decided] = [0, 0];
  return {
    nextId: createIds(random),
    record(row) {
      events += 1;
      if (isDecided(row)) decided += 1;
      if (events === 1) onWaiting?.(false);
    },
    relay() {},
    flush() {
      if (events > 0) onUnrecorded?.({ events, decided });
      [events, decided] = [0, 0];
    },
  };
}

const NOTICE_MS = 86_400_000;

/** For the person, at their session's next start or prompt: nothing is forgotten in silence. */
function keepNotice(store: Store, text: string, now: number): void {
  const change = {
    op: 'set',
    id: STATE_NOTICE,
    value: JSON.stringify(`${text}.`),
    expires: now + NOTICE_MS,
  } as const;
  store.commit({ reads: new Map(), changes: [change], now });
}

function giveUp({ db, abandon }: Parts): void {
  abandon();
  closeQuietly(db);
}

function closeQuietly(db: Database | undefined): void {
  try {
    db?.close();
  } catch {
    // Already closed, or too damaged to close; the file is set aside next.
  }
}
