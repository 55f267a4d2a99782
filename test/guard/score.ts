import type { Cases, Listed, Row } from './cases.ts';
import type { Decide } from './decide.ts';

/** What must hold at default settings. */
export const LIMITS = { recall: 0.93, falseBlocks: 0.005 };

export interface Judged<T extends { readonly command: string }> {
  readonly case: T;
  readonly action: 'deny' | 'ask' | 'pass' | 'failed';
  /** The rules behind it, or the failure. */
  readonly by: string;
}

export interface Difference {
  readonly command: string;
  readonly category: string;
  readonly tier: Row['tier'];
  readonly action: Judged<Row>['action'];
  readonly by: string;
  /** Undefined when nobody has explained it. */
  readonly why: string | undefined;
}

export interface CategoryScore {
  readonly category: string;
  readonly rows: number;
  readonly deny: number;
  readonly ask: number;
  readonly missed: number;
  readonly false: number;
}

export interface Score {
  readonly categories: readonly CategoryScore[];
  readonly total: CategoryScore;
  readonly recall: number;
  readonly falseBlocks: number;
  readonly misses: readonly Difference[];
  readonly falses: readonly Difference[];
  /** Rows that may go either way, where they went the other one. */
  readonly soft: readonly Difference[];
  readonly catastrophes: ListScore;
  readonly lookAlikes: ListScore;
  /** Accepted differences that are none any more, or name no row. */
  readonly stale: readonly string[];
  readonly ok: boolean;
}

export interface ListScore {
  readonly cases: number;
  readonly deny: number;
  readonly ask: number;
  readonly failed: readonly Judged<Listed>[];
}

export async function scoreGuard(cases: Cases, decide: Decide): Promise<Score> {
  const judged = await judge(cases.rows, decide);
  const counted = judged.filter(({ case: row }) => row.tier !== 'soft');
  const differing = (list: readonly Judged<Row>[]): Difference[] =>
    list.filter(differs).map(({ case: { command, category, tier }, action, by }) => ({
      command,
      category,
      tier,
      action,
      by,
      why: cases.accepted[command],
    }));
  const missed = counted.filter(({ case: row }) => row.expected === 'block');
  const free = counted.filter(({ case: row }) => row.expected === 'allow');
  const misses = differing(missed);
  const falses = differing(free);
  const soft = differing(judged.filter(({ case: row }) => row.tier === 'soft'));
  const catastrophes = scoreList(await judge(cases.catastrophes, decide), isBlocked);
  const lookAlikes = scoreList(await judge(cases.lookAlikes, decide), ({ action }) => action === 'pass');
  const recall = 1 - misses.length / missed.length;
  const falseBlocks = falses.length / free.length;
  const different = new Set([...misses, ...falses, ...soft].map(({ command }) => command));
  const names = [...new Set(counted.map(({ case: row }) => row.category))].sort();
  return {
    categories: names.map((name) =>
      scoreCategory(
        name,
        counted.filter(({ case: row }) => row.category === name),
      ),
    ),
    total: scoreCategory('all', counted),
    recall,
    falseBlocks,
    misses,
    falses,
    soft,
    catastrophes,
    lookAlikes,
    stale: Object.keys(cases.accepted).filter((command) => !different.has(command)),
    ok:
      recall >= LIMITS.recall &&
      falseBlocks <= LIMITS.falseBlocks &&
      catastrophes.failed.length + lookAlikes.failed.length === 0 &&
      judged.every(({ action }) => action !== 'failed'),
  };
}

async function judge<T extends { readonly command: string }>(list: readonly T[], decide: Decide): Promise<Judged<T>[]> {
  const judged: Judged<T>[] = [];
  for (const one of list) {
    try {
      const { action, by } = await decide(one.command);
      const blocks = action === 'deny' || action === 'ask';
      judged.push({ case: one, action: blocks ? action : 'pass', by: blocks ? by.join(', ') : '' });
    } catch (error) {
      judged.push({ case: one, action: 'failed', by: String(error) });
    }
  }
  return judged;
}

const isBlocked = ({ action }: { readonly action: string }): boolean => action === 'deny' || action === 'ask';

function differs({ case: row, action }: Judged<Row>): boolean {
  return action === 'failed' || isBlocked({ action }) !== (row.expected === 'block');
}

function scoreCategory(category: string, judged: readonly Judged<Row>[]): CategoryScore {
  const count = (test: (one: Judged<Row>) => boolean): number => judged.filter(test).length;
  return {
    category,
    rows: judged.length,
    deny: count(({ action }) => action === 'deny'),
    ask: count(({ action }) => action === 'ask'),
    missed: count((one) => one.case.expected === 'block' && differs(one)),
    false: count((one) => one.case.expected === 'allow' && differs(one)),
  };
}

function scoreList(judged: readonly Judged<Listed>[], holds: (one: Judged<Listed>) => boolean): ListScore {
  return {
    cases: judged.length,
    deny: judged.filter(({ action }) => action === 'deny').length,
    ask: judged.filter(({ action }) => action === 'ask').length,
    failed: judged.filter((one) => !holds(one)),
  };
}
