import { openGraphs } from './graph/index.ts';
import { createJobs } from './jobs/jobs.ts';
import { openEngine } from './assembly/open-engine.ts';
import { STAMP } from './platform/build.ts';
import { leaveCaller } from './platform/detach.ts';
import { nodeFiles } from './platform/files.ts';
import { openCollector } from './platform/heap.ts';
import { tryLock } from './platform/lock.ts';
import type { Lock } from './platform/lock.ts';
import { dirname, fromHookArguments, homePaths, join, userHomeOf } from './platform/paths.ts';
import { makePrivate } from './platform/private-dir.ts';
import { isAlive } from './platform/processes.ts';
import { pause } from './platform/timers.ts';
import { listenUnix } from './platform/unix-socket.ts';
import { openMemory } from './ledger/open.ts';
import { askDaemon, askStatus } from './transport/ask-daemon.ts';
import { createBatching } from './transport/batching.ts';
import { createDaemon } from './transport/daemon.ts';
import { createHttpDoor } from './transport/http-door.ts';
import { openMeetingPlace } from './transport/meeting-place.ts';
import type { MeetingPlace } from './transport/meeting-place.ts';
import { createIdleCollection } from './transport/idle-collection.ts';
import { serveConnection } from './transport/socket-server.ts';
import { isNewer } from './transport/newer-build.ts';
import { aboutFile, daemonPid, startDaemon, startingMark } from './transport/start-daemon.ts';

/** How often it looks whether it is still wanted. */
const LOOK_MS = 1_000;
/** What a full disk has kept from being written is tried again this often, also if no event comes. */
const FLUSH_MS = 10_000;
/** A daemon that lets several questions go unanswered for so long each is stuck. */
const STATUS_MS = 2_000;
const SILENCES = 3;
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
  const lock = await takeOver(place, paths.state);
  if (!lock) return;

  const userHome = userHomeOf(paths, process.env, process.platform);
  const batching = createBatching(Date.now);
  const indexer = join(dirname(process.argv[1] ?? ''), 'indexer.js');
  const engine = openEngine({
    paths,
    userHome,
    resident: true,
    gathers: batching.moreComing,
    createJobs,
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
  const stateFile = join(paths.state, 'state.db');
  const ownFiles = [program, stateFile];
  let known = ownFiles.map(inode);

  function startNext(): void {
    const { execPath: node, env } = process;
    startDaemon({ files: nodeFiles, paths, place, userHome, node, program, now: Date.now(), env });
  }

  let flushedAt = Date.now();
  const collectWhenIdle = createIdleCollection(openCollector());
  async function look(): Promise<void> {
    const now = ownFiles.map(inode);
    // A build replaces the program; twice missing, it was deleted, and what it has not loaded yet is gone too.
    const isDeleted = now[0] === undefined && known[0] === undefined;
    const isGone = isDeleted || !lock?.holds() || !socket.reachable() || now[1] !== known[1];
    if (isGone || daemon.idleMs() > engine.workspaces.userSettings().daemon.idleSeconds * 1_000) return stop();
    // Without its file it remembers for itself alone; the next one has the file from the start.
    if (!engine.memory.db && canOpen(stateFile)) return stop(startNext);
    // A new build is in its place: its daemon asks this one to end, if it is newer.
    if (now[0] !== known[0] && now[0] !== undefined) startNext();
    known = now;
    tellWho();
    if (Date.now() - flushedAt >= FLUSH_MS) {
      flushedAt = Date.now();
      engine.ledger.flush();
    }
    collectWhenIdle(daemon.quietMs());
    await http.look(Date.now());
    await engine.workspaces.recheck();
    await indexQueued();
    engine.jobs?.look();
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

function inode(path: string): number | undefined {
  return nodeFiles.stat(path)?.ino;
}

/** The lock, taken from an older or a stuck daemon if need be; undefined when the one that holds it is as good as this one. */
async function takeOver(place: MeetingPlace, state: string): Promise<Lock | undefined> {
  const until = Date.now() + HANDOVER_MS;
  let asked = false;
  let silences = 0;
  while (Date.now() < until) {
    const lock = tryLock(join(place.run, 'lock'));
    if (lock) return lock;
    if (!asked) {
      const askedAt = Date.now();
      const status = await askStatus(place.socket, state, STATUS_MS);
      if (status && !isNewer(STAMP, status.stamp)) return undefined;
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
