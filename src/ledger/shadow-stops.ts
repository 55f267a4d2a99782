import type { LedgerDetail, LedgerRow, RuleTrace } from '../event/ledger-row.ts';
import type { Database } from '../platform/database.ts';
import { hasTable } from './has-table.ts';

/** The rows of calls that ran and that a rule in shadow would have stopped, so that nobody has to look for them. */
export const SHADOW_STOP_SCHEMA = `
CREATE TABLE IF NOT EXISTS shadow_stops (n INTEGER PRIMARY KEY);`;

/** A rule in shadow said that it would stop the call. */
export const IN_SHADOW = `(instr(body, '"mode":"shadow"') > 0 AND EXISTS (
  SELECT 1 FROM json_each(body, '$.trace') entry, json_each(entry.value, '$.verdicts') said
  WHERE entry.value ->> 'mode' = 'shadow' AND said.value ->> 'kind' IN ('deny', 'ask')))`;

export interface WouldStop {
  readonly action: 'deny' | 'ask';
  readonly rules: readonly string[];
  readonly reason: string;
}

/** What rules in shadow would have done; undefined where none would have stopped it. */
export function wouldStop(trace: readonly RuleTrace[]): WouldStop | undefined {
  const would = trace
    .filter(({ mode }) => mode === 'shadow')
    .flatMap(({ rule, verdicts = [] }) =>
      verdicts.filter(({ kind }) => kind === 'deny' || kind === 'ask').map((said) => ({ rule, ...said })),
    );
  if (would.length === 0) return undefined;
  return {
    action: would.some(({ kind }) => kind === 'deny') ? 'deny' : 'ask',
    rules: [...new Set(would.map(({ rule }) => rule))],
    reason: would.flatMap(({ text }) => text ?? []).join('\n'),
  };
}

export function createShadowStops(db: Database): (n: number, row: LedgerRow, detail: LedgerDetail) => void {
  const prepare = () => db.prepare('INSERT OR IGNORE INTO shadow_stops (n) VALUES (?)');
  let statement: ReturnType<typeof prepare> | undefined;
  return (n, { action, copy }, { trace, isTrial }) => {
    if (isTrial || copy || action === 'deny' || action === 'ask' || !wouldStop(trace)) return;
    statement ??= prepare();
    statement.run(n);
  };
}

/** How many rows of an older ledger are looked at when the table is made. */
const MOST_BEFORE = 20_000;

export function beginShadowStops(db: Database): void {
  const isNew = !hasTable(db, 'shadow_stops');
  db.exec(SHADOW_STOP_SCHEMA);
  if (!isNew) return;
  db.exec(
    `INSERT OR IGNORE INTO shadow_stops SELECT n FROM
       (SELECT n, action, copy, body FROM events JOIN details USING (n) ORDER BY n DESC LIMIT ${MOST_BEFORE})
     WHERE copy = 0 AND action NOT IN ('deny', 'ask') AND ${IN_SHADOW}`,
  );
}
