import type { FollowOutcome, Heed } from '../event/heed.ts';
import type { Event } from '../event/event.ts';
import type { Database } from '../platform/database.ts';
import { hasTable } from './has-table.ts';
import type { StoredRow } from './read.ts';

/**
 * `n` is the row that told it last: of the decision while the advice is awaited, then of the event that judged it. The table is made
 * before the first flush: an event need not look for it before its reply.
 */
export const HEED_SCHEMA = `
CREATE TABLE IF NOT EXISTS heeds (
  decision TEXT NOT NULL, rule TEXT NOT NULL, outcome TEXT, n INTEGER NOT NULL, PRIMARY KEY (decision, rule)
) WITHOUT ROWID;`;

/** Called with each row's detail, after the reply. */
export function createHeedWriter(db: Database): (n: number, heeds: readonly Heed[]) => void {
  const prepare = () =>
    db.prepare(
      `INSERT INTO heeds (decision, rule, outcome, n) VALUES (?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET outcome = excluded.outcome, n = excluded.n WHERE excluded.outcome IS NOT NULL`,
    );
  let insert: ReturnType<typeof prepare> | undefined;
  return (n, heeds) => {
    insert ??= prepare();
    for (const { decision, rule, outcome } of heeds)
      // What an engine of an earlier build awaited names no decision.
      if (typeof decision === 'string') insert.run(decision, rule, outcome ?? null, n);
  };
}

/** A call that says what the agent made of advice. */
export interface SayingCall {
  readonly n: number;
  readonly id: string;
  readonly tool: string;
  readonly event: Partial<Event>;
}

export interface ReadHeed {
  readonly rule: string;
  readonly outcome: FollowOutcome | 'open';
  /** The one that followed or went round; of advice that was ignored, those that it waited for in vain. */
  readonly calls: readonly SayingCall[];
}

/** The most calls that are told of one piece of advice. */
const MOST_CALLS = 100;

/** What the agent made of the advice of decisions, by the number of their rows. */
export function readHeeds(db: Database, rows: readonly StoredRow[]): Map<number, readonly ReadHeed[]> {
  const found = new Map<number, readonly ReadHeed[]>();
  if (!hasTable(db, 'heeds')) return found;
  const find = db.prepare('SELECT rule, outcome, n FROM heeds WHERE decision = ? ORDER BY rule');
  for (const row of rows) {
    if (row.rules === '' || row.copy) continue;
    const heeds = find.all(row.id) as { rule: string; outcome: FollowOutcome | null; n: number }[];
    if (heeds.length > 0)
      found.set(
        row.n,
        heeds.map(({ rule, outcome, n }) => ({
          rule,
          outcome: outcome ?? 'open',
          calls: callsOf(db, row, outcome, n),
        })),
      );
  }
  return found;
}

const AGENT_SQL = `coalesce(body ->> '$.event.subagent.id', '')`;

/** The calls of the same agent up to the one that judged. */
function callsOf(db: Database, row: StoredRow, outcome: FollowOutcome | null, until: number): SayingCall[] {
  if (outcome === null || outcome === 'moot') return [];
  const found = db
    .prepare(
      `SELECT n, id, tool, body -> '$.event' AS event FROM events JOIN details USING (n)
       WHERE n > ? AND n <= ? AND session = ? AND event = 'tool.before' AND copy = 0
         AND ${AGENT_SQL} = (SELECT ${AGENT_SQL} FROM details WHERE n = ?) ORDER BY n DESC LIMIT ?`,
    )
    .all(row.n, until, row.session, row.n, outcome === 'ignored' ? MOST_CALLS : 1) as (Omit<SayingCall, 'event'> & {
    event: string | null;
  })[];
  return found.toReversed().map(({ event, ...call }) => ({ ...call, event: JSON.parse(event ?? '{}') as Event }));
}
