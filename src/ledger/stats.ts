import type { Failure } from './failures.ts';
import { whereOf } from './read.ts';
import type { RowFilter } from './read.ts';
import type { Database } from '../platform/database.ts';

export interface Percentiles {
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
}

export interface Totals {
  readonly events: number;
  /** Events that got an empty reply. */
  readonly neutral: number;
  readonly denies: number;
  readonly asks: number;
  readonly saves: number;
  readonly rewrites: number;
  readonly notes: number;
  readonly chars: number;
  readonly copies: number;
  /** Of one event in the engine. */
  readonly micros: Percentiles;
}

export interface SessionTotals {
  readonly session: string;
  readonly first: number;
  readonly last: number;
  readonly events: number;
  readonly denies: number;
  readonly asks: number;
  readonly chars: number;
  readonly micros: number;
}

/** What the record says of one rule. */
export interface RuleCounts {
  readonly rule: string;
  /** Times it gave a verdict other than pass, whatever its mode left of it. */
  readonly fires: number;
  readonly denies: number;
  readonly asks: number;
  readonly notes: number;
  /** Characters of its notes, denials and questions that reached the agent. */
  readonly chars: number;
  readonly failures: number;
  /** Events that stopped at its guards, and events its code looked at. */
  readonly tier2: number;
  readonly tier3: number;
  /** Of its check; absent when it never ran. */
  readonly micros?: Percentiles;
}

/** How many events there were of each kind, for what a rule's filters turned away. */
export interface EventCount {
  readonly event: string;
  readonly tool: string;
  readonly kind: string;
  readonly root: string;
  readonly count: number;
}

/** The rows whose details are worth reading: most events are neutral and name no rule. */
const SPOKE = "rules <> ''";
const TRACED = 'events.tier >= 2';

export function readTotals(db: Database, filter: RowFilter): Totals {
  const { sql, values } = whereOf(filter);
  const counted = db
    .prepare(
      `SELECT count(*) AS events, ${sumOf("action = 'pass' AND rules = ''")} AS neutral, ${sumOf("action = 'deny'")} AS denies,
         ${sumOf("action = 'ask'")} AS asks, ${sumOf("action = 'save'")} AS saves, ${sumOf("action = 'rewrite'")} AS rewrites, coalesce(sum(chars), 0) AS chars,
         coalesce(sum(copy), 0) AS copies FROM events ${sql}`,
    )
    .get(...values) as Omit<Totals, 'notes' | 'micros'>;
  const { notes } = db
    .prepare(
      `SELECT coalesce(sum(json_array_length(body, '$.decision.notes')), 0) AS notes FROM events JOIN details USING (n) ${whereOf(filter, SPOKE).sql}`,
    )
    .get(...values) as { notes: number };
  const micros = db.prepare(`SELECT micros FROM events ${sql} ORDER BY micros`).all(...values) as { micros: number }[];
  return { ...counted, notes, micros: percentilesOf(micros.map((row) => row.micros)) };
}

export function readSessions(db: Database, filter: RowFilter): SessionTotals[] {
  const { sql, values } = whereOf(filter);
  return db
    .prepare(
      `SELECT session, min(at) AS first, max(at) AS last, count(*) AS events, ${sumOf("action = 'deny'")} AS denies,
         ${sumOf("action = 'ask'")} AS asks, sum(chars) AS chars, sum(micros) AS micros FROM events ${sql} GROUP BY session ORDER BY last`,
    )
    .all(...values) as SessionTotals[];
}

export function readEventCounts(db: Database, filter: RowFilter): EventCount[] {
  // A copy is answered from the record of its original: no rule's filters were asked.
  const { sql, values } = whereOf(filter, 'copy = 0');
  // An agent's tool has one kind, so one event of each group tells it.
  return db
    .prepare(
      `SELECT event, tool, root, count, coalesce(body ->> '$.event.tool.kind', '') AS kind
       FROM (SELECT event, tool, root, count(*) AS count, max(n) AS n FROM events ${sql} GROUP BY agent, event, tool, root)
       LEFT JOIN details USING (n)`,
    )
    .all(...values) as EventCount[];
}

interface Spoken {
  readonly rule: string;
  readonly text: string;
}

/** Of a rule that the ledger does not name. */
export const NO_COUNTS = { fires: 0, denies: 0, asks: 0, notes: 0, chars: 0, failures: 0, tier2: 0, tier3: 0 };

type Tally = typeof NO_COUNTS & { micros: number[] };

export function readRuleCounts(db: Database, filter: RowFilter): RuleCounts[] {
  const { values } = whereOf(filter);
  const tallies = new Map<string, Tally>();
  const tallyOf = (rule: string): Tally => {
    const known = tallies.get(rule) ?? { ...NO_COUNTS, micros: [] };
    tallies.set(rule, known);
    return known;
  };

  const traced = db
    .prepare(
      `SELECT entry.value ->> 'rule' AS rule, entry.value ->> 'tier' AS tier, entry.value ->> 'micros' AS micros,
         entry.value -> 'verdicts' IS NOT NULL AS fired, entry.value -> 'failed' IS NOT NULL AS failed
       FROM events JOIN details USING (n), json_each(details.body, '$.trace') entry ${whereOf(filter, TRACED).sql}`,
    )
    .all(...values) as { rule: string; tier: number; micros: number | null; fired: number; failed: number }[];
  for (const { rule, tier, micros, fired, failed } of traced) {
    const tally = tallyOf(rule);
    if (tier === 3) tally.tier3 += 1;
    else tally.tier2 += 1;
    tally.fires += fired;
    tally.failures += failed;
    if (micros !== null) tally.micros.push(micros);
  }

  const decided = db
    .prepare(
      `SELECT body -> '$.decision.notes' AS notes, body -> '$.decision.by' AS by, coalesce(body ->> '$.decision.reason', '') AS reason,
         action FROM events JOIN details USING (n) ${whereOf(filter, SPOKE).sql}`,
    )
    .all(...values) as { notes: string; by: string; reason: string; action: string }[];
  for (const { notes, by, reason, action } of decided) {
    for (const { rule, text } of JSON.parse(notes) as Spoken[]) {
      tallyOf(rule).notes += 1;
      tallyOf(rule).chars += lengthOf(text);
    }
    const rules = JSON.parse(by) as string[];
    for (const rule of rules) {
      const tally = tallyOf(rule);
      if (action === 'deny') tally.denies += 1;
      if (action === 'ask') tally.asks += 1;
      // Rules that stop a call together share its reason.
      tally.chars += Math.round(lengthOf(reason) / rules.length);
    }
  }

  return [...tallies]
    .map(([rule, { micros, ...tally }]) => ({
      rule,
      ...tally,
      ...(micros.length > 0 ? { micros: percentilesOf(micros.sort((a, b) => a - b)) } : {}),
    }))
    .sort((a, b) => b.fires - a.fires || (a.rule < b.rule ? -1 : 1));
}

/** The length a text had before the record shortened it. */
export function lengthOf(text: string): number {
  const cut = / \[\+(\d+) characters\]$/.exec(text);
  return cut ? text.length - cut[0].length + Number(cut[1]) : text.length;
}

export function percentilesOf(sorted: readonly number[]): Percentiles {
  const at = (share: number) =>
    Math.round(sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? 0);
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99) };
}

function sumOf(test: string): string {
  return `coalesce(sum(${test}), 0)`;
}

export interface FailureGroup {
  readonly what: string;
  readonly count: number;
  readonly last: number;
}

/** The same failure counts as one, most frequent first. */
export function groupFailures(all: readonly Failure[], since: number): FailureGroup[] {
  const groups = new Map<string, FailureGroup>();
  for (const { at, what: doing, message } of all) {
    if (at < since) continue;
    const what = `${doing}: ${message}`;
    const { count, last } = groups.get(what) ?? { count: 0, last: 0 };
    groups.set(what, { what, count: count + 1, last: Math.max(last, at) });
  }
  return [...groups.values()].sort((a, b) => b.count - a.count || b.last - a.last);
}
