// This build beside another, in one run: round by round, in random order, so that a busy machine is busy for both. What counts
// is the ratio within a round. Arguments: the folder of the other build, the bundled engine of each, the bundled engine bench of each,
// and how many seconds. With `--json` also how long the engine bench's denial takes, which needs a minute more.
import { spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { startCold, startWarm } from '../guard/deciders.ts';
import { hashOf, readList } from '../guard/list.ts';
import { report } from '../lib/figures.ts';
import { printTable, summarize } from '../lib/measure.ts';
import { fill, readPayloads } from '../hook/payloads.ts';
import { createScratchHome, installCommand } from '../hook/scratch-home.ts';
import { startDaemon } from '../hook/servers.ts';
import type { Server } from '../hook/servers.ts';
import { createNativeSpawner, createNodeSpawner } from '../hook/spawner.ts';
import { createRace, LIMIT } from './verdict.ts';
import type { Race } from './verdict.ts';

const WARM_UP = 5;
/** A round asks for so many decisions that pass, or so many that are answered. */
const DECISIONS = { pass: 30, answered: 6 } as const;
/** Then the list is used up, and another engine begins. */
const MOST_DECIDED = { pass: 2_800, answered: 480 } as const;
/** Decisions after a silence by one engine; then it is no longer a cold one. */
const COLD_DECISIONS = 8;
const DENIALS = 3;
const DENIAL_CASE = ['100', 'denies and commits (tier 3)'] as const;
const GRACE_MS = 15_000;
const root = process.cwd();
const [other = '', ownEngine = '', otherEngine = '', ownBench = '', otherBench = '', seconds = ''] =
  process.argv.slice(2);
const isForPrograms = process.argv.includes('--json');

/** What is measured of one build; each returns a time in some unit of its own. */
interface Build {
  readonly pass: () => Promise<number>;
  readonly deny: () => Promise<number>;
  readonly listPass: () => Promise<number>;
  readonly listAnswered: () => Promise<number>;
  readonly listColdPass: () => Promise<number>;
  readonly oneShot: () => Promise<number>;
  close(): Promise<void>;
}

const MEASURES = {
  pass: 'command hook that passes, ms',
  deny: 'command hook that denies, ms',
  listPass: 'command of the list that passes, µs',
  listAnswered: 'command of the list that is answered, with its commit, µs',
  listColdPass: 'command of the list that passes, cold, µs',
  oneShot: 'one-shot without an engine, ms of CPU',
} as const;
type Measure = keyof typeof MEASURES;
const ALL = Object.keys(MEASURES) as Measure[];

async function openBuild(folder: string, engineFile: string): Promise<Build> {
  const home = createScratchHome(folder);
  const { config, state, env, project } = home;
  const { argv } = installCommand(home);
  const daemon: Server = await startDaemon({ entry: join(folder, 'dist', 'daemon.js'), config, state, env, pin: [] });
  const surroundings = { cwd: project, env };
  const spawner =
    createNativeSpawner(surroundings, join(root, 'bench', 'hook', 'spawner.c'), home.folder) ??
    createNodeSpawner(surroundings);
  // It finds nobody at home, and is told not to start anybody.
  const alone = createScratchHome(folder);
  const engines = { warm: warmEngine(engineFile), cold: coldEngine(engineFile) };
  const payloads = readPayloads(root, project);
  let calls = 0;
  const hook = async (payload: string): Promise<number> => {
    const { ms, ok, output } = await spawner.run(argv, fill(payload, 1, (calls += 1)));
    if (!ok || (output !== '') !== (payload === payloads.deny)) throw new Error(`a wrong answer: ${output}`);
    return ms;
  };
  return {
    pass: () => hook(payloads.allow),
    deny: () => hook(payloads.deny),
    listPass: () => engines.warm.micros('pass'),
    listAnswered: () => engines.warm.micros('answered'),
    listColdPass: () => engines.cold.micros(),
    oneShot: () => cpuOf([alone.launcher, ...argv.slice(argv.indexOf('hook')), '--direct'], alone, payloads.allow),
    async close() {
      engines.warm.close();
      engines.cold.close();
      spawner.close();
      await daemon.stop();
      home.remove();
      alone.remove();
    },
  };
}

/** Engines at work, one after the other: none meets a command twice. */
function warmEngine(file: string) {
  let engine: Awaited<ReturnType<typeof startWarm>> | undefined;
  let decided = { pass: 0, answered: 0 };
  return {
    close: () => engine?.close(),
    /** Of one decision, at the median of a round. */
    async micros(kind: 'pass' | 'answered'): Promise<number> {
      const count = DECISIONS[kind];
      if (!engine || decided[kind] + count > MOST_DECIDED[kind]) {
        engine?.close();
        engine = await startWarm(file);
        decided = { pass: 0, answered: 0 };
      }
      decided[kind] += count;
      const times = await engine.decide(kind, count);
      return summarize(Float64Array.from(times, ({ micros }) => micros)).p50;
    },
  };
}

function coldEngine(file: string) {
  let engine: Awaited<ReturnType<typeof startCold>> | undefined;
  let decided = 0;
  return {
    close: () => engine?.close(),
    async micros(): Promise<number> {
      if (!engine || decided === COLD_DECISIONS) {
        engine?.close();
        engine = await startCold(file);
        decided = 0;
      }
      decided += 1;
      return engine.micros('pass');
    },
  };
}

/** The engine bench of either build by its own sources, in turns: the median of how much longer ours takes. */
function ratioOfDenials(): number {
  const p50 = (folder: string, bench: string): number => {
    const { stdout, stderr } = spawnSync(process.execPath, [bench, ...DENIAL_CASE], { cwd: folder, encoding: 'utf8' });
    if (stdout === '') throw new Error(stderr);
    return (JSON.parse(stdout) as { readonly p50: number }).p50;
  };
  const ratios = Array.from({ length: DENIALS }, () => p50(root, ownBench) / p50(other, otherBench));
  console.log(`the engine bench's denial: ${ratios.map((ratio) => ratio.toFixed(3)).join(', ')} times the other`);
  return summarize(Float64Array.from(ratios)).p50;
}

interface Place {
  readonly project: string;
  readonly config: string;
  readonly state: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Milliseconds of processor time that a process says it has taken. */
function cpuOf(args: readonly string[], { project, config, state, env }: Place, payload: string): Promise<number> {
  const cpu = join(root, 'bench', 'compare', 'cpu.cjs');
  const own = args.map((word, at) => ({ '--config': config, '--state': state })[args[at - 1] ?? ''] ?? word);
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--require', cpu, ...own], { cwd: project, env, stdio: 'pipe' });
    let told = '';
    child.stderr.on('data', (chunk: Buffer) => (told += chunk.toString()));
    child.stdout.resume();
    child.stdin.on('error', () => {});
    child.stdin.end(payload);
    child.on('error', reject);
    child.on('close', () => {
      const micros = /\ncpu (\d+)\n$/.exec(told)?.[1];
      if (micros === undefined) reject(new Error(`no processor time was told: ${told.slice(-500)}`));
      else resolve(Number(micros) / 1_000);
    });
  });
}

interface Result {
  readonly race: Race;
  /** Of each round. */
  readonly ours: number[];
  readonly theirs: number[];
  spentMs: number;
}

async function compare(ours: Build, theirs: Build): Promise<ReadonlyMap<Measure, Result>> {
  const results = new Map(
    ALL.map((measure): [Measure, Result] => [measure, { race: createRace(), ours: [], theirs: [], spentMs: 0 }]),
  );
  const wanted = new Map(results);
  for (let round = 0; round < WARM_UP; round += 1)
    for (const measure of ALL) for (const build of [ours, theirs]) await build[measure]();
  const end = performance.now() + Number(seconds) * 1_000;
  for (;;) {
    const now = performance.now();
    // What looked worse once is looked at again, even if that takes a little longer.
    const open = [...wanted].filter(([, { race }]) => now < end + (race.retries > 0 ? GRACE_MS : 0));
    // The one that has had the least time, so that a slow one does not take it from the others.
    const [next] = open.toSorted(([, a], [, b]) => a.spentMs - b.spentMs);
    if (!next) return results;
    const [measure, result] = next;
    const isFirst = Math.random() < 0.5;
    const first = await (isFirst ? ours : theirs)[measure]();
    const second = await (isFirst ? theirs : ours)[measure]();
    const [own, theirOwn] = isFirst ? [first, second] : [second, first];
    result.ours.push(own);
    result.theirs.push(theirOwn);
    result.spentMs += performance.now() - now;
    if (!result.race.add(own / theirOwn)) wanted.delete(measure);
  }
}

function tell(results: ReadonlyMap<Measure, Result>): void {
  const middle = (times: readonly number[]): string => summarize(Float64Array.from(times)).p50.toFixed(2);
  printTable(
    ['', 'this', 'other', 'ratio', 'between', 'rounds', 'retries', ''],
    [...results].map(([measure, { ours, theirs, race }]) => {
      const { median, low, high, rounds } = race.spread;
      const between = `${low.toFixed(3)} and ${high.toFixed(3)}`;
      const times = [middle(ours), middle(theirs), median.toFixed(3), between];
      return [MEASURES[measure], ...times, rounds, race.retries, race.verdict];
    }),
  );
  const named = (verdict: Race['verdict']) => [...results].filter(([, { race }]) => race.verdict === verdict);
  const unsure = named('unsure');
  if (unsure.length > 0)
    console.log(
      `unsure about ${unsure.length} of ${results.size}: the machine is too busy to tell. That is no failure.`,
    );
  for (const [measure, { race }] of named('worse')) {
    console.error(
      `worse: ${MEASURES[measure]} is ${race.spread.median.toFixed(2)} times the other; ${LIMIT} is allowed`,
    );
    process.exitCode = 1;
  }
}

const builds: Build[] = [];
try {
  const ours = await openBuild(root, ownEngine);
  builds.push(ours);
  const theirs = await openBuild(other, otherEngine);
  builds.push(theirs);
  console.log(`list ${hashOf(readList())}`);
  const results = await compare(ours, theirs);
  tell(results);
  if (isForPrograms) {
    const ratio = (measure: Measure) => results.get(measure)?.race.spread.median ?? Number.NaN;
    report('compare', {
      'list-pass': ratio('listPass'),
      'list-answered': ratio('listAnswered'),
      'list-cold-pass': ratio('listColdPass'),
      denial: ratioOfDenials(),
      pass: ratio('pass'),
      deny: ratio('deny'),
      'one-shot': ratio('oneShot'),
      'one-shot-cpu': summarize(Float64Array.from(results.get('oneShot')?.ours ?? [])).p50,
    });
  }
} finally {
  for (const build of builds) await build.close();
}
