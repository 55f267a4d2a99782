// How long an event of one session waits while a call of another makes the engine look at very much: a directory of 100,000 entries, one
// of 3,000 levels, a path of 31 kB.
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { report, roundsOr } from '../lib/figures.ts';
import { printTable } from '../lib/measure.ts';
import { createHttpClient } from './http-client.ts';
import { fill, readPayloads } from './payloads.ts';
import { createScratchHome, installHttp } from './scratch-home.ts';
import { startDaemon } from './servers.ts';

const ENTRIES = 100_000;
const ENTRIES_IN_DIR = 1_000;
const LEVELS = 3_000;
const PATH_CHARS = 31_000;
/** Between the calls of the session that waits. */
const PAUSE_MS = 3;
/** What a call leaves to be done after its reply is over by then. */
const AFTER_MS = 1_000;
const MOST_MS = 60_000;

const root = process.cwd();
const rounds = roundsOr(3);
const home = createScratchHome(root, join(root, '.build'));
const http = await installHttp(home);
const project = join(home.folder, 'http-project');
const { config, state, env } = home;
const daemon = await startDaemon({ entry: join(root, 'dist', 'daemon.js'), config, state, env, pin: [] });
const other = createHttpClient();
const { allow } = readPayloads(root, project);
const shell = (command: string) => JSON.stringify({ ...(JSON.parse(allow) as object), tool_input: { command } });
let calls = 0;

function plant(): void {
  spawnSync('git', ['init', '-q', project]);
  for (let dir = 0; dir < ENTRIES / ENTRIES_IN_DIR; dir += 1) {
    mkdirSync(join(project, 'wide', String(dir)), { recursive: true });
    for (let file = 0; file < ENTRIES_IN_DIR; file += 1)
      writeFileSync(join(project, 'wide', String(dir), String(file)), '');
  }
  // No path reaches that far, so level by level.
  mkdirSync(join(project, 'deep'));
  process.chdir(join(project, 'deep'));
  for (let level = 0; level < LEVELS; level += 1) {
    mkdirSync('d');
    process.chdir('d');
  }
  process.chdir(root);
}

/** An engine that stood still for seconds takes a connection for idle and lets go of it; then a client asks again. */
async function waitOf(payload: string): Promise<number> {
  for (const started = performance.now(); ;) {
    const { ok } = await other.run(http, payload).catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code !== 'ECONNRESET') throw error;
      return { ok: false };
    });
    if (ok) return performance.now() - started;
    if (performance.now() - started > MOST_MS) throw new Error('a session was not answered');
  }
}

/** Milliseconds of every call of a quiet session, until another's is over and a little longer. */
async function waits(another: { readonly isOver: boolean }): Promise<readonly number[]> {
  const times: number[] = [];
  for (let until = Infinity; performance.now() < until;) {
    if (until === Infinity && another.isOver) until = performance.now() + AFTER_MS;
    times.push(await waitOf(fill(shell('ls'), 1, (calls += 1))));
    await sleep(PAUSE_MS);
  }
  return times;
}

/** The longest wait beside one call, and how long that call took itself. */
async function beside(command: string): Promise<{ readonly wait: number; readonly own: number }> {
  const call = { isOver: false };
  const waiting = waits(call);
  await sleep(AFTER_MS / 2);
  // A connection of its own: the engine lets go of one that was idle for long.
  const busy = createHttpClient();
  const { ms } = await busy.run(http, fill(shell(command), (calls += 1), calls));
  busy.close();
  call.isOver = true;
  return { wait: Math.max(...(await waiting)), own: ms };
}

try {
  plant();
  // Rules are read and code is warm before anything counts.
  for (let at = 0; at < 100; at += 1) await other.run(http, fill(shell(`ls ${at}`), 1, (calls += 1)));
  const cases = {
    alone: 'true',
    entries: 'rm -rf wide',
    levels: 'rm -rf deep',
    path: `rm -rf ${'x/'.repeat(PATH_CHARS / 2)}y`,
  };
  const worst: Record<string, number> = {};
  const rows: (string | number)[][] = [];
  for (const [name, command] of Object.entries(cases)) {
    const measured: Awaited<ReturnType<typeof beside>>[] = [];
    for (let round = 0; round < rounds; round += 1) measured.push(await beside(command));
    worst[name] = Math.max(...measured.map(({ wait }) => wait));
    rows.push([name, worst[name], Math.max(...measured.map(({ own }) => own))]);
  }
  printTable(['beside', 'longest wait of another session, ms', 'the call itself, ms'], rows);
  report('stalls', worst);
} finally {
  other.close();
  await daemon.stop();
  // What is too deep for a path is not for Node to remove.
  spawnSync('rm', ['-rf', join(project, 'deep'), join(project, 'wide')]);
  home.remove();
}
