// What an agent's hook call takes while ten tabs of the page are open and hear of every event, beside the same without a tab:
// in blocks that alternate, in one run, so that a busy machine is busy for both.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Served } from '../../src/cli/page/serve.ts';
import { report, roundsOr } from '../lib/figures.ts';
import { printTable, summarize } from '../lib/measure.ts';
import { fill, readPayloads } from './payloads.ts';
import { createScratchHome, installCommand } from './scratch-home.ts';
import { startDaemon } from './servers.ts';
import { createNativeSpawner, createNodeSpawner } from './spawner.ts';

const TABS = 10;
const WARM_UP = 40;
const PER_BLOCK = 60;
/** The tabs are open, and what opened them is done. */
const SETTLE_MS = 1_000;
/** Agents make one between two calls, and a longer one. */
const PAUSE_MS = 50;

const root = process.cwd();
const rounds = roundsOr(12);
const home = createScratchHome(root);
const surroundings = { cwd: home.project, env: home.env };
const spawner =
  createNativeSpawner(surroundings, join(root, 'bench', 'hook', 'spawner.c'), home.folder) ??
  createNodeSpawner(surroundings);
const { argv } = installCommand(home);
const { config, state, env } = home;
const daemon = await startDaemon({ entry: join(root, 'dist', 'daemon.js'), config, state, env, pin: [] });
const payloads = readPayloads(root, home.project);
let calls = 0;

/** Tabs in a process of their own, which read as those of a browser do. */
async function withTabs<T>(work: () => Promise<T>): Promise<{ readonly result: T; readonly read: number }> {
  home.fairlead('page', '--no-open');
  const { port, secret } = JSON.parse(readFileSync(join(state, 'run', 'page.json'), 'utf8')) as Served;
  // As the verb does, which takes too long to be started for each.
  const addresses = await Promise.all(
    Array.from({ length: TABS }, async () => {
      const origin = `http://127.0.0.1:${port}`;
      const headers = { authorization: `Bearer ${secret}` };
      const { ticket } = (await (await fetch(`${origin}/ticket`, { method: 'POST', headers })).json()) as {
        ticket: string;
      };
      return `${origin}/#${ticket}`;
    }),
  );
  const child = spawn(process.execPath, [join(dirname(fileURLToPath(import.meta.url)), 'tabs.mjs'), ...addresses], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  if ((await lines.next()).value !== 'open') throw new Error('the tabs were not let in');
  await sleep(SETTLE_MS);
  const result = await work();
  child.stdin.end();
  const read = Number((await lines.next()).value);
  return { result, read };
}

/** Milliseconds of each call: most pass, some are denied, which a tab shows. */
async function block(count: number): Promise<readonly number[]> {
  const times: number[] = [];
  for (let at = 0; at < count; at += 1) {
    await sleep(PAUSE_MS);
    const text = at % 8 === 0 ? payloads.deny : payloads.allow;
    const { ms, ok } = await spawner.run(argv, fill(text, 1, (calls += 1)));
    if (!ok) throw new Error('a hook failed');
    times.push(ms);
  }
  return times;
}

try {
  await block(WARM_UP);
  await withTabs(() => block(WARM_UP));
  const [without, within]: [number[], number[]] = [[], []];
  let read = 0;
  for (let round = 0; round < rounds; round += 1) {
    await sleep(SETTLE_MS);
    without.push(...(await block(PER_BLOCK)));
    const { result, read: own } = await withTabs(() => block(PER_BLOCK));
    within.push(...result);
    read += own;
  }
  const [alone, beside] = [summarize(Float64Array.from(without)), summarize(Float64Array.from(within))];
  console.log(
    `\none hook call in milliseconds, ${without.length} calls each in ${rounds} turns; ${TABS} tabs read ${read} views; load ${loadavg()
      .map((each) => each.toFixed(1))
      .join(' ')}`,
  );
  const cells = ({ p50, p95, p99 }: typeof alone) => [p50, p95, p99].map((ms) => ms.toFixed(2));
  printTable(
    ['', 'p50', 'p95', 'p99'],
    [
      ['no tab', ...cells(alone)],
      [`${TABS} tabs, live`, ...cells(beside)],
    ],
  );
  report('page', { p95: beside.p95 / alone.p95 });
} finally {
  await daemon.stop();
  spawner.close();
  home.remove();
}
