import type { Event } from '../event/event.ts';
import type { LedgerDetail, LedgerRow } from '../event/ledger-row.ts';
import type { Decision } from '../event/verdict.ts';
import type { Database } from '../platform/database.ts';
import { hasTable } from './has-table.ts';

/**
 * Sums by day and project, so that nobody has to read all rows. Of rules: the events that got past their filters (`heard`), those
 * of them that the throttle stopped or that came where the project lacks what the rule needs, how often it fired, how often it had a part in
 * what was sent, and the characters of its notes. Of events: how many there were for which rules were asked. The tables are made
 * before the first flush: an event need not look for them before its reply.
 */
export const RULE_DAY_SCHEMA = `
CREATE TABLE IF NOT EXISTS rule_days (
  day INTEGER NOT NULL, root TEXT NOT NULL, rule TEXT NOT NULL, heard INTEGER NOT NULL, throttled INTEGER NOT NULL,
  lacking INTEGER NOT NULL, fired INTEGER NOT NULL, said INTEGER NOT NULL, chars INTEGER NOT NULL, PRIMARY KEY (day, root, rule)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS event_days (
  day INTEGER NOT NULL, root TEXT NOT NULL, event TEXT NOT NULL, tool TEXT NOT NULL, kind TEXT NOT NULL, count INTEGER NOT NULL,
  PRIMARY KEY (day, root, event, tool, kind)
) WITHOUT ROWID;`;

export const DAY_MS = 86_400_000;

const COUNTS = ['heard', 'throttled', 'lacking', 'fired', 'said', 'chars'] as const;
export type RuleDayCounts = Readonly<Record<(typeof COUNTS)[number], number>>;

type Tally = Record<(typeof COUNTS)[number], number> & { readonly key: readonly [number, string, string] };

interface EventTally {
  readonly key: readonly [number, string, string, string, string];
  count: number;
}

export interface RuleDays {
  count(row: LedgerRow, detail: LedgerDetail): void;
  /** Writes what was counted since it was last called. */
  write(): void;
  /** Forgets that. */
  drop(): void;
}

/** Counts with each row's detail, after the reply; many rows of a rule are one write. */
export function createRuleDays(db: Database): RuleDays {
  const prepare = () => {
    const insert = db.prepare(
      `INSERT INTO rule_days (day, root, rule, ${COUNTS.join(', ')}) VALUES (?, ?, ?${', ?'.repeat(COUNTS.length)})
     ON CONFLICT DO UPDATE SET ${COUNTS.map((name) => `${name} = ${name} + excluded.${name}`).join(', ')}`,
    );
    const insertEvent = db.prepare(
      'INSERT INTO event_days VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET count = count + excluded.count',
    );
    return { insert, insertEvent };
  };
  let statements: ReturnType<typeof prepare> | undefined;
  const tallies = new Map<string, Tally>();
  const events = new Map<string, EventTally>();

  function tallyOf(day: number, root: string, rule: string): Tally {
    const name = `${day} ${rule} ${root}`;
    const known = tallies.get(name);
    if (known) return known;
    const made: Tally = { key: [day, root, rule], heard: 0, throttled: 0, lacking: 0, fired: 0, said: 0, chars: 0 };
    tallies.set(name, made);
    return made;
  }

  function countEvent(day: number, { root, event, tool }: LedgerRow, kind: string): void {
    const name = `${day} ${event} ${tool} ${kind} ${root}`;
    const known = events.get(name);
    if (known) known.count += 1;
    else events.set(name, { key: [day, root, event, tool, kind], count: 1 });
  }

  return {
    count(row, { event, trace, decision, isTrial }) {
      if (isTrial || row.copy) return;
      const { at, root, rules } = row;
      const day = Math.floor(at / DAY_MS);
      countEvent(day, row, (event as Event).tool?.kind ?? '');
      for (const { rule, stop, verdicts, exception } of trace) {
        const tally = tallyOf(day, root, rule);
        tally.heard += 1;
        if (stop === 'throttle') tally.throttled += 1;
        if (stop === 'lacking') tally.lacking += 1;
        // Who silenced it meant to.
        if (verdicts && exception === undefined) tally.fired += 1;
      }
      if (rules === '') return;
      if (row.replyBytes > 0 || row.action === 'save')
        for (const rule of rules.split(',')) tallyOf(day, root, rule).said += 1;
      for (const { rule, text } of (decision as Decision).notes) tallyOf(day, root, rule).chars += text.length;
    },
    write() {
      if (tallies.size + events.size === 0) return;
      const { insert, insertEvent } = (statements ??= prepare());
      for (const { key, ...counts } of tallies.values()) insert.run(...key, ...COUNTS.map((name) => counts[name]));
      for (const { key, count } of events.values()) insertEvent.run(...key, count);
      this.drop();
    },
    drop() {
      tallies.clear();
      events.clear();
    },
  };
}

/** Deletes what is over age. */
export function rotateRuleDays(db: Database, before: number): void {
  db.exec(RULE_DAY_SCHEMA);
  for (const table of ['rule_days', 'event_days'])
    db.prepare(`DELETE FROM ${table} WHERE day < ?`).run(Math.floor(before / DAY_MS));
}

/** What the ledger has of one rule on one day. */
export interface RuleDay extends RuleDayCounts {
  readonly day: number;
  readonly root: string;
  readonly rule: string;
}

export function readRuleDays(db: Database, first: number): RuleDay[] {
  if (!hasTable(db, 'rule_days')) return [];
  return db.prepare('SELECT * FROM rule_days WHERE day >= ?').all(first) as RuleDay[];
}

/** Events of one name and tool on one day. */
export interface EventDay {
  readonly day: number;
  readonly root: string;
  readonly event: string;
  readonly tool: string;
  readonly kind: string;
  readonly count: number;
}

export function readEventDays(db: Database, first: number): EventDay[] {
  if (!hasTable(db, 'event_days')) return [];
  return db.prepare('SELECT * FROM event_days WHERE day >= ?').all(first) as EventDay[];
}

/** The most decisions, and outcomes of advice, that are looked at: the newest. */
const MOST = 20_000;

/** What became of decisions of the same rules, by day. */
export interface FateDay {
  readonly day: number;
  readonly root: string;
  /** Comma separated. */
  readonly rules: string;
  readonly fate: string;
  readonly count: number;
}

export function readFateDays(db: Database, first: number): FateDay[] {
  return db
    .prepare(
      `SELECT at / ${DAY_MS} AS day, root, rules, fate, count(*) AS count
       FROM (SELECT n, fate FROM fates WHERE fate IS NOT NULL ORDER BY n DESC LIMIT ${MOST}) JOIN events USING (n)
       WHERE at >= ? GROUP BY 1, 2, 3, 4`,
    )
    .all(first * DAY_MS) as FateDay[];
}

/** What the agent made of the advice of a rule, by the day on which that showed. */
export interface HeedDay {
  readonly day: number;
  readonly root: string;
  readonly rule: string;
  readonly outcome: string;
  readonly count: number;
}

export function readHeedDays(db: Database, first: number): HeedDay[] {
  if (!hasTable(db, 'heeds')) return [];
  // The ids of decisions begin with their time.
  return db
    .prepare(
      `SELECT at / ${DAY_MS} AS day, root, rule, outcome, count(*) AS count
       FROM (SELECT rule, outcome, n FROM heeds WHERE outcome IS NOT NULL ORDER BY decision DESC LIMIT ${MOST}) JOIN events USING (n)
       WHERE at >= ? GROUP BY 1, 2, 3, 4`,
    )
    .all(first * DAY_MS) as HeedDay[];
}
