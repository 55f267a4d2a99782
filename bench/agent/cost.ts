// What hooks cost the agent per tool call, in the real client: reads of a file that no hook is for alternate with reads
// that one is for, all in one session, and each is compared with its neighbour. A noisy machine slows both alike.
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CHECKOUT, makeHome } from '../../test/e2e/home.ts';
import type { Home, Transport } from '../../test/e2e/home.ts';
import { call, say, turn } from '../../test/e2e/model.ts';
import { runSession } from '../../test/e2e/session.ts';
import { report, roundsOr } from '../lib/figures.ts';
import { printTable } from '../lib/measure.ts';

const ROUNDS = roundsOr(30);
const SESSIONS = 2;
/** The first rounds meet cold caches. */
const WARMUP = 2;

type Handler = Readonly<Record<string, unknown>>;

interface Setup {
  readonly name: string;
  readonly before?: Handler;
  readonly after?: Handler;
}

/** Exactly what `init` writes for an event. */
async function installed(home: Home, transport: Transport, event: string): Promise<Handler> {
  await home.init(transport);
  const path = join(home.project, '.claude', 'settings.local.json');
  const { hooks } = JSON.parse(readFileSync(path, 'utf8')) as { hooks: Record<string, { hooks: Handler[] }[]> };
  const handler = hooks[event]?.[0]?.hooks[0];
  if (!handler) throw new Error(`init wrote no ${event}`);
  return handler;
}

async function setupsIn(home: Home): Promise<Setup[]> {
  const fairlead = async (transport: Transport): Promise<Setup[]> => {
    const before = await installed(home, transport, 'PreToolUse');
    const after = await installed(home, transport, 'PostToolUse');
    return [
      { name: `Fairlead over ${transport}, before the call`, before },
      { name: `Fairlead over ${transport}, before and after`, before, after },
    ];
  };
  const setups = [
    { name: 'nothing' },
    { name: 'node -e 0, before the call', before: { type: 'command', command: process.execPath, args: ['-e', '0'] } },
    ...(await fairlead('command')),
    ...(await fairlead('http')),
  ];
  rmSync(join(home.project, '.claude'), { recursive: true });
  return setups;
}

const fileOf = (at: number): string => `src/file-${at}.ts`;

/** Each set-up has a file of its own, and its hooks run for that file alone. File 0 has none. */
function settingsFor(setups: readonly Setup[]): object {
  const hooksFor = (which: 'before' | 'after') =>
    setups.flatMap((setup, at) => (setup[which] ? [{ ...setup[which], if: `Read(${fileOf(at + 1)})` }] : []));
  return {
    hooks: { PreToolUse: [{ hooks: hooksFor('before') }], PostToolUse: [{ hooks: hooksFor('after') }] },
  };
}

/** Which file is read when: a plain read beside each other one, now before it and now after it. */
function orderOf(count: number): number[] {
  return Array.from({ length: ROUNDS + WARMUP }, (_, round) =>
    Array.from({ length: count }, (__, at) => {
      const file = ((at + round) % count) + 1;
      return round % 2 === 0 ? [0, file] : [file, 0];
    }),
  ).flat(2);
}

interface Pair {
  readonly file: number;
  readonly plain: number;
  readonly hooked: number;
}

/** How long each pair of reads took: milliseconds from the end of the model's reply to its next request. */
async function pairsOf(home: Home, count: number, settings: string): Promise<Pair[]> {
  const order = orderOf(count);
  const turns = order.map((file, at) =>
    // The client answers a read that it has just done from memory, so each asks for something else.
    turn(call('Read', { file_path: join(home.project, fileOf(file)), limit: (at % 17) + 1 })),
  );
  const { requests, code } = await runSession(home, {
    script: { main: [...turns, say('Done.')] },
    args: ['--settings', settings],
    showHooks: false,
  });
  if (code !== 0 || requests.length !== turns.length + 1) throw new Error(`the session ended early, with ${code}`);
  const took = (at: number): number =>
    (requests[at + 1]?.receivedAt ?? Number.NaN) - (requests[at]?.answeredAt ?? Number.NaN);
  const pairs: Pair[] = [];
  for (let at = WARMUP * count * 2; at < order.length; at += 2) {
    const [first = 0, second = 0] = order.slice(at, at + 2);
    pairs.push(
      first === 0
        ? { file: second, plain: took(at), hooked: took(at + 1) }
        : { file: first, plain: took(at + 1), hooked: took(at) },
    );
  }
  return pairs;
}

function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

const home = makeHome();
try {
  cpSync(join(CHECKOUT, 'examples', 'rules'), join(home.dir, '.config', 'fairlead', 'rules'), { recursive: true });
  const setups = await setupsIn(home);
  for (let at = 0; at <= setups.length; at += 1) writeFileSync(join(home.project, fileOf(at)), 'line\n'.repeat(20));
  const settings = join(home.dir, 'settings.json');
  writeFileSync(settings, JSON.stringify(settingsFor(setups)));
  home.fairlead('daemon', 'start');
  const pairs: Pair[] = [];
  for (let session = 0; session < SESSIONS; session += 1) pairs.push(...(await pairsOf(home, setups.length, settings)));
  const plain = quantile(
    pairs.map((pair) => pair.plain),
    0.5,
  );
  console.log(`  one read without hooks takes ${plain.toFixed(1)} ms; added to it, in ms, by`);
  const extraOf = (at: number) => pairs.filter(({ file }) => file === at + 1).map((pair) => pair.hooked - pair.plain);
  printTable(
    ['', 'median', 'lower quartile', 'upper quartile', 'pairs'],
    setups.map(({ name }, at) => {
      const extra = extraOf(at);
      return [name, ...[0.5, 0.25, 0.75].map((share) => quantile(extra, share).toFixed(1)), extra.length];
    }),
  );
  const median = (start: string) => quantile(extraOf(setups.findIndex(({ name }) => name.startsWith(start))), 0.5);
  report('agent', {
    command: median('Fairlead over command, before and after'),
    http: median('Fairlead over http, before and after'),
    node: median('node -e 0'),
  });
} finally {
  await home.remove();
}
