// What one hook costs the program that starts it, beside the least that a process or a server can cost and beside
// other hooks: all in one run, in turns and in random order, so that a busy machine is busy for everybody.
import { join } from 'node:path';
import { report, roundsOr } from '../lib/figures.ts';
import { printTable, summarize } from '../lib/measure.ts';
import type { Measured } from '../lib/measure.ts';
import { FROM_C, gather, NAMES } from './contenders.ts';
import type { Contender } from './contenders.ts';
import { milliseconds } from './draw-bars.ts';
import { createHttpClient } from './http-client.ts';
import { readPayloads } from './payloads.ts';
import { createScratchHome, installCommand, installHttp } from './scratch-home.ts';
import type { ScratchHome } from './scratch-home.ts';
import { startDaemon, startEcho } from './servers.ts';
import type { Server } from './servers.ts';
import { createNativeSpawner, createNodeSpawner } from './spawner.ts';

const WARM_UP = 20;
/** What their figures are called. */
const KEYS: Readonly<Record<string, string>> = {
  [NAMES.floor]: 'true',
  [NAMES.allow]: 'allow',
  [NAMES.deny]: 'deny',
  [NAMES.echo]: 'echo',
  [NAMES.httpAllow]: 'http-allow',
  [NAMES.httpDeny]: 'http-deny',
  [NAMES.jq]: 'jq',
  [NAMES.node]: 'node',
  [NAMES.peerAllow]: 'peer-allow',
  [NAMES.peerDeny]: 'peer-deny',
};
const root = process.cwd();
const scratch = join(root, '.build');
const rounds = roundsOr(200);

const home = createScratchHome(root);
const echo = await startEcho(join(root, 'bench', 'hook', 'echo-server.mjs'), []);
const http = createHttpClient();
const surroundings = { cwd: home.project, env: home.env };
const spawner = createNodeSpawner(surroundings);
const cheapest = createNativeSpawner(surroundings, join(root, 'bench', 'hook', 'spawner.c'), home.folder);
let daemon: Server | undefined;
try {
  await main();
} finally {
  await daemon?.stop();
  cheapest?.close();
  http.close();
  await echo.stop();
  home.remove();
}

async function main(): Promise<void> {
  const { argv: command } = installCommand(home);
  const ours = await installHttp(home);
  // As the first hook would start it, but held by this process, which has to end it.
  daemon = await startDaemon({
    entry: join(root, 'dist', 'daemon.js'),
    config: home.config,
    state: home.state,
    env: home.env,
    pin: [],
  });
  const contenders = gather({
    root,
    scratch,
    spawner,
    cheapest,
    http,
    payloads: readPayloads(root, home.project),
    command,
    ours,
    echo: { url: `http://127.0.0.1:${echo.port}/`, headers: {} },
  });
  console.log(`installed argv: ${command.join(' ')}`);
  console.log(`${rounds} rounds after ${WARM_UP} to warm up\n`);

  const before = answeredBy(home);
  const measured = await race(contenders);
  const after = answeredBy(home);
  for (const door of ['socket', 'http'] as const) {
    const sent = contenders.filter((one) => one.door === door && one.missing === undefined).length * (rounds + WARM_UP);
    console.log(`answered by the daemon, ${door}: ${after[door] - before[door]} of ${sent}`);
    if (after[door] - before[door] !== sent) throw new Error('what was measured is not the daemon alone');
  }
  console.log('');
  tell(contenders, measured);
}

function answeredBy({ fairlead }: ScratchHome): { readonly socket: number; readonly http: number } {
  const status = JSON.parse(fairlead('daemon', 'status', '--json')) as { requests: { socket: number; http: number } };
  return status.requests;
}

async function race(contenders: readonly Contender[]): Promise<ReadonlyMap<string, Measured>> {
  const racing = contenders.filter(({ missing }) => missing === undefined);
  const times = new Map(racing.map(({ name }) => [name, new Float64Array(rounds)]));
  let call = 0;
  for (let round = -WARM_UP; round < rounds; round += 1) {
    for (const contender of shuffled(racing)) {
      const run = await contender.run((call += 1));
      if (!contender.isRight(run))
        throw new Error(`${contender.name} gave a wrong answer: ${run.output.slice(0, 500)}`);
      const own = times.get(contender.name);
      if (round >= 0 && own) own[round] = run.ms;
    }
  }
  return new Map([...times].map(([name, own]) => [name, summarize(own)]));
}

function shuffled<T>(items: readonly T[]): T[] {
  return items
    .map((item) => ({ item, at: Math.random() }))
    .sort((one, other) => one.at - other.at)
    .map(({ item }) => item);
}

function tell(contenders: readonly Contender[], measured: ReadonlyMap<string, Measured>): void {
  const p50 = (name: string) => measured.get(name)?.p50 ?? Number.NaN;
  const times = (name: string, floor: string) => `${(p50(name) / p50(floor)).toFixed(2)}x`;
  const rows = contenders.map(({ name, missing }) => {
    const own = measured.get(name);
    if (!own) return [name, 'missing', missing ?? '', '', ''];
    const isHttp = name === NAMES.httpAllow || name === NAMES.httpDeny || name === NAMES.echo;
    return [
      name,
      milliseconds(own.p50),
      milliseconds(own.p95),
      times(name, FROM_C.includes(name) ? NAMES.cheapFloor : NAMES.floor),
      isHttp ? times(name, NAMES.echo) : '',
    ];
  });
  const head = ['one hook call', 'p50', 'p95', 'to `true`', 'to the echo'];
  printTable(head, rows);

  // A picture is drawn of them.
  const drawn = Object.entries(KEYS).flatMap(([name, key]) => {
    const own = measured.get(name);
    return [[`${key}-p50`, own?.p50 ?? Number.NaN] as const, [`${key}-p95`, own?.p95 ?? Number.NaN] as const];
  });
  report('hook', {
    ...Object.fromEntries(drawn),
    allow: p50(NAMES.allow) / p50(NAMES.floor),
    deny: p50(NAMES.deny) / p50(NAMES.floor),
    'http-allow': p50(NAMES.httpAllow) / p50(NAMES.echo),
    'http-deny': p50(NAMES.httpDeny) / p50(NAMES.echo),
    'c-allow': p50(NAMES.cheapAllow) / p50(NAMES.cheapFloor),
    'c-deny': p50(NAMES.cheapDeny) / p50(NAMES.cheapFloor),
    'peer-allow': p50(NAMES.peerAllow) / p50(NAMES.allow),
    'peer-deny': p50(NAMES.peerDeny) / p50(NAMES.deny),
  });
}
