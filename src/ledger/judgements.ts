import type { Database } from '../platform/database.ts';
import { hasTable } from './has-table.ts';

/** What a person said of a stop afterwards. */
export const JUDGEMENTS = ['right', 'wrong'] as const;
export type Judgement = (typeof JUDGEMENTS)[number];

/**
 * Makes the table where there is none. No event needs it, so those who ask for it do. By the id of the decision, with its
 * rules: what was judged counts also when its row is gone.
 */
export function requireJudgements(db: Database): void {
  db.exec(`CREATE TABLE IF NOT EXISTS judgements (
    id TEXT PRIMARY KEY, rules TEXT NOT NULL, judgement TEXT NOT NULL, at INTEGER NOT NULL
  )`);
}

export interface JudgedCounts {
  readonly right: number;
  readonly wrong: number;
}

/** Of a rule of which no stop was judged. */
export const NOT_JUDGED: JudgedCounts = { right: 0, wrong: 0 };

/** Who judges again has changed their mind. */
export function keepJudgement(
  db: Database,
  { id, rules }: { readonly id: string; readonly rules: readonly string[] },
  judgement: Judgement,
  at: number,
): void {
  requireJudgements(db);
  db.prepare('INSERT OR REPLACE INTO judgements (id, rules, judgement, at) VALUES (?, ?, ?, ?)').run(
    id,
    rules.join(','),
    judgement,
    at,
  );
}

/** By rule. A stop that several rules made together counts for each of them. It writes nothing: also a full disk can be read. */
export function countJudgements(db: Database): ReadonlyMap<string, JudgedCounts> {
  if (!hasTable(db, 'judgements')) return new Map();
  const found = db.prepare('SELECT rules, judgement FROM judgements').all() as {
    rules: string;
    judgement: Judgement;
  }[];
  const counts = new Map<string, JudgedCounts>();
  for (const { rules, judgement } of found)
    for (const rule of rules.split(',')) {
      const known = counts.get(rule) ?? NOT_JUDGED;
      counts.set(rule, { ...known, [judgement]: known[judgement] + 1 });
    }
  return counts;
}

/** The share of judged stops that were right; undefined where none was judged. */
export function precisionOf({ right, wrong }: JudgedCounts): number | undefined {
  return right + wrong === 0 ? undefined : right / (right + wrong);
}
