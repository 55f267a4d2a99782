import type { LedgerDetail } from '../event/ledger-row.ts';
import type { Database } from '../platform/database.ts';
import { hasColumn, hasTable } from './has-table.ts';
import { readLeavingSums } from './outbox-sums.ts';
import type { LeavingSum } from './outbox-sums.ts';
import { chainIn, resumed } from './outbox-chain.ts';
import type { Chain, ChainMoved } from './outbox-chain.ts';
import { detailOf, newestRow, toRow } from './read.ts';
import type { RawRow, StoredRow } from './read.ts';

/**
 * How far the ledger has been sent. The rows themselves are what waits: there is no second store, and an event pays nothing. `n` is the last
 * row that arrived or was passed over; `sent` and `lost` count rows. `chain` numbers what leaves and links each to the one before.
 */
export const OUTBOX_SCHEMA = `
CREATE TABLE IF NOT EXISTS outbox (
  id INTEGER PRIMARY KEY CHECK (id = 1), machine TEXT NOT NULL, since INTEGER NOT NULL, is_on INTEGER NOT NULL, every INTEGER NOT NULL,
  n INTEGER NOT NULL, sent INTEGER NOT NULL DEFAULT 0, lost INTEGER NOT NULL DEFAULT 0, told INTEGER NOT NULL DEFAULT 0,
  refused INTEGER NOT NULL DEFAULT 0, sent_at INTEGER, failed_at INTEGER, problem TEXT, chain TEXT
);
CREATE TABLE IF NOT EXISTS outbox_sums (
  metric TEXT NOT NULL, key TEXT NOT NULL, value REAL NOT NULL, PRIMARY KEY (metric, key)
) WITHOUT ROWID;`;

/** Which rows are sent: those on which a rule had something to say, as `isDecided` has it, or every one. */
const WANTED = `(every OR action <> 'pass' OR rules <> '')`;

/** Rows that are looked at in one step: most are of events on which no rule had anything to say. */
const STEP_ROWS = 2_000;
/** A row that was committed with its event gets its detail after the reply. One that has none by then belongs to a process that was killed. */
const DETAIL_MS = 10_000;

export interface OutboxState {
  /** Made by chance with the state file: two files never have the same. */
  readonly machine: string;
  /** From when on sums count. */
  readonly since: number;
  readonly isOn: boolean;
  readonly n: number;
  readonly sent: number;
  /** Deleted for their age or number before they arrived. */
  readonly lost: number;
  /** How many of these the receiver has been told of. */
  readonly told: number;
  /** Taken by the receiver and not kept, or not taken at all. */
  readonly refused: number;
  readonly sentAt?: number;
  readonly failedAt?: number;
  /** Why the last ones did not arrive; absent once they did. */
  readonly problem?: string;
  readonly chain: Chain;
}

/** A decision as it leaves the machine. */
export interface LeavingRow extends StoredRow {
  /** As stored, so redacted; absent where the process was killed before it wrote it. */
  readonly detail?: LedgerDetail;
}

export interface Step {
  readonly rows: readonly LeavingRow[];
  /** The last row that was looked at. */
  readonly n: number;
  /** Nothing is left to look at now. */
  readonly isLast: boolean;
}

export interface Arrived {
  readonly n: number;
  readonly sent: number;
  readonly refused: number;
  readonly told: number;
  readonly at: number;
  readonly chain: ChainMoved;
}

export interface Outbox {
  /** Undefined when nothing was ever sent. */
  state(): OutboxState | undefined;
  /** Has rows wait from now on, or from `from` on, when this was asked for. */
  begin(machine: string, every: boolean, times: { readonly now: number; readonly from: number }): void;
  end(): void;
  /** The next rows behind `n`. */
  step(n: number, now: number): Step;
  /** Before anything leaves: how far it may arrive. What was noted once is repeated as it was. False as for `arrived`. */
  sending(state: OutboxState, chain: Chain): boolean;
  /** What may have arrived cannot be repeated as it was: the chain goes on behind it, and says so. */
  resume(state: OutboxState, at: number): boolean;
  /** False when rows were deleted meanwhile, or another process was faster: then the same is read again. */
  arrived(state: OutboxState, arrived: Arrived): boolean;
  /** Nothing up to there is to be sent. */
  passed(state: OutboxState, n: number): void;
  failed(problem: string, at: number): void;
  /** The newest row. */
  newest(): number;
  sums(): readonly LeavingSum[];
}

/** Nobody else has moved on. */
const SAME = 'n = ? AND sent = ? AND lost = ? AND chain IS ?';
const sameAs = ({ n, sent, lost, chain }: OutboxState) =>
  [n, sent, lost, chain.isNew ? null : JSON.stringify(chain)] as const;

/** The most rows of one step: an event that arrives meanwhile waits for it. */
const MOST = 32;

export function createOutbox(db: Database): Outbox {
  const find = once(() =>
    db.prepare(
      `SELECT events.*, body FROM events LEFT JOIN details USING (n), (SELECT every FROM outbox)
       WHERE n > ? AND n <= ? AND ${WANTED} ORDER BY n LIMIT ${MOST}`,
    ),
  );
  const advance = once(() =>
    db.prepare(
      `UPDATE outbox SET n = ?, sent = sent + ?, refused = refused + ?, told = ?, sent_at = ?, problem = NULL, chain = ? WHERE ${SAME}`,
    ),
  );
  const setChain = once(() => db.prepare(`UPDATE outbox SET chain = ? WHERE ${SAME}`));
  const put = (state: OutboxState, chain: Chain) =>
    Number(setChain().run(JSON.stringify(chain), ...sameAs(state)).changes) > 0;

  return {
    state: () => readOutbox(db),
    begin(machine, every, { now, from }) {
      db.exec(OUTBOX_SCHEMA);
      if (!hasColumn(db, 'outbox', 'chain')) db.exec('ALTER TABLE outbox ADD COLUMN chain TEXT');
      const known = readOutbox(db);
      if (known?.isOn) {
        db.prepare('UPDATE outbox SET every = ? WHERE every <> ?').run(Number(every), Number(every));
        return;
      }
      // Nobody had asked for what lies before.
      const before = db.prepare('SELECT n FROM events WHERE at < ? ORDER BY n DESC LIMIT 1').get(from) as
        | { n: number }
        | undefined;
      const n = Math.max(before?.n ?? 0, known?.n ?? 0);
      db.prepare(
        `INSERT INTO outbox (id, machine, since, is_on, every, n) VALUES (1, ?, ?, 1, ?, ?)
         ON CONFLICT DO UPDATE SET is_on = 1, every = excluded.every, n = excluded.n`,
      ).run(machine, now, Number(every), n);
    },
    end() {
      if (hasTable(db, 'outbox')) db.exec('UPDATE outbox SET is_on = 0 WHERE is_on');
    },
    step(n, now) {
      const end = newestRow(db);
      const until = Math.min(n + STEP_ROWS, end);
      const found = find().all(n, until) as (RawRow & { body: string | null })[];
      const awaited = found.findIndex(({ body, at }) => body === null && now - at >= 0 && now - at < DETAIL_MS);
      const ready = awaited < 0 ? found : found.slice(0, awaited);
      const rows = ready.flatMap(({ body, ...raw }): LeavingRow[] => {
        const detail = body === null ? undefined : readable(body);
        return detail?.isTrial ? [] : [{ ...toRow(raw), ...(detail && { detail }) }];
      });
      const isCut = awaited >= 0 || found.length === MOST;
      return {
        rows,
        n: isCut ? (ready.at(-1)?.n ?? n) : until,
        isLast: awaited >= 0 || (!isCut && until === end),
      };
    },
    sending: put,
    resume: (state, at) => put(state, resumed(state.chain, at)),
    arrived(state, { n: upTo, sent: more, refused, told, at, chain }) {
      const { tried, triedHead } = state.chain;
      const isPast = chain.sequence >= tried;
      const moved: Chain = {
        ...chain,
        ...(isPast ? { tried: chain.sequence, triedHead: chain.head } : { tried, triedHead }),
      };
      const given = [upTo, more, refused, told, at, JSON.stringify(moved)] as const;
      return Number(advance().run(...given, ...sameAs(state)).changes) > 0;
    },
    passed({ n, sent, lost }, upTo) {
      db.prepare('UPDATE outbox SET n = ? WHERE n = ? AND sent = ? AND lost = ?').run(upTo, n, sent, lost);
    },
    failed(problem, at) {
      db.prepare('UPDATE outbox SET problem = ?, failed_at = ?').run(problem, at);
    },
    newest: () => newestRow(db),
    sums: () => readLeavingSums(db),
  };
}

/** One that cannot be read does not keep the others waiting. */
function readable(body: string): LedgerDetail | undefined {
  try {
    return detailOf(body);
  } catch {
    return undefined;
  }
}

/** Statements are made when the table is there, and once. */
function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}

export function readOutbox(db: Database): OutboxState | undefined {
  if (!hasTable(db, 'outbox')) return undefined;
  const found = db.prepare('SELECT * FROM outbox').get() as
    | (Record<'machine', string> &
        Record<'since' | 'is_on' | 'n' | 'sent' | 'lost' | 'told' | 'refused', number> &
        Record<'sent_at' | 'failed_at', number | null> & { problem: string | null; chain?: string | null })
    | undefined;
  if (!found) return undefined;
  const { machine, since, is_on: isOn, n, sent, lost, told, refused, sent_at: sentAt, failed_at: failedAt } = found;
  return {
    ...{ machine, since, isOn: isOn === 1, n, sent, lost, told, refused },
    ...(sentAt !== null && { sentAt }),
    ...(failedAt !== null && { failedAt }),
    ...(found.problem !== null && { problem: found.problem }),
    chain: chainIn(found.chain ?? null, sent + lost),
  };
}

/** How many rows wait; looks at all of them. */
export function countWaiting(db: Database): number {
  const found = db
    .prepare(`SELECT count(*) AS count FROM events, outbox WHERE events.n > outbox.n AND ${WANTED}`)
    .get() as { count: number };
  return found.count;
}

/** Called in the transaction that deletes rows up to a number or an age, before it does: what still waits is lost. */
export function countLost(db: Database, upTo: number, before: number): void {
  if (!hasTable(db, 'outbox')) return;
  db.prepare(
    `UPDATE outbox SET lost = lost + (SELECT count(*) FROM events WHERE events.n > outbox.n AND (events.n <= ? OR at < ?) AND ${WANTED})
     WHERE is_on`,
  ).run(upTo, before);
}

/** Called in the transaction that deletes rows, after it did: where the newest ones went, their numbers are given again. */
export function followDeleted(db: Database): void {
  if (hasTable(db, 'outbox')) db.exec('UPDATE outbox SET n = min(n, (SELECT coalesce(max(n), 0) FROM events))');
}
