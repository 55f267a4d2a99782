import type { LedgerDetail, LedgerRow } from '../event/ledger-row.ts';
import type { Mutable } from '../event/mutable.ts';
import type { Decision } from '../event/verdict.ts';
import type { Database } from '../platform/database.ts';
import { hasTable } from './has-table.ts';

/**
 * What a session came to, kept with its rows, so that nobody has to read them all. `first_n` and `last_n` are its first and its
 * last row: between them lie all of its rows.
 */
export const SESSION_SUM_SCHEMA = `
CREATE TABLE IF NOT EXISTS session_sums (
  session TEXT PRIMARY KEY, agent TEXT NOT NULL, root TEXT NOT NULL, first INTEGER NOT NULL, last INTEGER NOT NULL,
  first_n INTEGER NOT NULL, last_n INTEGER NOT NULL, ended INTEGER NOT NULL, events INTEGER NOT NULL, denies INTEGER NOT NULL,
  asks INTEGER NOT NULL, saves INTEGER NOT NULL, notes INTEGER NOT NULL, chars INTEGER NOT NULL, micros REAL NOT NULL
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS session_sums_last ON session_sums (last);`;

const ADDED = ['events', 'denies', 'asks', 'saves', 'notes', 'chars', 'micros'] as const;

/** Of the newest of its events. */
const NEWEST = ['agent', 'root', 'ended'] as const;

export interface SessionSum extends Readonly<Record<(typeof ADDED)[number], number>> {
  readonly session: string;
  readonly agent: string;
  readonly root: string;
  readonly first: number;
  readonly last: number;
  readonly first_n: number;
  readonly last_n: number;
  /** 1 once its end was heard of, and nothing since. */
  readonly ended: number;
}

type Tally = Mutable<SessionSum>;

export interface SessionSums {
  /** `micros`: what the event took in all. */
  count(n: number, row: LedgerRow, detail: LedgerDetail, micros: number): void;
  /** Writes what was counted since it was last called. */
  write(): void;
  /** Forgets that. */
  drop(): void;
}

const COLUMNS = [
  ...['session', 'agent', 'root', 'first', 'last', 'first_n', 'last_n', 'ended'],
  ...ADDED,
] as readonly (keyof SessionSum)[];

/** Counts with each row's detail, after the reply; many rows of a session are one write. */
export function createSessionSums(db: Database): SessionSums {
  const prepare = () =>
    db.prepare(
      `INSERT INTO session_sums (${COLUMNS.join(', ')}) VALUES (${COLUMNS.map(() => '?').join(', ')})
       ON CONFLICT DO UPDATE SET first = min(first, excluded.first), first_n = min(first_n, excluded.first_n),
         ${NEWEST.map((name) => `${name} = iif(excluded.last >= last, excluded.${name}, ${name})`).join(', ')},
         last = max(last, excluded.last), last_n = max(last_n, excluded.last_n), ${ADDED.map((name) => `${name} = ${name} + excluded.${name}`).join(', ')}`,
    );
  let statement: ReturnType<typeof prepare> | undefined;
  const tallies = new Map<string, Tally>();

  return {
    count(n, row, { decision, isTrial }, micros) {
      if (isTrial) return;
      const { session, agent, root, at, event, action, chars } = row;
      let tally = tallies.get(session);
      if (!tally) tallies.set(session, (tally = emptyTally(n, row)));
      // Rows come neither in the order of their numbers nor in that of time.
      if (at >= tally.last) {
        tally.agent = agent;
        tally.root = root;
        tally.ended = Number(event === 'session.end');
      }
      tally.first = Math.min(tally.first, at);
      tally.last = Math.max(tally.last, at);
      tally.first_n = Math.min(tally.first_n, n);
      tally.last_n = Math.max(tally.last_n, n);
      tally.events += 1;
      tally.chars += chars;
      tally.micros += micros;
      if (action === 'deny') tally.denies += 1;
      if (action === 'ask') tally.asks += 1;
      if (action === 'save') tally.saves += 1;
      if (chars > 0) tally.notes += (decision as Decision).notes.length;
    },
    write() {
      if (tallies.size === 0) return;
      statement ??= prepare();
      for (const tally of tallies.values()) statement.run(...COLUMNS.map((name) => tally[name]));
      this.drop();
    },
    drop() {
      tallies.clear();
    },
  };
}

/** Not spread together, which takes 20 µs. */
function emptyTally(n: number, { session, agent, root, at }: LedgerRow): Tally {
  return {
    session,
    agent,
    root,
    first: at,
    last: at,
    first_n: n,
    last_n: n,
    ended: 0,
    events: 0,
    denies: 0,
    asks: 0,
    saves: 0,
    notes: 0,
    chars: 0,
    micros: 0,
  };
}

/** How many rows of an older ledger are summed up when the table is made. Those whose detail is still to come are counted with it. */
const MOST_BEFORE = 20_000;

export function beginSessionSums(db: Database): void {
  const isNew = !hasTable(db, 'session_sums');
  db.exec(SESSION_SUM_SCHEMA);
  if (!isNew) return;
  const sums = ["action = 'deny'", "action = 'ask'", "action = 'save'", "action = 'pass' AND chars > 0"];
  db.exec(
    `INSERT OR IGNORE INTO session_sums (${COLUMNS.join(', ')})
     SELECT session, max(agent), max(root), min(at), max(at), min(n), max(n), 0, count(*), ${sums.map((test) => `sum(${test})`).join(', ')},
       sum(chars), sum(micros) FROM (SELECT events.* FROM events JOIN details USING (n) ORDER BY n DESC LIMIT ${MOST_BEFORE}) GROUP BY session`,
  );
}

/** Of sessions that have no row left. */
export function rotateSessionSums(db: Database): void {
  db.exec(`${SESSION_SUM_SCHEMA}
           DELETE FROM session_sums WHERE last_n < (SELECT coalesce(min(n), 9e18) FROM events);`);
}

export interface SumFilter {
  readonly since?: number;
  /** The last event lies before that one of this session; both together are where a page begins. */
  readonly before?: { readonly last: number; readonly session: string };
  readonly most: number;
}

/** The newest first. */
export function readSessionSums(db: Database, { since = 0, before, most }: SumFilter): SessionSum[] {
  if (!hasTable(db, 'session_sums')) return [];
  const end = before ?? { last: Number.MAX_SAFE_INTEGER, session: '' };
  return db
    .prepare(
      `SELECT * FROM session_sums WHERE last >= ? AND (last, session) < (?, ?) ORDER BY last DESC, session DESC LIMIT ?`,
    )
    .all(since, end.last, end.session, most) as SessionSum[];
}

export function readSessionSum(db: Database, session: string): SessionSum | undefined {
  if (!hasTable(db, 'session_sums')) return undefined;
  return db.prepare('SELECT * FROM session_sums WHERE session = ?').get(session) as SessionSum | undefined;
}
