// What the increments pack costs inside the engine, tier by tier, with all other rules that are in force by default: the real
// engine on a state file, without the transport. Each figure stands beside that of the same event with the pack off.
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { plant, wrong } from './increments/stage.ts';
import { playStorm } from './increments/storm.ts';
import { casesIn, measureCase } from './increments/tiers.ts';
import { playLong } from './increments/week.ts';
import { report } from './lib/figures.ts';
import { printTable } from './lib/measure.ts';

const ACTIVE = 50;
const top = realpathSync(mkdtempSync(join(tmpdir(), 'fairlead-bench-increments-')));
const project = join(top, 'project');
plant(project, ACTIVE);

try {
  const rows: (string | number)[][] = [];
  const budgets: number[] = [];
  for (const one of casesIn(project)) {
    const { on, off, afterwards } = await measureCase(one, top, project);
    const { share = 'p95' } = one;
    rows.push([one.name, on.p50, on.p95, on.p99, off.p50, off.p99, on.p50 - off.p50, afterwards.p50]);
    budgets.push(on[share] / 1_000 / one.limit);
  }
  console.log(
    `tier and event, ${ACTIVE} active increments on disk; "after" is work that the reply does not wait for\n`,
  );
  printTable(['', 'p50 µs', 'p95 µs', 'p99 µs', 'off p50', 'off p99', 'adds p50', 'after p50'], rows);

  const storm = await playStorm(top, project);
  console.log(`\nstorm: 300 edits in 5 s from 3 sessions, after as many to warm up: ${storm.runs} runs of jobs in all`);

  const long = await playLong(top);
  console.log(
    `\n100,000 events of recorded sessions over 30 days: the last 1,000 p50 ${micros(long.last.p50)}, p95 ${micros(long.last.p95)}; in a new engine ${micros(long.first.p50)}, ${micros(long.first.p95)}; state ${kib(long.sizes[0])} after 20 days, ${kib(long.sizes[1])} after 30; the pack's cells ${kib(long.cells[0])}, ${kib(long.cells[1])}`,
  );
  report('increments', {
    tiers: Math.max(...budgets),
    'storm-p95': storm.p95,
    'storm-queue': storm.longestQueue,
    'storm-breakers': storm.openBreakers,
    'storm-processes': storm.children,
    'storm-heap': storm.grownMiB,
    'long-p95': long.last.p95 / long.first.p95,
    'long-state': long.sizes[1] / long.sizes[0],
    'long-cells': long.cells[1] / long.cells[0],
  });
  for (const text of new Set(wrong)) console.error(text);
  if (wrong.length > 0) process.exitCode = 1;
} finally {
  rmSync(top, { recursive: true });
}

function micros(value: number): string {
  return `${Math.round(value)} µs`;
}

function kib(bytes: number): string {
  return `${Math.round(bytes / 1_024)} KiB`;
}
