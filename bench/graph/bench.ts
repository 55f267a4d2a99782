import { existsSync, mkdirSync, realpathSync, rmSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { spawnSync } from 'node:child_process';
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

const BARS = {
  cpu: 0.35,
  memory: 0.5,
  store: 0.3,
  refreshMs: 15,
  callersMs: 1,
  impactMs: 5,
  openMs: 50,
  cardMs: 5,
  silentMs: 2,
  indexing: 2,
  startMs: 300,
} as const;
const MB = 1_000_000;
const [root = '', scratch = '', ...only] = process.argv.slice(2);
const wants = (part: string): boolean => only.length === 0 || only.includes(part);
const missed: string[] = [];
const bar = (name: string, value: number, limit: number): string => {
  const isMet = value <= limit;
  if (!isMet) missed.push(`${name}: ${value.toFixed(2)}, limit ${limit}`);
  return `${value.toFixed(2)}${isMet ? '' : ' MISSED'}`;
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

if (missed.length > 0) {
  console.log(`\nmissed:\n${missed.map((line) => `  ${line}`).join('\n')}`);
  process.exitCode = 1;
}

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
    `  of CodeGraph: CPU ${bar(`${tree.name} CPU`, ratio('cpu'), BARS.cpu)} (limit ${BARS.cpu}, goal 0.15), peak memory ${bar(`${tree.name} memory`, ratio('peak'), BARS.memory)} (limit ${BARS.memory}), store ${bar(`${tree.name} store`, ratio('store'), BARS.store)} (limit ${BARS.store})`,
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
      `${bar(`${tree.name} refresh, ${edit}`, scaled, BARS.refreshMs)} (limit ${BARS.refreshMs})`,
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
  console.log(
    `  opening: ${bar('opening', first, BARS.openMs)} ms at first (limit ${BARS.openMs} for 45,000 symbols), then ${Math.min(...opened).toFixed(1)} ms`,
  );
  const limitOf = (question: string) =>
    question === 'callers of any symbol'
      ? BARS.callersMs
      : question === 'impact, depth 3, of any symbol'
        ? BARS.impactMs
        : undefined;
  printTable(
    ['', 'asked', 'p50 ms', 'p95 ms', 'max ms', 'limit of p95'],
    times.map(({ question, runs, p50, p95, max }) => {
      const limit = limitOf(question);
      if (limit !== undefined) bar(question, p95, limit);
      return [question, runs, p50.toFixed(3), p95.toFixed(3), max.toFixed(3), limit === undefined ? '' : String(limit)];
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
    `  inside the engine, warm, p95 with a card ${bar('card p95 ms', warm.card.p95, BARS.cardMs)} ms (limit ${BARS.cardMs}), without ${bar('no card p95 ms', warm.silent.p95, BARS.silentMs)} ms (limit ${BARS.silentMs})`,
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
    `  the session's start was answered in ${bar('session start ms', startMs, BARS.startMs)} ms (limit ${BARS.startMs}); the index was there after ${(indexedMs / 1_000).toFixed(1)} s; p50 of these events to those with the pack off: ${bar('indexing to off', indexing.p50 / off.p50, BARS.indexing)} (limit ${BARS.indexing})`,
  );
}
