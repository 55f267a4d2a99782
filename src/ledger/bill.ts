import type { Decision } from '../event/verdict.ts';
import type { Database } from '../platform/database.ts';
import type { FateName } from './fates.ts';
import { whereOf } from './read.ts';
import type { RowFilter } from './read.ts';
import { lengthOf } from './stats.ts';

/** What something cost, and what of it is known to have helped. */
export interface Cost {
  /** Characters for the model: notes, and reasons of denials. A question is for the person. */
  readonly chars: number;
  /** Others, of which the agent's transcript shows that they did not reach the model. */
  readonly lost: number;
  /** In the engine, before the reply; of a rule, in its own check. */
  readonly micros: number;
  /** Searches that a note answered. */
  readonly answered: number;
  /** Calls that had failed at least twice in a turn, and after a note did not fail again in it. */
  readonly cutShort: number;
}

export interface Bill {
  readonly events: number;
  readonly total: Cost;
  readonly sessions: ReadonlyMap<string, Cost & { readonly events: number }>;
  readonly rules: ReadonlyMap<string, Cost>;
}

/** By rule: the variants of its notes that answer a search. */
export type Answers = ReadonlyMap<string, readonly string[]>;

/** The model got nothing of a reply with such a fate. */
const LOST: ReadonlySet<FateName | null> = new Set<FateName>(['misplaced', 'late', 'failed', 'unseen']);

type Sums = { -readonly [Name in keyof Cost]: Cost[Name] };
const NOTHING: Cost = { chars: 0, lost: 0, micros: 0, answered: 0, cutShort: 0 };

/** With a rule, only what that one cost. */
export function readBill(db: Database, filter: RowFilter, answers: Answers): Bill {
  const { rule: only, ...rows } = filter;
  const { sql, values } = whereOf(rows);
  const rules = new Map<string, Sums>();
  const sessions = new Map<string, Sums & { events: number }>();
  let events = 0;
  const timed = db
    .prepare(
      `SELECT session, count(*) AS events, sum(micros) AS micros FROM events ${sql} GROUP BY session ORDER BY max(at)`,
    )
    .all(...values) as { session: string; events: number; micros: number }[];
  for (const { session, micros, events: count } of timed) {
    events += count;
    sessions.set(session, { ...NOTHING, micros: only === undefined ? micros : 0, events: count });
  }

  const add = (rule: string, session: string, more: Partial<Cost>) => {
    if (only !== undefined && rule !== only) return;
    for (const sums of [sumsOf(rules, rule), sessions.get(session)])
      if (sums) for (const [name, by] of Object.entries(more) as [keyof Cost, number][]) sums[name] += by;
  };
  for (const { rule, session, micros } of readChecks(db, rows)) {
    if (only === undefined) sumsOf(rules, rule).micros += micros;
    else add(rule, session, { micros });
  }
  const ended = lastFailures(db, rows);
  for (const spoken of readSpoken(db, rows)) {
    const { session, fate, n } = spoken;
    const isLost = LOST.has(fate);
    for (const { rule, chars, variant } of partsOf(spoken)) {
      const isAnswer = !isLost && variant !== undefined && answers.get(rule)?.includes(variant) === true;
      add(rule, session, { [isLost ? 'lost' : 'chars']: chars, answered: isAnswer ? 1 : 0 });
    }
    if (isLost || !ended.has(n)) continue;
    // One failure, however many rules spoke of it.
    for (const [at, rule] of speakersOf(spoken, only).entries()) {
      if (at === 0) add(rule, session, { cutShort: 1 });
      else sumsOf(rules, rule).cutShort += 1;
    }
  }
  const total: Sums = { ...NOTHING };
  for (const sums of sessions.values())
    for (const name of Object.keys(NOTHING) as (keyof Cost)[]) total[name] += sums[name];
  return { events, total, sessions, rules };
}

function speakersOf({ decision: { notes } }: Spoken, only: string | undefined): readonly string[] {
  return [...new Set(notes.map(({ rule }) => rule))].filter((rule) => only === undefined || rule === only);
}

function sumsOf(rules: Map<string, Sums>, rule: string): Sums {
  const known = rules.get(rule);
  if (known) return known;
  const made = { ...NOTHING };
  rules.set(rule, made);
  return made;
}

function readChecks(db: Database, rows: RowFilter): { rule: string; session: string; micros: number }[] {
  const { sql, values } = whereOf(rows, 'tier >= 2', "entry.value ->> 'micros' IS NOT NULL");
  return db
    .prepare(
      `SELECT entry.value ->> 'rule' AS rule, session, sum(entry.value ->> 'micros') AS micros
       FROM events JOIN details USING (n), json_each(details.body, '$.trace') entry ${sql} GROUP BY 1, 2`,
    )
    .all(...values) as { rule: string; session: string; micros: number }[];
}

interface Spoken {
  readonly n: number;
  readonly session: string;
  readonly rules: string;
  readonly chars: number;
  readonly fate: FateName | null;
  readonly decision: Pick<Decision, 'action' | 'by' | 'reason' | 'notes'>;
}

/** As much of a command as the ledger keeps of every event. */
const COMMAND = "coalesce(substr(body ->> '$.event.tool.command', 1, 250), '')";

function readSpoken(db: Database, rows: RowFilter): Spoken[] {
  const { sql, values } = whereOf(rows, "rules <> ''");
  const found = db
    .prepare(
      `SELECT n, events.session, rules, chars, fate, body -> '$.decision' AS decision
       FROM (SELECT * FROM events ${sql}) AS events JOIN details USING (n) LEFT JOIN fates USING (n) ORDER BY n`,
    )
    .all(...values) as (Omit<Spoken, 'decision'> & { decision: string })[];
  return found.map((each) => ({ ...each, decision: JSON.parse(each.decision) as Spoken['decision'] }));
}

interface Part {
  readonly rule: string;
  readonly chars: number;
  readonly variant?: string;
}

/** What the model was given by whom. Of rules that deny together, the first has the reason. */
function partsOf({ decision: { action, by, reason = '', notes }, rules, chars }: Spoken): readonly Part[] {
  const [first = 'fairlead'] = [...by, ...rules.split(',')];
  const parts = notes.map(({ rule, text, variant }): Part => ({
    rule,
    chars: lengthOf(text),
    ...(variant !== undefined && { variant }),
  }));
  const isTold = action !== 'ask' && reason !== '';
  if (isTold) parts.push({ rule: first, chars: lengthOf(reason) });
  // Where no text is kept, the row still has the length of all.
  const isKept = reason !== '' || notes.some(({ text }) => text !== '');
  return isKept || action === 'ask' ? parts : [...parts, { rule: first, chars }];
}

/**
 * The last failures of calls that failed at least twice in a turn and, once that was over, had not failed again. Failures
 * before the time that is asked for count too.
 */
function lastFailures(db: Database, { session: only }: RowFilter): ReadonlySet<number> {
  const { sql, values } = whereOf(
    only === undefined ? {} : { session: only },
    'copy = 0',
    "event IN ('tool.failed', 'prompt.submit', 'turn.stop', 'session.end')",
  );
  const found = db
    .prepare(
      `SELECT n, session, event, CASE event WHEN 'tool.failed' THEN ${COMMAND} END AS command
       FROM events LEFT JOIN details USING (n) ${sql} ORDER BY n`,
    )
    .all(...values) as { n: number; session: string; event: string; command: string | null }[];
  const turns = new Map<string, Map<string, { readonly count: number; readonly last: number }>>();
  const ended = new Set<number>();
  for (const { n, session, event, command } of found) {
    const turn = turns.get(session) ?? new Map();
    turns.set(session, turn);
    if (command === null) {
      for (const { count, last } of turn.values()) if (count >= 2) ended.add(last);
      // An agent that was about to stop may go on in the same turn.
      if (event !== 'turn.stop') turn.clear();
    } else if (command !== '') {
      const { count, last } = turn.get(command) ?? { count: 0, last: 0 };
      ended.delete(last);
      turn.set(command, { count: count + 1, last: n });
    }
  }
  return ended;
}
