import { existsSync, mkdirSync, realpathSync, rmSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { spawnSync } from 'node:child_process';
import { report } from '../lib/figures.ts';
import { printTable } from '../lib/measure.ts';
import { codegraph, ctags, fairlead } from './contenders.ts';
import type { Contender, Indexed } from './contenders.ts';
import { measureCards, measureUnindexed } from './cards.ts';
import type { Trips } from './cards.ts';
import { measureDaemon } from './daemon-memory.ts';
import { askAll } from './queries.ts';
import { refreshAll } from './refresh.ts';
import { prepareTrees, prepareUnion } from './trees.ts';
import type { Tree } from './trees.ts';

const MB = 1_000_000;
const [root = '', scratch = '', ...only] = process.argv.slice(2).filter((word) => word !== '--json');
const wants = (part: string): boolean => only.length === 0 || only.includes(part);
const worst = new Map<string, number>();
/** Of several figures for one bar the highest counts. */
const bar = (name: string, value: number): string => {
  worst.set(name, Math.max(value, worst.get(name) ?? 0));
  return value.toFixed(2);
};

mkdirSync(scratch, { recursive: true });
console.log(`${cpus().length} cores (${process.arch}), Node ${process.version}`);
const trees = prepareTrees(scratch, (line) => console.log(line));
const union = realpathSync(prepareUnion(scratch, trees));
for (const { name, origin, files, lines, bytes } of trees)
  console.log(`${name}: ${origin}, ${files} files, ${lines} lines, ${(bytes / MB).toFixed(2)} MB`);

if (wants('index')) for (const tree of trees) indexWithAll(tree);
if (wants('refresh')) for (const tree of trees) await refresh(tree);
if (wants('queries')) ask();
if (wants('daemon')) await daemon();
if (wants('cards')) await cards();
if (wants('load')) await load();

if (worst.size > 0) report('graph', Object.fromEntries(worst));

function indexWithAll(tree: Tree): void {
  console.log(`\nFull index, cold process, ${tree.name}`);
  const peers: readonly (Contender | undefined)[] = [codegraph(root, scratch), ctags(root, scratch)];
  const field = [fairlead(root, scratch), ...peers.filter((peer) => peer !== undefined)];
  const results = field.map((contender) => ({ contender, spent: contender.index(realpathSync(tree.dir)) }));
  const [ours, theirs] = results.map(({ spent }) => spent);
  if (ours === undefined || theirs === undefined) throw new Error('nothing to compare');
  printTable(
    ['', 'CPU s', 'wall s', 'peak MB', 'store MB'],
    results.map(({ contender, spent }) => [contender.name, ...inUnits(spent)]),
  );
  const ratio = (of: keyof Indexed) => ours[of] / theirs[of];
  console.log(
    `  of CodeGraph: CPU ${bar('cpu', ratio('cpu'))}, peak memory ${bar('memory', ratio('peak'))}, store ${bar('store', ratio('store'))}`,
  );
  for (const { contender } of results) console.log(`  ${contender.name}: ${contender.remark}`);
}

function inUnits({ cpu, wall, peak, store }: Indexed): string[] {
  return [cpu.toFixed(2), wall.toFixed(2), (peak / MB).toFixed(0), (store / MB).toFixed(2)];
}

async function refresh(tree: Tree): Promise<void> {
  console.log(`\nOne file edited and the graph brought up to date, CPU ms, ${tree.name}`);
  const rows = await refreshAll(tree, scratch);
  printTable(
    ['', 'files', 'p50', 'p95', 'max', 'p95, files over 30 kB in proportion'],
    rows.map(({ edit, files, p50, p95, max, scaled }) => [
      edit,
      files,
      p50.toFixed(1),
      p95.toFixed(1),
      max.toFixed(1),
      bar('refresh', scaled),
    ]),
  );
}

function ask(): void {
  const home = join(scratch, 'query-home');
  const state = join(home, '.local/state/fairlead');
  rmSync(home, { recursive: true, force: true });
  mkdirSync(home, { recursive: true });
  const env = { PATH: process.env['PATH'] ?? '', HOME: home };
  const argv = [join(root, 'dist/cli.js'), 'graph', 'index', '--root', union];
  const { status, stderr } = spawnSync(process.execPath, argv, { env, encoding: 'utf8' });
  if (status !== 0 || !existsSync(state)) throw new Error(`fairlead graph index: ${stderr}`);
  const { symbols, edges, opened, times } = askAll(state, union);
  console.log(`\nQuestions to an index of all three trees: ${symbols} symbols, ${edges} edges`);
  const first = opened[0] ?? Number.NaN;
  console.log(`  opening: ${bar('open', first)} ms at first, then ${Math.min(...opened).toFixed(1)} ms`);
  const bars: Readonly<Record<string, string>> = {
    'callers of any symbol': 'callers',
    'impact, depth 3, of any symbol': 'impact',
  };
  printTable(
    ['', 'asked', 'p50 ms', 'p95 ms', 'max ms'],
    times.map(({ question, runs, p50, p95, max }) => {
      if (bars[question]) bar(bars[question], p95);
      return [question, runs, p50.toFixed(3), p95.toFixed(3), max.toFixed(3)];
    }),
  );
}

async function daemon(): Promise<void> {
  const { before, after, opened, indexerEnded } = await measureDaemon(root, union, scratch);
  console.log(
    `\nMemory of the daemon: ${(before / MB).toFixed(1)} MB before the index was made, ${(after / MB).toFixed(1)} MB with it open; the open index has ${(opened / MB).toFixed(1)} MB; the indexing process has ${indexerEnded ? '' : 'NOT '}ended by itself`,
  );
}

function printTrips(rows: readonly (readonly [name: string, trips: Trips])[]): void {
  printTable(
    ['', 'events', 'cards', 'p50 ms', 'p95 ms', 'p99 ms'],
    rows.map(([name, { events, cards: heard, p50, p95, p99 }]) => [
      name,
      events,
      heard,
      ...[p50, p95, p99].map((ms) => ms.toFixed(2)),
    ]),
  );
}

async function cards(): Promise<void> {
  console.log('\nReads posted to a daemon that has the union of the trees open');
  const { first, warm, trips } = await measureCards(root, union);
  const shown = {
    'inside the engine, index just opened': first,
    'inside the engine, warm': warm,
    'round trip, warm': trips,
  };
  for (const [name, { off, silent, card }] of Object.entries(shown)) {
    console.log(`  ${name}`);
    printTrips([
      ['pack off', off],
      ['no card', silent],
      ['with a card', card],
    ]);
  }
  console.log(
    `  inside the engine, warm, p95 with a card ${bar('card', warm.card.p95)} ms, without ${bar('silent', warm.silent.p95)} ms`,
  );
}

async function load(): Promise<void> {
  console.log('\nReads in a project without an index, one after the other while it is being made');
  const { off, indexing, startMs, indexedMs } = await measureUnindexed(root, union);
  printTrips([
    ['pack off', off],
    ['being indexed', indexing],
  ]);
  console.log(
    `  the session's start was answered in ${bar('start', startMs)} ms; the index was there after ${(indexedMs / 1_000).toFixed(1)} s; p50 of these events to those with the pack off: ${bar('indexing', indexing.p50 / off.p50)}`,
  );
}
