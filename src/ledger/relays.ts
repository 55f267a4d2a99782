import { redactValue, shorten } from './redact.ts';
import type { RelayRecord } from '../event/follow-up.ts';
import { parseValue } from '../state/cells.ts';
import type { Database, Statement } from '../platform/database.ts';

export const RELAY_SCHEMA = `
CREATE TABLE IF NOT EXISTS relays (
  n INTEGER PRIMARY KEY, at INTEGER NOT NULL, event TEXT NOT NULL, rule TEXT NOT NULL, variant TEXT NOT NULL, message TEXT NOT NULL,
  variables TEXT, session TEXT, root TEXT NOT NULL
);`;

export interface StoredRelay extends RelayRecord {
  /** Position in the log: later records have higher ones. */
  readonly n: number;
}

export interface RelayFilter {
  readonly session?: string;
  /** The workspace root. */
  readonly root?: string;
  readonly rule?: string;
  /** Milliseconds since the epoch. */
  readonly since?: number;
  readonly after?: number;
  /** The newest so many. */
  readonly last?: number;
}

/** Writes one record, inside a transaction; texts are cut to `length`. */
export function createRelayWriter(db: Database): (record: RelayRecord, length: number) => void {
  let insert: Statement | undefined;
  return ({ at, event, rule, variant, message, variables, session, root }, length) => {
    insert ??= db.prepare(
      'INSERT INTO relays (at, event, rule, variant, message, variables, session, root) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
    );
    const values = variables === undefined ? null : JSON.stringify(redactValue(variables, length));
    insert.run(at, event, rule, variant, shorten(message, length), values, session ?? null, root);
  };
}

/** Deletes what is over age or over number. */
export function rotateRelays(db: Database, oldest: number, rows: number): void {
  db.prepare(
    'DELETE FROM relays WHERE at < ? OR n <= (SELECT coalesce((SELECT n FROM relays ORDER BY n DESC LIMIT 1 OFFSET ?), 0))',
  ).run(oldest, rows);
}

/** Newest last. */
export function readRelays(db: Database, filter: RelayFilter = {}): StoredRelay[] {
  const tests: string[] = [];
  const values: (string | number)[] = [];
  const add = (test: string, value: string | number | undefined) => {
    if (value === undefined) return;
    tests.push(test);
    values.push(value);
  };
  add('session = ?', filter.session);
  add('rule = ?', filter.rule);
  add('root = ?', filter.root);
  add('at >= ?', filter.since);
  add('n > ?', filter.after);
  const where = tests.length === 0 ? '' : `WHERE ${tests.join(' AND ')}`;
  const found = db
    .prepare(`SELECT * FROM relays ${where} ORDER BY n DESC LIMIT ?`)
    .all(...values, filter.last ?? -1) as Raw[];
  return found.toReversed().map(toRelay);
}

/** Sessions in the log whose id begins so. */
export function findRelaySessions(db: Database, prefix: string): string[] {
  const found = db
    .prepare('SELECT DISTINCT session FROM relays WHERE substr(session, 1, ?) = ? ORDER BY session LIMIT 20')
    .all(prefix.length, prefix) as { session: string }[];
  return found.map(({ session }) => session);
}

export function newestRelay(db: Database): number {
  return (db.prepare('SELECT coalesce(max(n), 0) AS n FROM relays').get() as { n: number }).n;
}

interface Raw extends Omit<StoredRelay, 'variables' | 'session'> {
  readonly variables: string | null;
  readonly session: string | null;
}

function toRelay({ variables, session, ...rest }: Raw): StoredRelay {
  const values = parseValue(variables ?? undefined) as RelayRecord['variables'];
  return { ...rest, ...(values && { variables: values }), ...(session !== null && { session }) };
}
