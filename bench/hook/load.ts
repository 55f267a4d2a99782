// What the daemon bears over HTTP on one core, beside a bare echo under the same load in turns; whether its state is
// exact afterwards; and the memory it takes.
import { spawn, spawnSync } from 'node:child_process';
import { cpus } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { report, roundsOr } from '../lib/figures.ts';
import type { Figures } from '../lib/figures.ts';
import { printTable } from '../lib/measure.ts';
import type { Load, Order, Step } from './generator.ts';
import { createHttpClient } from './http-client.ts';
import { fill, readPayloads, SESSION_DIGITS } from './payloads.ts';
import { createScratchHome, installHttp } from './scratch-home.ts';
import type { InstalledHttp, ScratchHome } from './scratch-home.ts';
import { memoryOf, startDaemon, startEcho } from './servers.ts';
import type { Server } from './servers.ts';

const CONNECTIONS = 32;
const WARM_UP_SECONDS = 1;
const PHASE_SECONDS = 3;
/** By then a daemon at rest has given back the memory of its busy time. */
const IDLE_MS = 45_000;
/** Between the calls of a session that is at work. */
const PAUSE_MS = 20;
/** Failing calls go to sessions of their own, so that advice on them makes no neutral event a matter of state. */
const FAILING = 1_000_000;
/** Failures in a row that a session may see; after thousands in one turn every rule has said all it may say. */
const FAILURES = 30;

const root = process.cwd();
const rounds = roundsOr(5);
const generator = join(dirname(fileURLToPath(import.meta.url)), 'generator.mjs');
const canPin = cpus().length > 1 && spawnSync('taskset', ['-c', '0', 'true']).status === 0;
const serverPin = canPin ? ['taskset', '-c', '0'] : [];
const generatorPin = canPin ? ['taskset', '-c', '1'] : [];

type Aim = Pick<Order, 'port' | 'path' | 'headers' | 'pid'>;
type Shape = Pick<Order, 'script' | 'sessions' | 'warmUpSeconds' | 'until'>;

let calls = 0;

async function load(aim: Aim, shape: Shape): Promise<Load> {
  const order: Order = { connections: CONNECTIONS, firstCall: calls, ...aim, ...shape };
  const [command, ...args] = [...generatorPin, process.execPath, generator, JSON.stringify(order)];
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  const code = await new Promise((resolve) => {
    child.on('close', resolve);
  });
  if (code !== 0) throw new Error('the generator failed');
  const result = JSON.parse(output) as Load;
  if (result.wrong.length > 0) throw new Error(`a wrong answer: ${result.wrong[0]}`);
  calls += result.answered;
  return result;
}

async function withDaemon<T>(work: (home: ScratchHome, http: InstalledHttp, daemon: Server) => Promise<T>): Promise<T> {
  const home = createScratchHome(root);
  const http = await installHttp(home);
  const node = process.env['FAIRLEAD_BENCH_NODE']?.split(' ');
  const daemon = await startDaemon({
    entry: join(root, 'dist', 'daemon.js'),
    config: home.config,
    state: home.state,
    env: home.env,
    pin: serverPin,
    ...(node ? { node } : {}),
  });
  try {
    return await work(home, http, daemon);
  } finally {
    await daemon.stop();
    home.remove();
  }
}

/** Each of them in two sessions; returns how many events that were. */
async function post(http: InstalledHttp, payloads: readonly string[]): Promise<number> {
  const before = calls;
  const client = createHttpClient();
  for (const session of [2 * FAILING, 2 * FAILING + 1])
    for (const payload of payloads) {
      calls += 1;
      const { ok, output } = await client.run(http, fill(payload, session, calls));
      if (!ok) throw new Error(`a wrong answer: ${output}`);
    }
  client.close();
  return calls - before;
}

function aimAt({ url, headers }: InstalledHttp, { pid }: Server): Aim {
  const { port, pathname } = new URL(url);
  return { port: Number(port), path: pathname, headers, pid };
}

const median = (values: readonly number[]) =>
  values.toSorted((one, other) => one - other)[values.length >> 1] ?? Number.NaN;

/** An echo answers with what it got. */
function withoutReply({ replyBytes: _replyBytes, ...step }: Step): Step {
  return step;
}

async function measureThroughput(): Promise<Figures> {
  const echo = await startEcho(join(root, 'bench', 'hook', 'echo-server.mjs'), serverPin);
  try {
    return await withDaemon(async (home, http, daemon) => {
      const payloads = readPayloads(root, home.project);
      const neutral = (payload: string): Step => ({ payload, sessionOffset: 0, replyBytes: 2 });
      const change: Step = { payload: payloads.fail, sessionOffset: FAILING, perSession: FAILURES };
      const scripts = {
        mix: [...[1, 2, 3].flatMap(() => [payloads.allow, payloads.read, payloads.afterRead].map(neutral)), change],
        commits: [change],
      };
      const aims = {
        echo: { port: echo.port, path: '/', headers: http.headers, pid: echo.pid },
        ours: aimAt(http, daemon),
      };
      // Its rules are read before the load comes.
      let events = await post(http, [payloads.allow]);
      const results = new Map<string, Load[]>();
      let changes = 0;
      for (let round = 0; round < rounds; round += 1) {
        for (const shape of ['mix', 'commits'] as const) {
          for (const who of ['echo', 'ours'] as const) {
            const result = await load(aims[who], {
              script: who === 'echo' ? scripts[shape].map(withoutReply) : scripts[shape],
              sessions: CONNECTIONS,
              warmUpSeconds: WARM_UP_SECONDS,
              until: { seconds: PHASE_SECONDS },
            });
            results.set(`${who} ${shape}`, [...(results.get(`${who} ${shape}`) ?? []), result]);
            if (who === 'ours') {
              events += result.answered;
              changes += result.perStep.at(-1) ?? 0;
            }
            await sleep(300);
          }
        }
      }
      const rows = [...results].map(([name, loads]) => {
        const [who = '', shape = ''] = name.split(' ');
        const of = (field: 'perSecond' | 'p50' | 'p99' | 'serverCpu' | 'ownCpu') =>
          median(loads.map((one) => one[field]));
        return [
          who === 'ours' ? 'Fairlead' : 'bare echo',
          shape === 'mix' ? '90 % neutral, 10 % change state' : 'every event commits',
          Math.round(of('perSecond')),
          `${of('p50').toFixed(2)} ms`,
          `${of('p99').toFixed(2)} ms`,
          `${(of('serverCpu') * 100).toFixed(0)} %`,
          `${((of('serverCpu') / of('perSecond')) * 1e6).toFixed(0)} µs`,
          `${(of('ownCpu') * 100).toFixed(0)} %`,
        ];
      });
      console.log(
        `${CONNECTIONS} connections, ${rounds} rounds of ${PHASE_SECONDS} s in turns${canPin ? ', server on one core' : ', NOT pinned'}`,
      );
      printTable(['server', 'load', 'events/s', 'p50', 'p99', 'its CPU', 'per event', "generator's CPU"], rows);
      const ratio = (shape: string, speed: (one: Load) => number) =>
        median(
          (results.get(`ours ${shape}`) ?? []).map((ours, at) => {
            const bare = results.get(`echo ${shape}`)?.[at];
            return bare ? speed(ours) / speed(bare) : Number.NaN;
          }),
        );
      // The same as throughput on a core of its own, and less shaken where the core is shared.
      const perCpu = ({ perSecond, serverCpu }: Load) => perSecond / serverCpu;
      console.log(
        `events per second of processor time to the echo: ${ratio('mix', perCpu).toFixed(2)}, every event commits: ${ratio('commits', perCpu).toFixed(2)}`,
      );
      if ([...results.values()].flat().some(({ serverCpu }) => serverCpu < 0.9))
        console.log('the servers did not have their core to themselves: throughput means little in this run');
      await daemon.stop();
      checkExact(home, changes, events);
      return {
        mix: ratio('mix', ({ perSecond }) => perSecond),
        commits: ratio('commits', ({ perSecond }) => perSecond),
        slowest: ratio('mix', ({ p99 }) => p99),
      };
    });
  } finally {
    await echo.stop();
  }
}

interface Stats {
  readonly totals: { readonly events: number };
  /** `tier3`: how often its check ran, as the details of the rows tell. */
  readonly rules: readonly { readonly rule: string; readonly tier3: number }[];
}

function checkExact({ fairlead }: ScratchHome, changes: number, events: number): void {
  const cells = JSON.parse(fairlead('state', 'list', '--json')) as { name: string; value: number }[];
  const counted = cells.filter(({ name }) => name === 'basics.failures').reduce((sum, { value }) => sum + value, 0);
  const rows =
    fairlead('log', '--all', '--json', '--event', 'tool.failed', '-n', String(changes + 1)).split('\n').length - 1;
  const { totals, rules } = JSON.parse(fairlead('stats', '--json')) as Stats;
  const explained = rules.find(({ rule }) => rule === 'basics/repeated-failure')?.tier3 ?? 0;
  console.log(`\nanswered events: ${events}; their rows: ${totals.events}`);
  console.log(
    `of them change state: ${changes}; counted in state: ${counted}; rows: ${rows}; with their details: ${explained}`,
  );
  if (totals.events !== events || [counted, rows, explained].some((count) => count !== changes)) {
    process.exitCode = 1;
    console.error('missed: state and ledger are not exact');
  }
}

/** How much longer a session waits for its reply while another sends all it can over many connections. */
async function measureFlood(): Promise<Figures> {
  return withDaemon(async (home, http, daemon) => {
    const payloads = readPayloads(root, home.project);
    const client = createHttpClient();
    const ask = async (seconds: number): Promise<number> => {
      const times: number[] = [];
      const until = performance.now() + seconds * 1_000;
      while (performance.now() < until) {
        calls += 1;
        const { ms, ok, output } = await client.run(http, fill(payloads.allow, 2 * FAILING, calls));
        if (!ok) throw new Error(`a wrong answer: ${output}`);
        times.push(ms);
        await sleep(PAUSE_MS);
      }
      return median(times);
    };
    const flooding = payloads.allow.replace('#'.repeat(SESSION_DIGITS), String(FAILING).padStart(SESSION_DIGITS, '0'));
    const flood = (seconds: number) =>
      load(aimAt(http, daemon), {
        script: [{ payload: flooding, sessionOffset: 0 }],
        sessions: CONNECTIONS,
        warmUpSeconds: 0,
        until: { seconds },
      });
    await flood(PHASE_SECONDS);
    const quiet = await ask(PHASE_SECONDS);
    const flooded = flood(PHASE_SECONDS + 2);
    await sleep(1_000);
    const busy = await ask(PHASE_SECONDS);
    const { perSecond, p50 } = await flooded;
    client.close();
    console.log(
      `\na session by itself: ${quiet.toFixed(2)} ms; beside one that floods: ${busy.toFixed(2)} ms, while that one waits ${p50.toFixed(2)} ms and gets ${Math.round(perSecond)} replies per second`,
    );
    return { flood: busy - quiet };
  });
}

async function measureMemory(): Promise<Figures> {
  return withDaemon(async (home, http, daemon) => {
    const payloads = readPayloads(root, home.project);
    await post(http, Object.values(payloads.reaching));
    await sleep(IDLE_MS);
    const idle = memoryOf(daemon.pid);
    const { rules: all } = JSON.parse(home.fairlead('stats', '--json')) as Stats;
    // Nothing reaches those of a pack whose files the project does not have.
    const rules = all.filter(({ rule }) => !rule.startsWith('increments/'));
    const unloaded = Object.keys(payloads.reaching).filter(
      (id) => !rules.some(({ rule, tier3 }) => rule === id && tier3 > 0),
    );
    if (unloaded.length > 0 || rules.length !== Object.keys(payloads.reaching).length) {
      const missing = rules.map(({ rule }) => rule).filter((rule) => payloads.reaching[rule] === undefined);
      throw new Error(`rules that no event reached: ${[...unloaded, ...missing].join(', ')}`);
    }
    const work = [payloads.allow, payloads.read, payloads.afterRead, payloads.edit, payloads.fail, payloads.deny];
    const turns = Array.from({ length: 4 }, () => [
      payloads.prompt,
      ...work,
      ...work,
      ...work,
      ...work.slice(0, 4),
      payloads.stop,
    ]);
    const script = [payloads.start, ...turns.flat()].slice(0, 100);
    const result = await load(aimAt(http, daemon), {
      script: script.map((payload) => ({ payload, sessionOffset: 0 })),
      sessions: 1_000,
      warmUpSeconds: 0,
      until: { events: 100_000 },
    });
    await sleep(IDLE_MS);
    const after = memoryOf(daemon.pid);
    const megabytes = (value: number | undefined) => `${value?.toFixed(1) ?? '?'} MB`;
    console.log('');
    printTable(
      ['memory of the daemon', 'resident', 'peak'],
      [
        [`idle, all ${rules.length} rules loaded`, megabytes(idle?.now), megabytes(idle?.peak)],
        [`after ${result.answered} events of 1000 open sessions`, megabytes(after?.now), megabytes(after?.peak)],
      ],
    );
    return { idle: idle?.now ?? Number.NaN, grown: (after?.now ?? Number.NaN) / (idle?.now ?? 1) };
  });
}

report('load', {
  ...(rounds > 0 ? await measureThroughput() : {}),
  ...(await measureFlood()),
  ...(await measureMemory()),
});
