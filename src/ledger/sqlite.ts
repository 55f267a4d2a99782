import { createIds, RETENTION } from './ledger.ts';
import type { Ledger, Retention } from './ledger.ts';
import { createRelayWriter, RELAY_SCHEMA, rotateRelays } from './relays.ts';
import type { LedgerDetail, LedgerRow } from '../event/ledger-row.ts';
import { createRowWriter, ROW_SCHEMA, rotateRows } from './rows.ts';
import { createSequence, SEQUENCE_SCHEMA } from './sequence.ts';
import type { Sequence } from './sequence.ts';
import { isDecided } from './unrecorded.ts';
import type { Unrecorded } from './unrecorded.ts';
import type { RelayRecord } from '../event/follow-up.ts';
import type { Database } from '../platform/database.ts';
import { createAnswers, MAX_ANSWERS } from '../state/answers.ts';

interface AnswerRow {
  readonly n: number;
  readonly delivery: string;
  readonly answer: string;
}

interface StoredAnswers {
  find(delivery: string): string | undefined;
  keep(delivery: string | undefined, answer: string | undefined): void;
  moved(): void;
  forget(): void;
}

/**
 * Answers of the newest rows. A process that stays keeps them in memory and reads only rows that others have added; one
 * that answers a single event asks the file.
 */
function createStoredAnswers(db: Database, resident: boolean): StoredAnswers {
  const newest = db.prepare('SELECT max(n) AS n FROM events');
  const one = db.prepare('SELECT answer FROM events WHERE n > ? AND delivery = ? LIMIT 1');
  const added = db.prepare('SELECT n, delivery, answer FROM events WHERE n > ? AND delivery IS NOT NULL ORDER BY n');
  let answers = createAnswers();
  let current = false;
  let readTo: number | undefined;

  const start = () => ((newest.get() as { n: number | null }).n ?? 0) - MAX_ANSWERS;

  function catchUp(): void {
    if (current) return;
    for (const { n, delivery, answer } of added.all((readTo ??= start())) as AnswerRow[]) {
      answers.keep(delivery, answer);
      readTo = n;
    }
    current = true;
  }

  return {
    find(delivery) {
      if (resident) catchUp();
      const known = answers.get(delivery);
      if (known !== undefined || resident) return known;
      return (one.get(start(), delivery) as AnswerRow | undefined)?.answer;
    },
    keep: (delivery, answer) => answers.keep(delivery, answer),
    moved() {
      current = false;
    },
    forget() {
      answers = createAnswers();
      current = false;
      readTo = undefined;
    },
  };
}

export const LEDGER_SCHEMA = ROW_SCHEMA + SEQUENCE_SCHEMA + RELAY_SCHEMA;

export interface SqliteLedger extends Ledger {
  /** Inside the store's transaction. */
  write(row: LedgerRow): void;
  /** That transaction ended well. */
  stored(): void;
  /** That transaction failed: numbers reserved in it are not ours, and its rows are not there. */
  undo(): void;
  /** Another process has written rows. */
  moved(): void;
  /** The answer of a recent row to this delivery. */
  answered(delivery: string): string | undefined;
  readonly held: Sequence['held'];
  /** Deletes what is over age or over number; returns how many rows went. */
  rotate(now: number): number;
  /** Writes what waits and gives back what was reserved: after it, a missing number means a killed process. */
  close(): void;
  /** The file is given up: what waits is lost. */
  abandon(): void;
}

/** Rows that a busy or full disk may keep waiting. */
const MAX_WAITING = 10_000;

export interface LedgerOptions {
  /** Numbers a session gets at a time: 1 for a process that answers one event. */
  readonly blockSize: number;
  /** Asked anew each time, since settings may change while the process lives. */
  retention?(): Retention;
  random(): number;
  /** Called when something waits for `flush`, or still does after a part was written. */
  onWaiting?(isBehind: boolean): void;
  /** Events are not in the ledger although their reply is out; less than nothing when they are after all. */
  onUnrecorded?(change: Unrecorded): void;
}

interface Waiting {
  readonly row: LedgerRow;
  readonly seq: number | undefined;
  readonly detail: () => LedgerDetail;
  readonly committed: boolean;
  /** Told as unrecorded. */
  isMissed: boolean;
}

export function createSqliteLedger(db: Database, options: LedgerOptions): SqliteLedger {
  const retention = options.retention ?? (() => RETENTION);
  const sequence = createSequence(db, options.blockSize);
  const answers = createStoredAnswers(db, options.blockSize > 1);
  const rows = createRowWriter(db, () => retention().bodies > 0);
  const insertRelay = createRelayWriter(db);
  let waiting: Waiting[] = [];
  let relays: RelayRecord[] = [];
  /** Somebody was told that something waits. */
  let announced = false;
  const committed = new Map<string, number>();

  function announce(isBehind = false): void {
    if (announced) return;
    announced = true;
    options.onWaiting?.(isBehind);
  }

  const transaction = (work: () => void) => inTransaction(db, sequence, work);

  /** Tells of rows whose standing changes. What was told and never written stays told, whatever becomes of this process. */
  function tell(batch: readonly Waiting[], isMissed: boolean): void {
    const changed = batch.filter((each) => !each.committed && each.isMissed !== isMissed);
    if (changed.length === 0) return;
    for (const each of changed) each.isMissed = isMissed;
    const sign = isMissed ? 1 : -1;
    const decided = changed.filter(({ row }) => isDecided(row)).length;
    options.onUnrecorded?.({ events: sign * changed.length, decided: sign * decided });
  }

  function flush(most = waiting.length): void {
    if (waiting.length + relays.length === 0) return;
    // With all that have no number yet: behind this, events that come later find numbers at hand.
    const count = Math.max(most, waiting.findLastIndex((each) => !each.committed && each.seq === undefined) + 1);
    const batch = waiting.slice(0, count);
    const relayed = relays;
    waiting = waiting.slice(count);
    relays = [];
    const { bodies } = retention();
    try {
      rows.ready();
      transaction(() => {
        rows.batch(() => {
          for (const { row, seq, detail, committed: stored } of batch) {
            const n = stored ? committed.get(row.id) : rows.put(row, seq ?? sequence.take(row.session));
            if (n !== undefined) rows.putDetail(n, row, detail(), { bodies, stored });
          }
        });
        for (const record of relayed) insertRelay(record, bodies);
        for (const session of new Set(batch.map(({ row }) => row.session))) sequence.topUp(session);
      });
    } catch (error) {
      // Kept for the next flush, which the next record asks for.
      waiting = [...batch, ...waiting].slice(-MAX_WAITING);
      relays = relayed.slice(-MAX_WAITING);
      tell(batch, true);
      throw error;
    } finally {
      announced = false;
    }
    for (const { row } of batch) committed.delete(row.id);
    tell(batch, false);
    if (waiting.length > 0) announce(true);
  }

  return {
    nextId: createIds(options.random),
    write(row) {
      const n = rows.put(row, sequence.take(row.session));
      committed.set(row.id, n);
      answers.keep(row.delivery, row.answer);
    },
    stored: sequence.confirm,
    undo() {
      committed.clear();
      sequence.forget();
      answers.forget();
    },
    moved: answers.moved,
    answered: answers.find,
    held: sequence.held,
    record(row, detail, stored) {
      const seq = stored ? undefined : sequence.peek(row.session);
      waiting.push({ row, detail, committed: stored, seq, isMissed: false });
      announce();
    },
    relay(record) {
      relays.push(record);
      announce();
    },
    flush,
    rotate(now) {
      let removed = 0;
      transaction(() => {
        const { rows: most, days } = retention();
        const over = now - days * 86_400_000;
        rotateRelays(db, over, most);
        removed = rotateRows(db, over, most);
      });
      return removed;
    },
    close() {
      flush();
      transaction(() => sequence.giveBack());
    },
    abandon: () => tell(waiting, true),
  };
}

function inTransaction(db: Database, sequence: Sequence, work: () => void): void {
  db.exec('BEGIN IMMEDIATE');
  try {
    work();
    db.exec('COMMIT');
    sequence.confirm();
  } catch (error) {
    sequence.forget();
    try {
      db.exec('ROLLBACK');
    } catch {
      // SQLite has already rolled back, as it does when the disk is full.
    }
    throw error;
  }
}
