import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Figures } from '../lib/figures.ts';

/** What one run of a benchmark found, as bench/results has it. */
export interface Result {
  readonly day: string;
  readonly commit: string;
  readonly machine: string;
  /** The share of one processor that others took meanwhile; null where the system does not tell. */
  readonly others: number | null;
  /** What was not measured is null. */
  readonly figures: Readonly<Record<string, number | null>>;
}

export type Results = ReadonlyMap<string, Result>;

/** Above this share a run was not quiet. */
export const MOST_OTHERS = 0.1;
const folder = (root: string) => join(root, 'bench', 'results');

export function readResults(root: string): Results {
  const names = (existsSync(folder(root)) ? readdirSync(folder(root)) : []).filter((name) => name.endsWith('.json'));
  return new Map(
    names
      .sort()
      .map((name) => [
        name.slice(0, -'.json'.length),
        JSON.parse(readFileSync(join(folder(root), name), 'utf8')) as Result,
      ]),
  );
}

export function writeResult(root: string, bench: string, result: Omit<Result, 'figures'>, figures: Figures): void {
  mkdirSync(folder(root), { recursive: true });
  const kept = Object.entries(figures).map(([name, value]) => [
    name,
    Number.isFinite(value) ? Number(value.toPrecision(4)) : null,
  ]);
  const text = JSON.stringify({ ...result, figures: Object.fromEntries(kept) as object }, null, 2);
  writeFileSync(join(folder(root), `${bench}.json`), `${text}\n`);
}
