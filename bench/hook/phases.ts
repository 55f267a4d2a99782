// Where the time of one hook call goes, from the start of the client to its end: the least that a process costs, what the
// client adds, the way to the engine and back, and the stages inside. Each part is what one measurement has over the one
// inside it, in turns and at random, so that a busy machine is busy for all. Once after a pause, as agents make it between
// two calls, and once right behind another call, where what follows a reply is still under way.
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { askDaemon } from '../../src/transport/ask-daemon.ts';
import { openMeetingPlace } from '../../src/transport/meeting-place.ts';
import { printTable, summarize } from '../lib/measure.ts';
import { createHttpClient } from './http-client.ts';
import { fill, readPayloads } from './payloads.ts';
import { createScratchHome, installCommand, installHttp } from './scratch-home.ts';
import { startDaemon, startEcho } from './servers.ts';
import type { Server } from './servers.ts';
import { createNativeSpawner, createNodeSpawner } from './spawner.ts';

const WARM_UP = 20;
const PAUSE_MS = 250;
const EXPLAINED = 15;
const STAGES = ['parse', 'workspace', 'effects', 'select', 'rules', 'render', 'commit'] as const;
type Stages = Partial<Record<(typeof STAGES)[number], number>>;

const root = process.cwd();
const rounds = Number(process.argv[2] ?? 40);
const home = createScratchHome(root);
const surroundings = { cwd: home.project, env: home.env };
const spawner =
  createNativeSpawner(surroundings, join(root, 'bench', 'hook', 'spawner.c'), home.folder) ??
  createNodeSpawner(surroundings);
const http = createHttpClient();
const echo = await startEcho(join(root, 'bench', 'hook', 'echo-server.mjs'), []);
let daemon: Server | undefined;
let calls = 0;
try {
  await main();
} finally {
  await daemon?.stop();
  spawner.close();
  http.close();
  await echo.stop();
  home.remove();
}

async function main(): Promise<void> {
  const { argv } = installCommand(home);
  const ours = await installHttp(home);
  const { config, state, env } = home;
  daemon = await startDaemon({ entry: join(root, 'dist', 'daemon.js'), config, state, env, pin: [] });
  const { socket } = openMeetingPlace({ config, state, run: join(state, 'run') });
  const [, , ...args] = argv;
  const ask = async (payload: string) => {
    const started = performance.now();
    const body = Buffer.from(payload);
    const reply = await askDaemon(socket, { verb: 'hook', state, args, cwd: home.project, env, body }, 3_000);
    if (!reply) throw new Error('the daemon left an event to the client');
    return { ms: performance.now() - started };
  };
  const { allow, fail, deny } = readPayloads(root, home.project);
  const bare = { url: `http://127.0.0.1:${echo.port}/`, headers: {} };
  for (const [name, payload] of Object.entries({ pass: allow, 'pass and count': fail, deny })) {
    const runs = {
      floor: (text: string) => spawner.run(['/bin/true'], text),
      whole: (text: string) => spawner.run(argv, text),
      trip: ask,
      echo: (text: string) => http.run(bare, text),
      post: (text: string) => http.run(ours, text),
    };
    await measureAll(runs, payload, 0, WARM_UP);
    const paused = await measureAll(runs, payload, PAUSE_MS, rounds);
    const stages = stagesOfLatest();
    const behind = await measureAll(runs, payload, 0, rounds);
    report(name, paused, behind, stages);
  }
}

type Runs = Readonly<Record<'floor' | 'whole' | 'trip' | 'echo' | 'post', (text: string) => Promise<{ ms: number }>>>;
type Times = Readonly<Record<keyof Runs, number>>;

/** Medians in microseconds. `gap`: milliseconds before each call; without one, another call stands right before it. */
async function measureAll(runs: Runs, payload: string, gap: number, count: number): Promise<Times> {
  const names = Object.keys(runs) as (keyof Runs)[];
  const times = new Map(names.map((name) => [name, new Float64Array(count)]));
  for (let round = 0; round < count; round += 1) {
    for (const name of names.toSorted(() => Math.random() - 0.5)) {
      if (gap > 0) await sleep(gap);
      else await runs.trip(fill(payload, 1, (calls += 1)));
      const { ms } = await runs[name](fill(payload, 1, (calls += 1)));
      (times.get(name) as Float64Array)[round] = ms * 1_000;
    }
  }
  return Object.fromEntries([...times].map(([name, own]) => [name, summarize(own).p50])) as Times;
}

/** What the engine itself has written down of its last events. */
function stagesOfLatest(): Stages {
  const rows = home.fairlead('log', '--json', '-n', String(EXPLAINED)).trim().split('\n');
  const all = rows.map((line) => {
    const { id } = JSON.parse(line) as { readonly id: string };
    return (
      (JSON.parse(home.fairlead('explain', id, '--json')) as { readonly detail?: { readonly times: Stages } }).detail
        ?.times ?? {}
    );
  });
  return Object.fromEntries(
    STAGES.map((stage) => [stage, summarize(Float64Array.from(all, (times) => times[stage] ?? 0)).p50]),
  );
}

function report(name: string, paused: Times, behind: Times, stages: Stages): void {
  const engine = STAGES.reduce((sum, stage) => sum + (stages[stage] ?? 0), 0);
  const row = (what: string, of: (times: Times) => number) => [what, of(paused), of(behind)];
  console.log(`\n${name}, µs at the median of ${rounds}`);
  printTable(
    ['', `after ${PAUSE_MS} ms`, 'right behind another'],
    [
      row('a process that does nothing', ({ floor }) => floor),
      row('the client beside it', ({ floor, whole, trip }) => whole - floor - trip),
      row('connect, wake up, read, write', ({ trip }) => trip - engine),
      ...STAGES.map((stage) => [`  engine: ${stage}`, stages[stage] ?? 0, '']),
      row('one call by command', ({ whole }) => whole),
      row('  times the process', ({ whole, floor }) => whole / floor),
      row('one call by HTTP', ({ post }) => post),
      row('  times the echo', ({ post, echo: least }) => post / least),
    ],
  );
}
