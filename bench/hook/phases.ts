// Where the time of one hook call goes, from the start of the client to its end. Every part is what one measurement has over the
// one inside it: a process that does nothing, our client before a daemon that decides nothing, the way to such a daemon and to
// ours, and the stages that the engine itself writes down. All are started by a program in C, in turns and at random, so that a
// busy machine is busy for all; right behind another call, where what follows a reply is still under way, after a short pause, and
// after one as long as a model thinks.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { STAMP } from '../../src/platform/build.ts';
import { encodeRequest } from '../../src/transport/frame.ts';
import { openMeetingPlace } from '../../src/transport/meeting-place.ts';
import { printTable, summarize } from '../lib/measure.ts';
import { createHttpClient } from './http-client.ts';
import { fill, readPayloads } from './payloads.ts';
import { createScratchHome, installCommand, installHttp } from './scratch-home.ts';
import { startBare, startDaemon, startEcho } from './servers.ts';
import type { Server } from './servers.ts';
import { createNativeSpawner } from './spawner.ts';
import type { Spawner } from './spawner.ts';

const WARM_UP = 40;
const SHORT_MS = 250;
const LONG_MS = 3_000;
/** Of long pauses there are so many times fewer. */
const FEWER = 5;
const EXPLAINED = 15;
const STAGES = ['parse', 'workspace', 'effects', 'select', 'rules', 'render', 'commit'] as const;
type Stages = Partial<Record<(typeof STAGES)[number], number>>;

const root = process.cwd();
const rounds = Number(process.argv[2] ?? 40);
const home = createScratchHome(root);
const spawner = createNativeSpawner(
  { cwd: home.project, env: home.env },
  join(root, 'bench', 'hook', 'spawner.c'),
  home.folder,
);
if (!spawner) throw new Error('the parts of a call can only be told apart from a program in C: a compiler is needed');
const http = createHttpClient();
const servers: Server[] = [];
let calls = 0;
try {
  await main(spawner.run);
} finally {
  for (const server of servers) await server.stop();
  spawner.close();
  http.close();
  home.remove();
}

async function main(start: Spawner['run']): Promise<void> {
  const { argv } = installCommand(home);
  const ours = await installHttp(home);
  const { config, state, env, folder } = home;
  servers.push(await startDaemon({ entry: join(root, 'dist', 'daemon.js'), config, state, env, pin: [] }));
  const echo = await startEcho(join(root, 'bench', 'hook', 'echo-server.mjs'), []);
  const bare = join(folder, 'bare');
  const socketOf = (at: string) => openMeetingPlace({ config, state: at, run: join(at, 'run') }).socket;
  mkdirSync(join(bare, 'run'), { recursive: true, mode: 0o700 });
  servers.push(echo, await startBare(join(root, 'bench', 'hook', 'bare-daemon.mjs'), socketOf(bare)));
  const [, , ...args] = argv;
  const frame = (text: string) => {
    const body = Buffer.from(text);
    return encodeRequest({ verb: 'hook', stamp: STAMP, state, args, cwd: home.project, env, body, size: body.length });
  };
  const runs: Runs = {
    process: (text) => start(['/bin/true'], text),
    client: (text) =>
      start(
        argv.map((word) => (word === state ? bare : word)),
        text,
      ),
    wake: (text) => start([`=${socketOf(bare)}`], frame(text)),
    trip: (text) => start([`=${socketOf(state)}`], frame(text)),
    whole: (text) => start(argv, text),
    echo: (text) => http.run({ url: `http://127.0.0.1:${echo.port}/`, headers: {} }, text),
    post: (text) => http.run(ours, text),
  };
  const { allow, fail, deny } = readPayloads(root, home.project);
  for (const [name, payload] of Object.entries({ pass: allow, 'pass and count': fail, deny })) {
    await measureAll(runs, payload, 0, WARM_UP);
    const behind = await measureAll(runs, payload, 0, rounds);
    const paused = await measureAll(runs, payload, SHORT_MS, rounds);
    const stages = stagesOfLatest();
    const { process: floor, whole, echo: least, post } = runs;
    const ends = { process: floor, whole, echo: least, post };
    const long = await measureAll(ends, payload, LONG_MS, Math.ceil(rounds / FEWER));
    report(name, { behind, paused, stages, long });
  }
}

type Part = 'process' | 'client' | 'wake' | 'trip' | 'whole' | 'echo' | 'post';
type End = 'process' | 'whole' | 'echo' | 'post';
type Runs = Readonly<Record<Part, (text: string) => Promise<{ readonly ms: number; readonly ok: boolean }>>>;
type Times = Readonly<Record<Part, number>>;

/** Medians in microseconds. `gap`: milliseconds before each call; without one, another call stands right before it. */
async function measureAll<Name extends Part>(
  runs: Pick<Runs, Name>,
  payload: string,
  gap: number,
  count: number,
): Promise<Pick<Times, Name>> {
  const names = Object.keys(runs) as Name[];
  const times = new Map(names.map((name) => [name, new Float64Array(count)]));
  for (let round = 0; round < count; round += 1) {
    for (const name of names.toSorted(() => Math.random() - 0.5)) {
      if (gap > 0) await sleep(gap);
      else await runs[name](fill(payload, 1, (calls += 1)));
      const { ms, ok } = await runs[name](fill(payload, 1, (calls += 1)));
      if (!ok) throw new Error(`${name} failed`);
      (times.get(name) as Float64Array)[round] = ms * 1_000;
    }
  }
  return Object.fromEntries([...times].map(([name, own]) => [name, summarize(own).p50])) as Pick<Times, Name>;
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

interface Measurements {
  readonly behind: Times;
  readonly paused: Times;
  readonly long: Pick<Times, End>;
  readonly stages: Stages;
}

function report(name: string, { behind, paused, long, stages }: Measurements): void {
  const engine = STAGES.reduce((sum, stage) => sum + (stages[stage] ?? 0), 0);
  const parts = (what: string, of: (times: Times) => number) => [what, of(behind), of(paused), ''];
  const ends = (what: string, of: (times: Pick<Times, End>) => number) => [what, of(behind), of(paused), of(long)];
  console.log(`\n${name}, µs at the median of ${rounds}`);
  printTable(
    ['', 'right behind another', `after ${SHORT_MS} ms`, `after ${LONG_MS} ms`],
    [
      ends('start and end of a process that does nothing', (times) => times.process),
      parts('  our client and a daemon in Node that decides nothing', (times) => times.client - times.process),
      ['  ours: what is around its stages', '', paused.whole - paused.client - engine, ''],
      ...STAGES.map((stage) => [`  ours: ${stage}`, '', stages[stage] ?? 0, '']),
      ends('one call by command', ({ whole }) => whole),
      parts('  without the client: connect, send, hear the reply', ({ trip }) => trip),
      parts('  the same with the daemon that decides nothing', ({ wake }) => wake),
      ends('  times the process', ({ whole, process: floor }) => whole / floor),
      ends('one call by HTTP', ({ post }) => post),
      ends('  times the echo', ({ post, echo }) => post / echo),
    ],
  );
}
