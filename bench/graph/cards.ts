import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { createHttpClient } from '../hook/http-client.ts';
import { createScratchHome, installHttp } from '../hook/scratch-home.ts';
import type { InstalledHttp, ScratchHome } from '../hook/scratch-home.ts';
import { startDaemon } from '../hook/servers.ts';
import { summarize } from '../lib/measure.ts';
import type { Measured } from '../lib/measure.ts';
import { filesBelow } from './trees.ts';

/** Times of one kind of event, in milliseconds. */
export interface Trips extends Measured {
  readonly events: number;
  readonly cards: number;
}

/** The pack off; on and a card comes; on and none does. */
export interface CardTimes {
  readonly off: Trips;
  readonly card: Trips;
  readonly silent: Trips;
}

export interface UnindexedTimes {
  readonly off: Trips;
  readonly indexing: Trips;
  /** The trip of the session's start, which begins the index. */
  readonly startMs: number;
  /** How long the index took to be there, from the first event on. */
  readonly indexedMs: number;
}

/** What the agent sends of a file is cut by it after so many lines. */
const MOST_LINES = 2_000;
/** A session hears so many characters of advice in all; with more files than that, the rest would be silent. */
const FILES_PER_SESSION = 25;
const MOST_FILES = 1_200;
const LIMIT_MS = 120_000;
/** Rows are written after the replies. */
const SETTLE_MS = 500;
const CARD = 'autocontext/impact-card';
/** An agent does not send its next event before it has read the reply: what is done after that is no part of the trip. */
const PAUSE_MS = 15;

let calls = 0;

interface Daemon {
  read(project: string, file: string, session: string): Promise<Trip>;
  tell(project: string, event: string, more: Readonly<Record<string, unknown>>): Promise<number>;
  readonly home: ScratchHome;
}

/** A real daemon in a home of its own, and a client that posts to it. */
async function withDaemon<T>(root: string, packs: string, work: (daemon: Daemon) => Promise<T>): Promise<T> {
  const home = createScratchHome(root);
  mkdirSync(home.config, { recursive: true });
  writeFileSync(join(home.config, 'config.yaml'), `packs: { autocontext: ${packs} }\n`);
  const http: InstalledHttp = await installHttp(home);
  const server = await startDaemon({
    entry: join(root, 'dist', 'daemon.js'),
    config: home.config,
    state: home.state,
    env: home.env,
    pin: [],
  });
  const client = createHttpClient();
  const post = async (payload: Readonly<Record<string, unknown>>) => {
    const { ok, output, ms } = await client.run(http, JSON.stringify(payload));
    if (!ok) throw new Error(`a wrong answer: ${output}`);
    return { ms, output };
  };
  try {
    return await work({
      home,
      async read(project, file, session) {
        const lines = readFileSync(file, 'utf8').split('\n').slice(0, MOST_LINES);
        calls += 1;
        const { ms, output } = await post({
          session_id: session,
          cwd: project,
          hook_event_name: 'PostToolUse',
          tool_name: 'Read',
          tool_use_id: `toolu_${calls}`,
          tool_input: { file_path: file },
          tool_response: {
            type: 'text',
            file: { filePath: file, content: lines.join('\n'), numLines: lines.length, startLine: 1 },
          },
        });
        return { ms, hasCard: output.includes(CARD) };
      },
      tell: async (project, event, more) =>
        (await post({ session_id: 'start', cwd: project, hook_event_name: event, ...more })).ms,
    });
  } finally {
    client.close();
    await server.stop();
    home.remove();
  }
}

export interface Passes {
  /** Of a daemon that has just opened the index, and once it has answered as many events as are measured. */
  readonly first: CardTimes;
  readonly warm: CardTimes;
  /** Of the second pass, whole round trips; the others are what the engine notes, from the payload to the reply. */
  readonly trips: CardTimes;
}

/** Reads of many files, each once a pass: with a card, without one, and with the pack off, in a project of many symbols. */
export async function measureCards(root: string, project: string): Promise<Passes> {
  const files = spread(filesBelow(project), MOST_FILES);
  const pass = async (daemon: Daemon) => {
    const trips = await tripsOf(daemon, project, files);
    return { trips, inside: await noted(daemon, files.length) };
  };
  const [offFirst, off] = await withDaemon(root, 'off', async (daemon) => [await pass(daemon), await pass(daemon)]);
  // Pictures are drawn by another process, at a person's pace one now and then; hundreds at once would take its core.
  return withDaemon(root, '{ enabled: true, pictures: off }', async (daemon) => {
    daemon.home.fairlead('graph', 'index', '--root', project);
    await daemon.tell(project, 'SessionStart', { source: 'startup' });
    // Until the index is open and held against the files.
    await until(async () => (await tripsOf(daemon, project, files.slice(0, 20))).some(({ hasCard }) => hasCard));
    const first = await pass(daemon);
    const warm = await pass(daemon);
    return {
      first: { off: sum(offFirst.inside), ...byCard(first.inside) },
      warm: { off: sum(off.inside), ...byCard(warm.inside) },
      trips: { off: sum(off.trips), ...byCard(warm.trips) },
    };
  });
}

interface Trip {
  readonly ms: number;
  readonly hasCard: boolean;
}

function byCard(trips: readonly Trip[]): Omit<CardTimes, 'off'> {
  return { card: sum(trips.filter(({ hasCard }) => hasCard)), silent: sum(trips.filter(({ hasCard }) => !hasCard)) };
}

/** The newest rows of the ledger. */
async function noted({ home }: Daemon, count: number): Promise<Trip[]> {
  await wait(SETTLE_MS);
  const rows = home.fairlead('log', '--all', '--json', '--event', 'tool.after').trim().split('\n');
  return rows.slice(-count).map((line) => {
    const { micros, rules } = JSON.parse(line) as { readonly micros: number; readonly rules: string };
    return { ms: micros / 1_000, hasCard: rules.includes(CARD) };
  });
}

/** Reads in a project that has no index, for as long as the engine makes one; beside it the same with the pack off. */
export async function measureUnindexed(root: string, project: string): Promise<UnindexedTimes> {
  const files = spread(filesBelow(project), MOST_FILES);
  const off = await withDaemon(root, 'off', async (daemon) => sum(await tripsOf(daemon, project, files, 0)));
  return withDaemon(root, 'on', async (daemon) => {
    const started = performance.now();
    const startMs = await daemon.tell(project, 'SessionStart', { source: 'startup' });
    const trips: Trip[] = [];
    while (!isIndexed(daemon.home.state) && performance.now() - started < LIMIT_MS)
      trips.push(await daemon.read(project, files[trips.length % files.length] ?? '', sessionOf(trips.length)));
    if (!isIndexed(daemon.home.state)) throw new Error('the project was not indexed in time');
    return { off, indexing: sum(trips), startMs, indexedMs: performance.now() - started };
  });
}

function isIndexed(state: string): boolean {
  try {
    return readdirSync(join(state, 'workspaces'), { recursive: true, encoding: 'utf8' }).some((path) =>
      path.endsWith('graph/snapshot'),
    );
  } catch {
    return false;
  }
}

async function until(isTrue: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + LIMIT_MS;
  while (!(await isTrue())) {
    if (performance.now() > deadline) throw new Error('no card came');
    await wait(100);
  }
}

async function tripsOf(daemon: Daemon, project: string, files: readonly string[], pauseMs = PAUSE_MS) {
  const run = (calls += 1);
  const trips: Trip[] = [];
  for (const [at, file] of files.entries()) {
    trips.push(await daemon.read(project, file, `${run}-${sessionOf(at)}`));
    if (pauseMs > 0) await wait(pauseMs);
  }
  return trips;
}

function sessionOf(at: number): string {
  return `s${Math.floor(at / FILES_PER_SESSION)}`;
}

function sum(trips: readonly Trip[]): Trips {
  const measured = summarize(Float64Array.from(trips, ({ ms }) => ms));
  return { ...measured, events: trips.length, cards: trips.filter(({ hasCard }) => hasCard).length };
}

/** Every n-th, so that all directories are among them. */
function spread(files: readonly string[], most: number): string[] {
  const step = Math.max(1, Math.ceil(files.length / most));
  return files.filter((_, at) => at % step === 0);
}
