import type { Event } from '../event/event.ts';
import type { LedgerRow } from '../event/ledger-row.ts';
import type { Action } from '../event/verdict.ts';
import type { Database } from '../platform/database.ts';
import { countFatesLeaving } from './outbox-sums.ts';
import { whereOf } from './read.ts';
import type { RowFilter } from './read.ts';

/** What became of a decision on the agent's side. */
export const FATES = [
  'delivered',
  'cut',
  'misplaced',
  'denied',
  'allowed',
  'refused',
  'late',
  'failed',
  'unseen',
] as const;
export type FateName = (typeof FATES)[number];

export const FATE_WORDS: Readonly<Record<FateName, string>> = {
  delivered: 'delivered',
  cut: 'delivered cut',
  misplaced: 'in the wrong envelope',
  denied: 'denied as told',
  allowed: 'asked and allowed',
  refused: 'asked and refused',
  late: 'timed out',
  failed: 'failed',
  unseen: 'never seen',
};

/** Only decisions that were sent to the agent have a fate: what was not decided, or not said, has none. */
export const FATE_SCHEMA = `
CREATE TABLE IF NOT EXISTS fates (
  n INTEGER PRIMARY KEY, session TEXT NOT NULL, call TEXT NOT NULL, subagent TEXT NOT NULL, traces TEXT NOT NULL DEFAULT '', fate TEXT
);
CREATE INDEX IF NOT EXISTS open_fates ON fates (session) WHERE fate IS NULL;`;

/** A decision whose fate is not known yet. */
export interface OpenFate {
  readonly n: number;
  readonly event: string;
  readonly at: number;
  readonly action: Action;
  readonly rules: readonly string[];
  /** Characters for the model. */
  readonly chars: number;
  /** The id of its tool call, or nothing. */
  readonly call: string;
  /** The id of its sub-agent, or nothing. */
  readonly subagent: string;
  /** What was found of it so far. */
  readonly traces: readonly string[];
}

export interface FateBook {
  /** The oldest first. */
  open(session: string): readonly OpenFate[];
  keep(found: readonly { readonly n: number; readonly traces: readonly string[]; readonly fate?: FateName }[]): void;
}

/** Called with each row's detail, after the reply. */
export function createFateOpener(db: Database): (n: number, row: LedgerRow, event: Event) => void {
  const insert = db.prepare('INSERT OR IGNORE INTO fates (n, session, call, subagent) VALUES (?, ?, ?, ?)');
  return (n, { session, action, rules, replyBytes, copy }, { tool, subagent }) => {
    if (replyBytes === 0 || copy || (action === 'pass' && rules === '')) return;
    insert.run(n, session, tool?.id ?? '', subagent?.id ?? '');
  };
}

/** The most decisions of one session that are looked for at once; older ones are given up. */
const MOST_OPEN = 2_000;

export function createFateBook(db: Database): FateBook {
  const find = db.prepare(
    `SELECT n, event, at, action, rules, chars, call, subagent, traces FROM fates JOIN events USING (n)
     WHERE fates.session = ? AND fate IS NULL ORDER BY n DESC LIMIT ${MOST_OPEN}`,
  );
  const update = db.prepare('UPDATE fates SET traces = ?, fate = ? WHERE n = ?');
  return {
    open: (session) =>
      (find.all(session) as (Omit<OpenFate, 'rules' | 'traces'> & { rules: string; traces: string })[])
        .toReversed()
        .map(({ rules, traces, ...rest }) => ({ ...rest, rules: listIn(rules), traces: listIn(traces) })),
    keep(found) {
      db.exec('BEGIN IMMEDIATE');
      try {
        for (const { n, traces, fate } of found) update.run(traces.join(','), fate ?? null, n);
        countFatesLeaving(db, found);
        db.exec('COMMIT');
      } catch (error) {
        db.exec('ROLLBACK');
        throw error;
      }
    },
  };
}

const listIn = (text: string): readonly string[] => (text === '' ? [] : text.split(','));

/** The fates of rows, as far as they are known; `open` where it is not known yet. */
export function readFates(db: Database, rows: readonly { readonly n: number }[]): Map<number, FateName | 'open'> {
  const find = db.prepare('SELECT fate FROM fates WHERE n = ?');
  const fates = new Map<number, FateName | 'open'>();
  for (const { n } of rows) {
    const found = find.get(n) as { fate: FateName | null } | undefined;
    if (found) fates.set(n, found.fate ?? 'open');
  }
  return fates;
}

/** How many decisions had which fate. */
export function countFates(db: Database, filter: RowFilter): Readonly<Record<string, number>> {
  const { sql, values } = whereOf(filter);
  const found = db
    .prepare(
      `SELECT coalesce(fate, 'open') AS fate, count(*) AS count FROM fates WHERE n IN (SELECT n FROM events ${sql}) GROUP BY 1`,
    )
    .all(...values) as { fate: string; count: number }[];
  return Object.fromEntries(found.map(({ fate, count }) => [fate, count]));
}
