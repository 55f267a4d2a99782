import type { Event } from '../event/event.ts';
import type { LedgerDetail, LedgerRow, RuleTrace } from '../event/ledger-row.ts';
import { NEUTRAL } from '../event/verdict.ts';
import type { Database } from '../platform/database.ts';

export interface StoredRow extends LedgerRow {
  /** Position in the ledger: later events have higher ones. */
  readonly n: number;
  /** Number within its session, without gaps as long as no engine was killed. */
  readonly seq: number;
}

/** What one line calls the decision: its action, or, where nothing was held back, what was said. */
export const OUTCOMES = ['pass', 'warn', 'note', 'allow', 'rewrite', 'save', 'ask', 'deny'] as const;
export type OutcomeName = (typeof OUTCOMES)[number];

export interface RowFilter {
  readonly session?: string;
  /** Rows in which this rule spoke, decided, failed, left a remark, or would have spoken but for its mode. */
  readonly rule?: string;
  readonly event?: string;
  /** The workspace root. */
  readonly root?: string;
  /** Milliseconds since the epoch. */
  readonly since?: number;
  readonly outcomes?: readonly OutcomeName[];
  readonly after?: number;
  readonly before?: number;
  /** The newest so many. */
  readonly last?: number;
}

const OUTCOME_SQL = `CASE WHEN action <> 'pass' THEN action WHEN chars > 0 THEN 'note' WHEN rules <> '' THEN 'warn' ELSE 'pass' END`;

export function outcomeOf({ action, chars, rules }: LedgerRow): OutcomeName {
  if (action !== 'pass') return action;
  return chars > 0 ? 'note' : rules === '' ? 'pass' : 'warn';
}

/** Newest last. */
export function readRows(db: Database, filter: RowFilter = {}): StoredRow[] {
  const { sql, values } = whereOf(filter);
  const limit = filter.last ?? -1;
  const found = db.prepare(`SELECT * FROM events ${sql} ORDER BY n DESC LIMIT ?`).all(...values, limit) as RawRow[];
  return found.toReversed().map(toRow);
}

export function whereOf(
  filter: RowFilter,
  ...more: readonly string[]
): { readonly sql: string; readonly values: (string | number)[] } {
  const tests = [...more];
  const values: (string | number)[] = [];
  const add = (test: string, ...given: (string | number)[]) => {
    tests.push(test);
    values.push(...given);
  };
  if (filter.session !== undefined) add('session = ?', filter.session);
  if (filter.event !== undefined) add('event = ?', filter.event);
  if (filter.root !== undefined) add('root = ?', filter.root);
  if (filter.since !== undefined) add('at >= ?', filter.since);
  if (filter.after !== undefined) add('n > ?', filter.after);
  if (filter.before !== undefined) add('n < ?', filter.before);
  if (filter.outcomes !== undefined) {
    add(`${OUTCOME_SQL} IN (${filter.outcomes.map(() => '?').join(', ')})`, ...filter.outcomes);
  }
  if (filter.rule !== undefined) {
    add(
      `(instr(',' || rules || ',', ',' || ? || ',') > 0 OR EXISTS (
         SELECT 1 FROM details, json_each(details.body, '$.trace') entry
         WHERE details.n = events.n AND entry.value ->> 'rule' = ?
           AND (entry.value ->> 'verdicts' IS NOT NULL OR entry.value ->> 'failed' IS NOT NULL
             OR entry.value ->> 'remark' IS NOT NULL)))`,
      filter.rule,
      filter.rule,
    );
  }
  return { sql: tests.length === 0 ? '' : `WHERE ${tests.join(' AND ')}`, values };
}

/** The decision of that id, or all whose id begins or ends with it. */
export function findDecisions(db: Database, id: string): StoredRow[] {
  const exact = db.prepare('SELECT * FROM events WHERE id = ?').all(id) as RawRow[];
  if (exact.length > 0) return exact.map(toRow);
  const length = id.length;
  const found = db
    .prepare('SELECT * FROM events WHERE substr(id, 1, ?) = ? OR substr(id, -?) = ? ORDER BY n LIMIT 20')
    .all(length, id, length, id) as RawRow[];
  return found.map(toRow);
}

/** What the log tells of an event beside its row. */
export interface Told {
  readonly event: Event;
  /** What rules that said nothing left for the reader, and what those in shadow would have said. */
  readonly remarks: readonly Remark[];
  /** The copy that was made before the call could run. */
  readonly undo?: number;
  /** The policy of a team that said how hard a rule acts which spoke. */
  readonly policy?: string;
}

function policyIn(trace: LedgerDetail['trace']): Pick<Told, 'policy'> {
  const policy = trace.find((entry) => entry.policy !== undefined)?.policy;
  return policy === undefined ? {} : { policy };
}

export interface Remark {
  readonly rule: string;
  readonly reason: string;
}

/** Only for rows whose detail was written. */
export function readTold(db: Database, rows: readonly StoredRow[]): Map<number, Told> {
  // Most details have no remark, and their trace is not taken apart.
  const find = db.prepare(
    `SELECT body -> '$.event' AS event, body ->> '$.decision.kept.number' AS undo, CASE WHEN instr(body, '"remark":true') > 0 OR instr(body, '"mode":"shadow"') > 0 OR instr(body, '"policy":"') > 0 OR instr(body, '"shared":"') > 0
       THEN body -> '$.trace' END AS trace FROM details WHERE n = ?`,
  );
  const told = new Map<number, Told>();
  for (const { n } of rows) {
    const found = find.get(n) as { event: string | null; undo: number | null; trace: string | null } | undefined;
    if (!found) continue;
    const trace = JSON.parse(found.trace ?? '[]') as LedgerDetail['trace'];
    told.set(n, {
      event: JSON.parse(found.event ?? '{}') as Event,
      remarks: trace.flatMap(remarksOf),
      ...policyIn(trace),
      ...(found.undo !== null && { undo: found.undo }),
    });
  }
  return told;
}

function remarksOf({ rule, reason, remark, shared, mode, verdicts = [] }: RuleTrace): Remark[] {
  if (shared !== undefined) return [{ rule, reason: shared }];
  if (remark === true) return [{ rule, reason }];
  if (mode !== 'shadow') return [];
  return verdicts
    .filter(({ kind }) => kind !== 'pass')
    .map(({ kind, text = '' }) => ({ rule, reason: `in shadow, would ${kind}${text === '' ? '' : `: ${text}`}` }));
}

export function hasDetail(db: Database, n: number): boolean {
  return db.prepare('SELECT 1 FROM details WHERE n = ?').get(n) !== undefined;
}

export function newestRow(db: Database): number {
  return (db.prepare('SELECT coalesce(max(n), 0) AS n FROM events').get() as { n: number }).n;
}

/** Calls in a workspace that were denied since then, or asked about and not answered yes. */
export function countStopped(db: Database, root: string, since: number): number {
  const { sql, values } = whereOf({ root, since, outcomes: ['deny', 'ask'] }, 'copy = 0', `NOT ${ANSWERED_YES}`);
  return (db.prepare(`SELECT count(*) AS stopped FROM events ${sql}`).get(...values) as { stopped: number }).stopped;
}

/** What follows a question within so many rows, of whatever session, is looked through. */
const SOON = 500;
/** The agent's record says so, or, before that is read, the call itself was heard of again. */
export const ANSWERED_YES = `(action = 'ask' AND EXISTS (SELECT 1 FROM fates WHERE fates.n = events.n AND (fate = 'allowed' OR (
  fate IS NULL AND call <> '' AND EXISTS (SELECT 1 FROM events later JOIN details USING (n)
    WHERE later.n > events.n AND later.n <= events.n + ${SOON} AND later.session = events.session
      AND later.event IN ('tool.after', 'tool.failed') AND body ->> '$.event.tool.id' = call)))))`;

/** Absent when the engine ended right after its reply. */
export function readDetail(db: Database, n: number): LedgerDetail | undefined {
  const found = db.prepare('SELECT body FROM details WHERE n = ?').get(n) as { body: string } | undefined;
  return found && detailOf(found.body);
}

/** A body leaves out what says that nothing was decided. */
export function detailOf(body: string): LedgerDetail {
  return { trace: [], decision: NEUTRAL, ...(JSON.parse(body) as Omit<LedgerDetail, 'trace' | 'decision'>) };
}

/** Details of a session's events after one of them, oldest first. */
export function readDetailsAfter(db: Database, { session, n }: StoredRow): { row: StoredRow; detail: LedgerDetail }[] {
  const found = db
    .prepare(
      `SELECT events.*, body FROM events JOIN details USING (n) WHERE session = ? AND n > ? AND rules <> '' ORDER BY n`,
    )
    .all(session, n) as (RawRow & { body: string })[];
  return found.map(({ body, ...raw }) => ({ row: toRow(raw), detail: detailOf(body) }));
}

/** What two deliveries of one event have in common. */
const DELIVERY_SQL = `coalesce(body ->> '$.event.tool.id', body ->> '$.event.promptId' || ' ' || (body ->> '$.event.prompt.text')) || ' ' || coalesce(body ->> '$.event.subagent.id', '')`;

/** The event that a copy repeats. */
export function findOriginal(db: Database, { session, event, n }: StoredRow): StoredRow | undefined {
  const found = db
    .prepare(
      `SELECT events.* FROM events JOIN details USING (n) WHERE session = ? AND event = ? AND n < ? AND copy = 0
         AND ${DELIVERY_SQL} = (SELECT ${DELIVERY_SQL} FROM details WHERE n = ?) ORDER BY n DESC LIMIT 1`,
    )
    .get(session, event, n, n) as RawRow | undefined;
  return found && toRow(found);
}

/** Sessions in the ledger whose id begins so. */
export function findSessions(db: Database, prefix: string): string[] {
  const found = db
    .prepare('SELECT DISTINCT session FROM events WHERE substr(session, 1, ?) = ? ORDER BY session LIMIT 20')
    .all(prefix.length, prefix) as { session: string }[];
  return found.map(({ session }) => session);
}

/** The sessions that were heard of last, the newest first. */
export function recentSessions(db: Database, most: number): string[] {
  const found = db
    .prepare('SELECT session, max(at) AS last FROM events GROUP BY session ORDER BY last DESC LIMIT ?')
    .all(most) as { session: string }[];
  return found.map(({ session }) => session);
}

/** As the table has it. */
export interface RawRow extends Omit<LedgerRow, 'replyBytes' | 'changed' | 'copy'> {
  readonly n: number;
  readonly seq: number;
  readonly reply_bytes: number;
  readonly changed: number;
  readonly copy: number;
}

/** Without what is kept for a second delivery: it repeats the decision. */
export function toRow({
  reply_bytes: replyBytes,
  changed,
  copy,
  delivery: _delivery,
  answer: _answer,
  ...rest
}: RawRow): StoredRow {
  return { ...rest, replyBytes, changed: changed === 1, copy: copy === 1 };
}
