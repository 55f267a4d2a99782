import { createIds, RETENTION } from './ledger.ts';
import type { Ledger, Retention } from './ledger.ts';
import { cutTexts, mayHoldSecret, redactAnswer, redactValue } from './redact.ts';
import { createRelayWriter, RELAY_SCHEMA, rotateRelays } from './relays.ts';
import type { LedgerDetail, LedgerRow, StageTimes } from '../event/ledger-row.ts';
import { createSequence, SEQUENCE_SCHEMA } from './sequence.ts';
import type { Sequence } from './sequence.ts';
import { createStoredAnswers } from './stored-answers.ts';
import type { RelayRecord } from '../event/follow-up.ts';
import type { Database } from '../platform/database.ts';

export const LEDGER_SCHEMA = `
CREATE TABLE IF NOT EXISTS events (
  n INTEGER PRIMARY KEY, id TEXT NOT NULL, session TEXT NOT NULL, seq INTEGER NOT NULL, at INTEGER NOT NULL,
  agent TEXT NOT NULL, event TEXT NOT NULL, tool TEXT NOT NULL, root TEXT NOT NULL, action TEXT NOT NULL, rules TEXT NOT NULL,
  chars INTEGER NOT NULL, reply_bytes INTEGER NOT NULL, micros REAL NOT NULL, tier INTEGER NOT NULL, digest TEXT NOT NULL,
  changed INTEGER NOT NULL, copy INTEGER NOT NULL, delivery TEXT, answer TEXT
);
CREATE TABLE IF NOT EXISTS details (n INTEGER PRIMARY KEY, body TEXT NOT NULL);
${SEQUENCE_SCHEMA}${RELAY_SCHEMA}`;

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
}

/** Characters kept of each text of a neutral event. */
const NEUTRAL_BODY = 300;

/** Rows that a busy or full disk may keep waiting. */
const MAX_WAITING = 10_000;

export interface LedgerOptions {
  /** Numbers a session gets at a time: 1 for a process that answers one event. */
  readonly blockSize: number;
  /** Asked anew each time, since settings may change while the process lives. */
  retention?(): Retention;
  random(): number;
  /** Called when something waits for `flush`. */
  onWaiting?(): void;
}

interface Waiting {
  readonly row: LedgerRow;
  readonly seq: number | undefined;
  readonly detail: () => LedgerDetail;
  readonly committed: boolean;
}

export function createSqliteLedger(db: Database, options: LedgerOptions): SqliteLedger {
  const retention = options.retention ?? (() => RETENTION);
  const sequence = createSequence(db, options.blockSize);
  const answers = createStoredAnswers(db, options.blockSize > 1);
  const insert = db.prepare(
    `INSERT INTO events (id, session, seq, at, agent, event, tool, root, action, rules, chars, reply_bytes, micros, tier, digest, changed, copy, delivery, answer)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  /** Most rows are neutral, and most of what such a row holds is the same in all of them. */
  const insertNeutral = db.prepare(
    `INSERT INTO events (id, session, seq, at, agent, event, tool, root, action, rules, chars, reply_bytes, micros, tier, digest, changed, copy)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, 'pass', '', 0, 0, ?, ?, ?, 0, 0)`,
  );
  const setMicros = db.prepare('UPDATE events SET micros = ? WHERE n = ?');
  const insertDetail = db.prepare('INSERT OR REPLACE INTO details (n, body) VALUES (?, ?)');
  const insertRelay = createRelayWriter(db);
  let waiting: Waiting[] = [];
  let relays: RelayRecord[] = [];
  /** Somebody was told that something waits. */
  let announced = false;
  const committed = new Map<string, number>();

  function announce(): void {
    if (announced) return;
    announced = true;
    options.onWaiting?.();
  }

  function putNeutral(row: LedgerRow, seq: number): number {
    const { id, session, at, agent, event, tool, root, micros, tier, digest } = row;
    return Number(
      insertNeutral.run(id, session, seq, at, agent, event, tool, root, micros, tier, digest).lastInsertRowid,
    );
  }

  function put(row: LedgerRow, seq: number): number {
    if (isNeutral(row) && row.replyBytes === 0 && !row.copy) return putNeutral(row, seq);
    const answer = row.answer === undefined ? undefined : redactAnswer(row.answer);
    return Number(
      insert.run(
        row.id,
        row.session,
        seq,
        row.at,
        row.agent,
        row.event,
        row.tool,
        row.root,
        row.action,
        row.rules,
        row.chars,
        row.replyBytes,
        row.micros,
        row.tier,
        row.digest,
        Number(row.changed),
        Number(row.copy),
        answer === undefined ? null : (row.delivery ?? null),
        answer ?? null,
      ).lastInsertRowid,
    );
  }

  function bodyOf(detail: LedgerDetail, row: LedgerRow, bodies: number): string {
    const { event, trace, decision, times, attempts, unread } = detail;
    // Nobody asks for the whole text of what changed nothing, and there is far more of it.
    const neutral = isNeutral(row);
    const length = neutral ? Math.min(bodies, NEUTRAL_BODY) : bodies;
    const about = { times: rounded(times), attempts, ...(unread === true ? { unread } : {}) };
    // Most bodies name nothing secret: they are done with after one look at the whole.
    const whole = JSON.stringify({
      event: cutTexts(event, length),
      ...(trace.length > 0 ? { trace: cutTexts(trace, length) } : {}),
      ...(neutral ? {} : { decision: cutTexts(decision, length) }),
      ...about,
    });
    if (!mayHoldSecret(whole)) return whole;
    const clean = (value: unknown) => redactValue(value, length);
    return JSON.stringify({
      event: clean(event),
      trace: trace.map((entry) => clean(entry)),
      decision: clean(decision),
      ...about,
    });
  }

  function transaction(work: () => void): void {
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

  function flush(): void {
    if (waiting.length + relays.length === 0) return;
    const batch = waiting;
    const relayed = relays;
    waiting = [];
    relays = [];
    const { bodies } = retention();
    try {
      transaction(() => {
        for (const { row, seq, detail, committed: stored } of batch) {
          const n = stored ? committed.get(row.id) : put(row, seq ?? sequence.take(row.session));
          if (n === undefined) continue;
          const full = detail();
          insertDetail.run(n, bodyOf(full, row, bodies));
          // The row was written inside the commit, whose time it could not know.
          if (stored) setMicros.run(totalOf(full.times), n);
        }
        for (const record of relayed) insertRelay(record, bodies);
        for (const session of new Set(batch.map(({ row }) => row.session))) sequence.topUp(session);
      });
    } catch (error) {
      // Kept for the next flush, which the next record asks for.
      waiting = batch.slice(-MAX_WAITING);
      relays = relayed.slice(-MAX_WAITING);
      throw error;
    } finally {
      announced = false;
    }
    for (const { row } of batch) committed.delete(row.id);
  }

  return {
    nextId: createIds(options.random),
    write(row) {
      const n = put(row, sequence.take(row.session));
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
      waiting.push({ row, detail, committed: stored, seq: stored ? undefined : sequence.peek(row.session) });
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
        const { rows, days } = retention();
        const over = now - days * 86_400_000;
        rotateRelays(db, over, rows);
        const oldest = db.prepare('SELECT n FROM events ORDER BY n DESC LIMIT 1 OFFSET ?').get(rows) as
          | { n: number }
          | undefined;
        removed = Number(db.prepare('DELETE FROM events WHERE n <= ? OR at < ?').run(oldest?.n ?? 0, over).changes);
        if (removed > 0) {
          db.exec(`DELETE FROM details WHERE n NOT IN (SELECT n FROM events);
                   DELETE FROM sequences WHERE session NOT IN (SELECT session FROM events);
                   DELETE FROM released WHERE session NOT IN (SELECT session FROM sequences);`);
        }
      });
      return removed;
    },
    close() {
      flush();
      transaction(() => sequence.giveBack());
    },
  };
}

function isNeutral({ action, rules, changed }: LedgerRow): boolean {
  return action === 'pass' && rules === '' && !changed;
}

/** To tenths of a microsecond: what is finer is noise, and long to write. */
function rounded(times: StageTimes): StageTimes {
  const round = (micros: number) => Math.round(micros * 10) / 10;
  const { parse, workspace, effects = 0, select, rules, render, commit } = times;
  return {
    parse: round(parse),
    workspace: round(workspace),
    ...(effects > 0 && { effects: round(effects) }),
    select: round(select),
    rules: round(rules),
    render: round(render),
    commit: round(commit),
  };
}

function totalOf(times: StageTimes): number {
  return Object.values(times).reduce((sum: number, micros: number) => sum + micros, 0);
}
