import { readBilled } from '../../adopted/bill.ts';
import type { BilledRun } from '../../adopted/bill.ts';
import { nodeFiles } from '../../platform/files.ts';
import type { CliWorld } from '../command.ts';
import { printTable } from '../table.ts';

/** What a hook of somebody else's has cost, and what came of it. */
export interface HookCost {
  readonly name: string;
  readonly event: string;
  readonly runs: number;
  readonly p50: number;
  readonly p95: number;
  /** Runs that decided something, by what. */
  readonly verdicts: Readonly<Record<string, number>>;
  readonly failed: number;
  /** What went wrong the last time that something did. */
  readonly problem?: string;
}

export function hookCosts(since: number, { paths }: Pick<CliWorld, 'paths'>): readonly HookCost[] {
  const byHook = new Map<string, BilledRun[]>();
  for (const run of readBilled(nodeFiles, paths.state, since)) {
    const key = `${run.event} ${run.name}`;
    const known = byHook.get(key);
    if (known) known.push(run);
    else byHook.set(key, [run]);
  }
  return [...byHook.values()].map(costOf).sort((a, b) => b.runs * b.p50 - a.runs * a.p50);
}

function costOf(runs: readonly BilledRun[]): HookCost {
  const [{ name, event } = { name: '', event: '' }] = runs;
  const times = runs.map(({ ms }) => ms).sort((a, b) => a - b);
  const at = (share: number): number => Math.round(times[Math.floor((times.length - 1) * share)] ?? 0);
  const verdicts: Record<string, number> = {};
  for (const { verdict } of runs) if (verdict !== 'none') verdicts[verdict] = (verdicts[verdict] ?? 0) + 1;
  const failing = runs.filter(({ problem }) => problem !== undefined);
  const problem = failing.at(-1)?.problem;
  return {
    ...{ name, event, runs: runs.length, p50: at(0.5), p95: at(0.95), failed: failing.length },
    verdicts,
    ...(problem === undefined ? {} : { problem }),
  };
}

export function showHookCosts(costs: readonly HookCost[], world: CliWorld): void {
  printTable(
    world,
    [
      ...[{ title: 'hook' }, { title: 'event' }],
      ...['runs', 'p50 ms', 'p95 ms', 'failed'].map((title) => ({ title, align: 'right' }) as const),
      { title: 'decided' },
    ],
    costs.map(({ name, event, runs, p50, p95, failed, verdicts }) => {
      const decided = Object.entries(verdicts).map(([verdict, count]) => `${count} ${verdict}`);
      return [name, event, runs, p50, p95, failed, decided.join(', ')];
    }),
  );
}
