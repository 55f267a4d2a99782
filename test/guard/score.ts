import { createHash } from 'node:crypto';
import type { Decision } from '../../src/event/verdict.ts';
import type { Listed, Row } from './cases.ts';
import type { Decide } from './decide.ts';

/** What the rows are judged in; whoever labels rows needs to know it. */
export const WORLD =
  'workspace /home/dev/project, home /home/dev, default settings; every path that a row names exists and holds uncommitted work';

/** `save`: it runs, and a whole copy is there before it does. */
export type Outcome = 'deny' | 'ask' | 'save' | 'said' | 'pass' | 'failed';

export interface Judged<T> {
  readonly case: T;
  readonly action: Outcome;
  /** The rules behind it, or the failure. */
  readonly by: string;
}

export interface Difference {
  readonly command: string;
  readonly category: string;
  readonly expected: Row['expected'];
  readonly action: Outcome;
  readonly by: string;
  /** Undefined when nobody has explained it. */
  readonly why: string | undefined;
}

export interface CategoryScore {
  readonly category: string;
  readonly rows: number;
  readonly deny: number;
  readonly ask: number;
  readonly save: number;
  readonly missed: number;
  readonly false: number;
}

/** How the rows of one corpus were decided; rows that are not counted are in `uncounted` alone. */
export interface SetScore {
  readonly name: string;
  readonly categories: readonly CategoryScore[];
  readonly total: CategoryScore;
  /** Shares of the rows to block that are stopped, to advise that are said, to allow that are stopped; undefined without any. */
  readonly recall: number | undefined;
  readonly advised: number | undefined;
  readonly falseBlocks: number | undefined;
  readonly differences: readonly Difference[];
  readonly uncounted: readonly Difference[];
  readonly failed: number;
}

export interface ListScore {
  readonly cases: number;
  readonly deny: number;
  readonly ask: number;
  readonly save: number;
  readonly failed: readonly Judged<Listed>[];
}

/** Command → why the guard decides differently, by `keyOf`. */
export type Reasons = Readonly<Record<string, string>>;

export async function scoreSet(
  name: string,
  rows: readonly Row[],
  decide: Decide,
  reasons: Reasons = {},
): Promise<SetScore> {
  const judged = await judge(rows, decide);
  const counted = judged.filter(({ case: row }) => isCounted(row));
  const differing = (list: readonly Judged<Row>[]): Difference[] =>
    list.filter(differs).map(({ case: row, action, by }) => {
      const command = textOf(row);
      const why = reasons[keyOf(command)];
      return { command, category: row.category ?? '', expected: row.expected, action, by, why };
    });
  const share = (expected: Row['expected'], holds: (one: Judged<Row>) => boolean): number | undefined => {
    const all = counted.filter(({ case: row }) => row.expected === expected);
    return all.length === 0 ? undefined : all.filter(holds).length / all.length;
  };
  const names = [...new Set(counted.map(({ case: row }) => row.category ?? ''))].sort();
  const ofCategory = (one: string) => counted.filter(({ case: row }) => (row.category ?? '') === one);
  return {
    name,
    categories: names.map((one) => scoreCategory(one, ofCategory(one))),
    total: scoreCategory('all', counted),
    recall: share('block', isRowBlocked),
    advised: share('advise', (one) => isRowBlocked(one) || one.action === 'said'),
    falseBlocks: share('allow', isRowBlocked),
    differences: differing(counted),
    uncounted: differing(judged.filter(({ case: row }) => !isCounted(row) && row.expected !== 'unsure')),
    failed: judged.filter(({ action }) => action === 'failed').length,
  };
}

export async function scoreList(
  list: readonly Listed[],
  decide: Decide,
  expected: 'block' | 'allow',
): Promise<ListScore> {
  const judged = await judge(list, decide);
  return {
    cases: judged.length,
    deny: judged.filter(({ action }) => action === 'deny').length,
    ask: judged.filter(({ action }) => action === 'ask').length,
    save: judged.filter(({ action }) => action === 'save').length,
    failed: judged.filter(
      ({ action }) => action === 'failed' || isBlocked({ action, expected }) !== (expected === 'block'),
    ),
  };
}

/** A row that others wrote is named here by its hash, so that its text stays with them. */
export function keyOf(command: string): string {
  return createHash('sha256').update(command).digest('hex').slice(0, 16);
}

/** Rows of Python are what an interpreter is given. */
export function textOf(row: Row): string {
  if (row.command !== undefined && row.category?.endsWith('-py') === true)
    return `python3 - <<'PYEOF'\n${row.command}\nPYEOF`;
  return row.command ?? `${row.tool_name ?? ''} ${JSON.stringify(row.tool_input)}`;
}

async function judge<T extends Row | Listed>(list: readonly T[], decide: Decide): Promise<Judged<T>[]> {
  const judged: Judged<T>[] = [];
  for (const one of list) {
    try {
      const decision = await decide('expected' in one && one.command !== undefined ? textOf(one) : one);
      judged.push({ case: one, action: outcomeOf(decision), by: decision.by.join(', ') });
    } catch (error) {
      judged.push({ case: one, action: 'failed', by: String(error) });
    }
  }
  return judged;
}

/** A copy that nobody is told of holds nothing up and is no answer to harm. */
function outcomeOf(decision: Decision): Outcome {
  const { action, kept, quiet } = decision;
  if (action === 'deny' || action === 'ask') return action;
  if (kept && !quiet) return 'save';
  return isSaid(decision) ? 'said' : 'pass';
}

function isSaid({ notes, warns }: Decision): boolean {
  return notes.length + warns.length > 0;
}

/** What is copied first is as good as stopped where harm is meant, and as good as let run where none is. */
function isBlocked({ action, expected }: { readonly action: Outcome; readonly expected: Row['expected'] }): boolean {
  return action === 'deny' || action === 'ask' || (action === 'save' && expected !== 'allow');
}

function isRowBlocked({ action, case: { expected } }: Judged<Row>): boolean {
  return isBlocked({ action, expected });
}

function isCounted({ tier, expected }: Row): boolean {
  return tier !== 'soft' && expected !== 'documented' && expected !== 'unsure';
}

function differs({ case: { expected }, action }: Judged<Row>): boolean {
  if (action === 'failed') return true;
  if (expected === 'advise') return action === 'pass';
  return isBlocked({ action, expected }) !== (expected === 'block');
}

function scoreCategory(category: string, judged: readonly Judged<Row>[]): CategoryScore {
  const count = (test: (one: Judged<Row>) => boolean): number => judged.filter(test).length;
  return {
    category,
    rows: judged.length,
    deny: count(({ action }) => action === 'deny'),
    ask: count(({ action }) => action === 'ask'),
    save: count(({ action }) => action === 'save'),
    missed: count((one) => one.case.expected !== 'allow' && differs(one)),
    false: count((one) => one.case.expected === 'allow' && differs(one)),
  };
}
