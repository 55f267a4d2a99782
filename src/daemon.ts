import { openGraphs } from './graph/index.ts';
import { createJobs } from './jobs/jobs.ts';
import { openEngine } from './assembly/open-engine.ts';
import { STAMP } from './platform/build.ts';
import { leaveCaller } from './platform/detach.ts';
import { nodeFiles } from './platform/files.ts';
import type { FileStat } from './platform/files.ts';
import { openCollector } from './platform/heap.ts';
import { tryLock } from './platform/lock.ts';
import type { Lock } from './platform/lock.ts';
import { dirname, environmentOf, fromHookArguments, homePaths, join, userHomeOf } from './platform/paths.ts';
import type { HomePaths } from './platform/paths.ts';
import { makePrivate } from './platform/private-dir.ts';
import { isAlive, spawnDetached } from './platform/processes.ts';
import { pause, soon } from './platform/timers.ts';
import { listenUnix } from './platform/unix-socket.ts';
import { openMemory } from './ledger/open.ts';
import { askDaemon, askStatus } from './transport/ask-daemon.ts';
import { createReceipts } from './transcripts/receipts.ts';
import { createBatching } from './transport/batching.ts';
import { valueOf } from './transport/call.ts';
import { createDaemon } from './transport/daemon.ts';
import { createHttpDoor } from './transport/http-door.ts';
import { createIdleWork } from './transport/idle-work.ts';
import { openMeetingPlace } from './transport/meeting-place.ts';
import type { MeetingPlace } from './transport/meeting-place.ts';
import { serveConnection } from './transport/socket-server.ts';
import { isNewer } from './transport/newer-build.ts';
import { forgetGone, mustRefresh } from './transport/launch-place.ts';
import { aboutFile, daemonPid, startDaemon, startingMark } from './transport/start-daemon.ts';

/** How often it looks whether it is still wanted. */
const LOOK_MS = 1_000;
/** What a full disk has kept from being written is tried again this often, also if no event comes. */
const FLUSH_MS = 10_000;
/** A daemon that lets several questions go unanswered for so long each is stuck. */
const STATUS_MS = 2_000;
const SILENCES = 3;
/** A daemon that lives for longer than this loads what else it may need, in steps that hold no event up. */
const SETTLED_MS = 5_000;
const BETWEEN_LOADS_MS = 10;
/** After so long without an event it moves into the file what has gathered beside it. */
const GATHER_MS = [1_000] as const;
/**
 * And gives memory back: the first frees what the busy time has left, the second gives the room back, the others that of the
 * young generation, which V8 does not shrink while the seconds since the last one were busy. Not while an agent thinks: the
 * event after it takes more than a millisecond longer.
 */
const COLLECT_MS = [30_000, 30_000, 36_000, 42_000] as const;
/** Of the files of a build the one that a package lacks. */
const NATIVE_CLIENT = 'fairlead-client';
/** How long a package may be away while it is updated. */
const UPDATE_MS = 30_000;
/** How long agents may take to hang up after their last answer. */
const CLOSING_MS = 300;
/** How long an older daemon may take to finish what it has begun. */
const HANDOVER_MS = 10_000;

/** Entry point of the resident engine: one per home, until nobody needs it. */
async function main(args: readonly string[]): Promise<void> {
  leaveCaller();
  const paths = fromHookArguments(args) ?? homePaths(process.env, process.platform);
  // Whoever starts a daemon has made its place; if that is gone, so is the home, and it is not made again.
  if (!nodeFiles.exists(paths.run)) return;
  const place = openMeetingPlace(paths);
  if (place.marks !== place.run || !makePrivate(dirname(place.socket)))
    throw new Error(`${place.run} cannot hold the lock and the socket: it must be writable and belong to this user`);
  const lock = await takeOver(place, paths.state, replacedBy(args));
  if (!lock) return;

  const userHome = userHomeOf(paths, process.env, process.platform);
  const batching = createBatching(Date.now);
  const indexer = join(dirname(process.argv[1] ?? ''), 'indexer.js');
  const engine = openEngine({
    paths,
    userHome,
    resident: true,
    keeps: true,
    copier: join(dirname(process.argv[1] ?? ''), 'copier.js'),
    gathers: batching.moreComing,
    createJobs,
    createReceipts,
    createGraphs: (deps) => openGraphs(deps, process.execPath, indexer),
  });
  const daemon = createDaemon({
    engine,
    stamp: STAMP,
    pid: process.pid,
    userHome,
    batching,
    isAlive,
    memoryBytes: () => process.memoryUsage.rss(),
    onStop: () => void stop(),
    onRecheck: () => http.look(Date.now()),
    env: process.env,
  });
  const http = createHttpDoor(nodeFiles, place.run, daemon, engine.onFailure);
  const socket = await listenUnix(place.socket, (connection) => serveConnection(connection, daemon.reply));
  // From here on a caller finds it; a mark that outlived it would keep the next one from being started for a while.
  nodeFiles.remove(startingMark(place));
  await http.look(Date.now());
  const about = aboutFile(place);
  const tellWho = announcing(about, engine.onFailure);
  tellWho();

  // Before the first event that needs it, and after whoever waits for the socket has found it.
  engine.warmUp().catch((error: unknown) => engine.onFailure('loading ahead', error));
  const indexQueued = () =>
    engine.indexQueued().catch((error: unknown) => engine.onFailure('going on where another process was', error));
  void indexQueued();

  const program = process.argv[1] ?? '';
  bringHooksAlong(paths, dirname(program));
  soon(SETTLED_MS, () => {
    loadRest(dirname(program)).catch((error: unknown) => engine.onFailure('loading the rest', error));
  });
  const stateFile = join(paths.state, 'state.db');
  const loaded = identity(program);
  let knownState = identity(stateFile)?.ino;
  let goneSince: number | undefined;

  function startNext(replaces?: number): void {
    const { execPath: node, env } = process;
    const starting = { files: nodeFiles, paths, place, userHome, node, program, now: Date.now(), env };
    startDaemon(replaces === undefined ? starting : { ...starting, replaces });
  }

  let flushedAt = Date.now();
  const workWhenIdle = idleWork(engine.memory.gatherIn);
  async function look(): Promise<void> {
    const [found, stateNow] = [identity(program), identity(stateFile)?.ino];
    // An update takes the program away for a while; missing for longer it was deleted, and what is not loaded yet is gone too.
    goneSince = found === undefined ? (goneSince ?? Date.now()) : undefined;
    const isDeleted = goneSince !== undefined && Date.now() - goneSince > UPDATE_MS;
    const isGone = isDeleted || !lock?.holds() || !socket.reachable() || stateNow !== knownState;
    if (isGone || daemon.idleMs() > engine.workspaces.userSettings().daemon.idleSeconds * 1_000) return stop();
    // Without its file it remembers for itself alone; the next one has the file from the start.
    if (!engine.memory.db && canOpen(stateFile)) return stop(startNext);
    // Another build is in its place, newer or not: its daemon asks this one to end.
    const isOther = found && (found.ino !== loaded?.ino || found.ctimeMs !== loaded.ctimeMs);
    if (isOther && isWhole(dirname(program))) startNext(process.pid);
    knownState = stateNow;
    tellWho();
    if (Date.now() - flushedAt >= FLUSH_MS) {
      flushedAt = Date.now();
      engine.ledger.flush();
    }
    workWhenIdle(daemon.quietMs());
    engine.look();
    await http.look(Date.now());
    await engine.workspaces.recheck();
    await indexQueued();
  }

  let stopping = false;
  async function stop(last?: () => void): Promise<void> {
    if (stopping) return;
    stopping = true;
    socket.close();
    const closed = http.close();
    await Promise.race([daemon.finish(), pause(HANDOVER_MS / 2)]);
    await Promise.race([closed, pause(CLOSING_MS)]);
    await engine.finishLate(LOOK_MS);
    engine.close();
    if (lock?.holds()) nodeFiles.remove(about);
    lock?.release();
    last?.();
    process.exit(0);
  }

  setInterval(() => void look(), LOOK_MS);
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop());
  process.on('SIGHUP', () => {});
  // Whatever this was, what is stored is whole; a fresh process answers the next event.
  process.on('uncaughtException', (error) => {
    engine.onFailure('running the daemon', error);
    void stop();
  });
}

function idleWork(gatherIn: () => void): (quietMs: number) => void {
  const works = [createIdleWork(GATHER_MS, gatherIn), createIdleWork(COLLECT_MS, openCollector())];
  return (quietMs) => {
    for (const work of works) work(quietMs);
  };
}

/** As the next one would, to the last table: one that cannot use the file either would be followed by another, and so on. */
function canOpen(stateFile: string): boolean {
  const memory = openMemory({
    path: stateFile,
    busyMs: 0,
    resident: false,
    now: Date.now,
    random: Math.random,
    onFailure: () => {},
  });
  const isOpen = memory.db !== undefined;
  memory.close();
  return isOpen;
}

/** Says which process the daemon is, as soon as it can be written down. */
function announcing(about: string, onFailure: (what: string, error: unknown) => void): () => void {
  const whoIsThis = `${JSON.stringify({ pid: process.pid, stamp: STAMP, since: Date.now() })}\n`;
  let isTold: boolean | undefined;
  return () => {
    if (isTold) return;
    try {
      nodeFiles.writeAtomic(about, whoIsThis, 0o600);
      isTold = true;
    } catch (error) {
      // A full disk: guards hold without it, and there may be room later.
      if (isTold === undefined) onFailure('saying which process the daemon is', error);
      isTold = false;
    }
  };
}

interface Build {
  readonly files: readonly string[];
  /** What the daemon imports while it runs. */
  readonly late: readonly string[];
}

function readBuild(dist: string): Build | undefined {
  try {
    return JSON.parse(nodeFiles.readText(join(dist, 'build.json')) ?? '') as Build;
  } catch {
    return undefined;
  }
}

/** A package that is being installed comes file by file. */
function isWhole(dist: string): boolean {
  const { files = [] } = readBuild(dist) ?? {};
  return files.length > 0 && files.every((file) => file === NATIVE_CLIENT || nodeFiles.exists(join(dist, file)));
}

/**
 * An update takes away the files that code would come from, while this process still answers: by then it has all of it. Node looks
 * for the file of a module that it has, unless it was asked for by the same words from the same file; these are the build's.
 */
async function loadRest(dist: string): Promise<void> {
  for (const file of readBuild(dist)?.late ?? []) {
    const words = ['.', file].join('/');
    await import(words);
    await pause(BETWEEN_LOADS_MS);
  }
}

/** The number of a file that was deleted may come again. */
function identity(path: string): Pick<FileStat, 'ino' | 'ctimeMs'> | undefined {
  return nodeFiles.stat(path);
}

/** The daemon whose program was replaced by this one. */
function replacedBy(args: readonly string[]): number | undefined {
  return Number(valueOf(args, '--replaces')) || undefined;
}

/** Hooks start what lies with the state; the command line of this build writes it, when this is another build than before. */
function bringHooksAlong(paths: HomePaths, dist: string): void {
  forgetGone(nodeFiles, paths.run);
  const env = environmentOf(paths);
  if (!env || !mustRefresh(nodeFiles, paths.state, { stamp: STAMP, root: dirname(dist) })) return;
  const { HOME = '', PATH = '' } = process.env;
  const args = [join(dist, 'cli.js'), 'daemon', 'status'];
  spawnDetached(process.execPath, args, { env: { ...env, HOME, PATH }, log: join(paths.run, 'launcher.log') });
}

/**
 * The lock, taken from an older or a stuck daemon if need be, or from the one that this one replaces; undefined when the one
 * that holds it is as good as this one.
 */
async function takeOver(place: MeetingPlace, state: string, replaced?: number): Promise<Lock | undefined> {
  const lock = await awaitLock(place, state, replaced);
  // The mark of a start that came to nothing would keep the next one away when the other ends.
  if (!lock) nodeFiles.remove(startingMark(place));
  return lock;
}

async function awaitLock(place: MeetingPlace, state: string, replaced?: number): Promise<Lock | undefined> {
  const until = Date.now() + HANDOVER_MS;
  let asked = false;
  let silences = 0;
  while (Date.now() < until) {
    const lock = tryLock(join(place.run, 'lock'));
    if (lock) return lock;
    if (!asked) {
      const askedAt = Date.now();
      const status = await askStatus(place.socket, state, STATUS_MS);
      if (status && status.pid !== replaced && !isNewer(STAMP, status.stamp)) return undefined;
      if (status) asked = (await askDaemon(place.socket, { verb: 'stop', state }, LOOK_MS)) !== undefined;
      // It holds the lock and does not listen yet, or it took the question and does not answer any more.
      else if (Date.now() - askedAt >= STATUS_MS && ++silences === SILENCES) endStuck(place, state);
    }
    await pause(asked ? 5 : 100);
  }
  return undefined;
}

/** What it has stored is whole. */
function endStuck({ run }: MeetingPlace, state: string): void {
  const pid = daemonPid(nodeFiles, run, state);
  if (pid !== undefined) process.kill(pid, 'SIGKILL');
}

main(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`fairlead: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
