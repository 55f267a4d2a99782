import type { Event } from '../event/event.ts';
import type { LedgerDetail } from '../event/ledger-row.ts';
import type { Decision } from '../event/verdict.ts';
import type { Database } from '../platform/database.ts';
import { requireJudgements } from './judgements.ts';
import type { Judgement } from './judgements.ts';
import { IN_SHADOW, wouldStop } from './shadow-stops.ts';

/** A call that was stopped or asked about, or would have been but for the mode of a rule. */
export interface Stop {
  readonly n: number;
  /** The decision. */
  readonly id: string;
  readonly at: number;
  readonly root: string;
  readonly rules: readonly string[];
  readonly action: 'deny' | 'ask';
  /** It was not stopped: the rules were in shadow. */
  readonly shadow: boolean;
  readonly reason: string;
  readonly event: Partial<Event>;
  readonly judgement?: Judgement;
}

export interface StopFilter {
  readonly since: number;
  /** One rule. */
  readonly rule?: string;
  /** The newest so many. */
  readonly last?: number;
  /** As it was judged; `open` where nobody has. */
  readonly judged?: Judgement | 'open';
  /** One decision. */
  readonly id?: string;
}

interface Found {
  readonly n: number;
  readonly id: string;
  readonly at: number;
  readonly root: string;
  readonly action: string;
  readonly body: string;
  readonly judgement: Judgement | null;
}

/** The newest first. */
export function readStops(db: Database, { since, rule, last, judged, id }: StopFilter): Stop[] {
  requireJudgements(db);
  const tests = ['copy = 0', 'events.at >= ?', `(action IN ('deny', 'ask') OR ${IN_SHADOW})`];
  const values: (string | number)[] = [since];
  if (id !== undefined) {
    tests.push('events.id = ?');
    values.push(id);
  }
  if (judged === 'open') tests.push('judgement IS NULL');
  else if (judged !== undefined) {
    tests.push('judgement = ?');
    values.push(judged);
  }
  const found = db
    .prepare(
      `SELECT n, events.id, events.at, root, action, body, judgement FROM events JOIN details USING (n)
       LEFT JOIN judgements ON judgements.id = events.id WHERE ${tests.join(' AND ')} ORDER BY n DESC`,
    )
    .all(...values) as Found[];
  const stops = found
    .map(stopOf)
    .filter(({ rules }) => rules.length > 0 && (rule === undefined || rules.includes(rule)));
  return last === undefined ? stops : stops.slice(0, last);
}

function stopOf({ body, action, judgement, ...rest }: Found): Stop {
  const { event, decision, trace = [] } = JSON.parse(body) as Partial<LedgerDetail>;
  const about = { ...rest, event: (event ?? {}) as Partial<Event>, ...(judgement !== null && { judgement }) };
  if (action === 'deny' || action === 'ask') {
    const { by = [], reason = '' } = (decision ?? {}) as Partial<Decision>;
    return { ...about, action, shadow: false, rules: by, reason };
  }
  return { ...about, ...(wouldStop(trace) ?? NOTHING), shadow: true };
}

const NOTHING = { action: 'ask', rules: [], reason: '' } as const;

/** How often a rule said what, and in which mode it was then. */
export interface Said {
  readonly mode: string;
  readonly kind: string;
  readonly count: number;
}

export function readSaid(db: Database, rule: string, since: number): Said[] {
  return db
    .prepare(
      `SELECT entry.value ->> 'mode' AS mode, said.value ->> 'kind' AS kind, count(*) AS count
       FROM events JOIN details USING (n), json_each(body, '$.trace') entry, json_each(entry.value, '$.verdicts') said
       WHERE events.at >= ? AND copy = 0 AND tier >= 2 AND entry.value ->> 'rule' = ? AND kind <> 'pass'
       GROUP BY 1, 2 ORDER BY 1, 2`,
    )
    .all(since, rule) as Said[];
}
