// What a decision about a shell command costs inside the engine, without the transport: over the list of bench/guard/list.ts, which each
// engine meets once, warm and cold.
import { serveDecisions } from './guard/decider.ts';
import { startCold, startWarm } from './guard/deciders.ts';
import { hashOf, readList } from './guard/list.ts';
import { report } from './lib/figures.ts';
import { printTable, summarize } from './lib/measure.ts';

const WARM_ENGINES = 3;
const MEASURED = 3_000;
const SCRIPT_RUNS = 1_000;
const COLD_ENGINES = 12;
const COLD_PAIRS = 3;

async function main(script: string): Promise<void> {
  const list = readList();
  console.log(`list ${hashOf(list)}: ${list.length} commands, 85 of 100 pass`);
  const times = { pass: [], answered: [], coldPass: [], coldAnswered: [], script: [] } as Record<string, number[]>;
  const add = (name: string, micros: number) => times[name]?.push(micros);
  for (let engine = 0; engine < WARM_ENGINES; engine += 1) {
    const warm = await startWarm(script, ['decide']);
    for (const { kind, micros } of await warm.decide('any', MEASURED)) add(kind, micros);
    for (const { micros } of await warm.decide('script', SCRIPT_RUNS)) add('script', micros);
    warm.close();
  }
  for (let engine = 0; engine < COLD_ENGINES; engine += 1) {
    const cold = await startCold(script, ['decide']);
    for (let pair = 0; pair < COLD_PAIRS; pair += 1) {
      add('coldPass', await cold.micros('pass'));
      add('coldAnswered', await cold.micros('answered'));
    }
    cold.close();
  }
  const of = (...names: readonly string[]) => summarize(Float64Array.from(names.flatMap((name) => times[name] ?? [])));
  const rows = {
    'all, warm': of('pass', 'answered'),
    'passing, warm': of('pass'),
    'answered, warm': of('answered'),
    'passing, cold': of('coldPass'),
    'answered, cold': of('coldAnswered'),
    'a script of 10 kB, seen before': of('script'),
  };
  printTable(
    ['', 'p50 µs', 'p95 µs', 'p99 µs'],
    Object.entries(rows).map(([name, { p50, p95, p99 }]) => [name, p50, p95, p99]),
  );
  report('guard', {
    'all-p50': rows['all, warm'].p50,
    'all-p99': rows['all, warm'].p99,
    'pass-p50': rows['passing, warm'].p50,
    'answered-p50': rows['answered, warm'].p50,
    'cold-pass-p50': rows['passing, cold'].p50,
    'cold-answered-p50': rows['answered, cold'].p50,
    'script-p50': rows['a script of 10 kB, seen before'].p50,
  });
}

const [, script = '', role] = process.argv;
if (role === 'decide') serveDecisions();
else await main(script);
