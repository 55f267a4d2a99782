import type { LedgerDetail, LedgerRow } from '../event/ledger-row.ts';
import type { Decision } from '../event/verdict.ts';
import type { Database } from '../platform/database.ts';
import { hasTable } from './has-table.ts';
import { DAY_MS } from './rule-days.ts';
import { wouldStop } from './shadow-stops.ts';

/** By day and rule, how often it denied, asked, noted, had a copy made, failed or would have stopped a call but for its mode, and how long its checks took, in steps of a half octave. */
export const RULE_MARK_SCHEMA = `
CREATE TABLE IF NOT EXISTS rule_marks (
  day INTEGER NOT NULL, rule TEXT NOT NULL, mark TEXT NOT NULL, count INTEGER NOT NULL, PRIMARY KEY (day, rule, mark)
) WITHOUT ROWID;`;

const STOPS = new Set(['deny', 'ask', 'save']);
const STEPS_PER_OCTAVE = 2;

interface Tally {
  readonly key: readonly [number, string, string];
  count: number;
}

export interface RuleMarks {
  count(row: LedgerRow, detail: LedgerDetail): void;
  write(): void;
  drop(): void;
}

export function createRuleMarks(db: Database): RuleMarks {
  const prepare = () =>
    db.prepare('INSERT INTO rule_marks VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET count = count + excluded.count');
  let statement: ReturnType<typeof prepare> | undefined;
  const tallies = new Map<string, Tally>();

  function add(day: number, rule: string, mark: string): void {
    const name = `${day} ${mark} ${rule}`;
    const known = tallies.get(name);
    if (known) known.count += 1;
    else tallies.set(name, { key: [day, rule, mark], count: 1 });
  }

  return {
    count({ at, action, copy, rules }, { trace, decision, isTrial }) {
      if (isTrial || copy) return;
      const day = Math.floor(at / DAY_MS);
      for (const { rule, micros, failed } of trace) {
        if (micros !== undefined) add(day, rule, `t${stepOf(micros)}`);
        if (failed === true) add(day, rule, 'failed');
      }
      for (const rule of wouldStop(trace)?.rules ?? []) add(day, rule, 'would');
      if (rules === '') return;
      const { by, notes } = decision as Decision;
      if (STOPS.has(action)) for (const rule of by) add(day, rule, action);
      for (const { rule } of notes) add(day, rule, 'note');
    },
    write() {
      if (tallies.size === 0) return;
      statement ??= prepare();
      for (const { key, count } of tallies.values()) statement.run(...key, count);
      this.drop();
    },
    drop() {
      tallies.clear();
    },
  };
}

function stepOf(micros: number): number {
  return Math.max(0, Math.round(STEPS_PER_OCTAVE * Math.log2(micros + 1)));
}

export function rotateRuleMarks(db: Database, before: number): void {
  db.exec(RULE_MARK_SCHEMA);
  db.prepare('DELETE FROM rule_marks WHERE day < ?').run(Math.floor(before / DAY_MS));
}

export interface MarkedRule {
  readonly deny: number;
  readonly ask: number;
  readonly save: number;
  readonly note: number;
  readonly failed: number;
  /** Calls that it would have stopped, but was in shadow. */
  readonly would: number;
  /** Of its checks, in microseconds; absent when none ran. */
  readonly p50?: number;
  readonly p95?: number;
}

/** By rule, from that day on. */
export function readRuleMarks(db: Database, first: number): ReadonlyMap<string, MarkedRule> {
  if (!hasTable(db, 'rule_marks')) return new Map();
  const found = db
    .prepare('SELECT rule, mark, sum(count) AS count FROM rule_marks WHERE day >= ? GROUP BY rule, mark')
    .all(first) as { rule: string; mark: string; count: number }[];
  const byRule = new Map<string, typeof found>();
  for (const mark of found) byRule.set(mark.rule, [...(byRule.get(mark.rule) ?? []), mark]);
  return new Map([...byRule].map(([rule, marks]) => [rule, markedOf(marks)]));
}

function markedOf(marks: readonly { readonly mark: string; readonly count: number }[]): MarkedRule {
  const counts = new Map(marks.map(({ mark, count }) => [mark, count]));
  const of = (mark: string): number => counts.get(mark) ?? 0;
  const times = marks
    .filter(({ mark }) => mark.startsWith('t'))
    .map(({ mark, count }) => ({ step: Number(mark.slice(1)), count }))
    .sort((a, b) => a.step - b.step);
  const said = {
    ...{ deny: of('deny'), ask: of('ask'), save: of('save'), note: of('note') },
    ...{ failed: of('failed'), would: of('would') },
  };
  return times.length === 0 ? said : { ...said, p50: percentile(times, 0.5), p95: percentile(times, 0.95) };
}

/** As exact as the steps are. */
function percentile(times: readonly { readonly step: number; readonly count: number }[], share: number): number {
  const wanted = share * times.reduce((sum, { count }) => sum + count, 0);
  let passed = 0;
  for (const { step, count } of times) {
    passed += count;
    if (passed >= wanted) return Math.round(2 ** (step / STEPS_PER_OCTAVE) - 1);
  }
  return 0;
}
