import type { Env } from '../adapters/adapter.ts';
import { KILL_VARIABLES } from '../event/known-packs.ts';
import { createFailureLog } from '../ledger/failures.ts';
import { STAMP } from '../platform/build.ts';
import { systemClock } from '../platform/clock.ts';
import type { Files } from '../platform/files.ts';
import { basename, dirname, join, toHookArguments } from '../platform/paths.ts';
import type { HomePaths } from '../platform/paths.ts';
import { commandLine, spawnDetached } from '../platform/processes.ts';
import { pause } from '../platform/timers.ts';
import { accepts } from '../platform/unix-socket.ts';
import { askStatus } from './ask-daemon.ts';
import type { MeetingPlace } from './meeting-place.ts';
import { isNewer } from './newer-build.ts';

/** While somebody starts it, nobody else does; a start that came to nothing is tried again after this long. */
const STARTING_MS = 10_000;

/** How long an agent may wait for the daemon that it will post to. */
const HTTP_MS = 3_000;
const PRESENT_MS = 300;
const MARGIN_MS = 500;
const LOOK_MS = 15;

export interface Starting {
  readonly files: Files;
  readonly paths: HomePaths;
  readonly place: MeetingPlace;
  readonly userHome: string;
  readonly node: string;
  /** The daemon's program. */
  readonly program: string;
  readonly now: number;
  /** Of a person or an engine that starts one on purpose; of a hook, its time zone. */
  readonly env?: Env;
  /** The process that ends for the new one, whichever of the two is newer. */
  readonly replaces?: number;
}

/** For a process that has answered by itself; with `httpBefore`, also waits until somebody listens for posts. Never throws. */
export async function bringUp(
  starting: Starting,
  { isStuck, httpBefore }: { readonly isStuck: boolean; readonly httpBefore?: number },
): Promise<void> {
  const { files, paths, place } = starting;
  try {
    await ensureDaemon(starting, isStuck);
    if (httpBefore !== undefined) await awaitHttp(place, paths.state, httpBefore);
  } catch (error) {
    createFailureLog(paths.state, files, systemClock.now).add('starting the daemon', error);
  }
}

/**
 * Starts one unless one that will do is there: another event may have brought it up while this one was answered. It is not
 * asked, because in a burst of events it has no time to answer, and each of them would start one more. One that has not
 * answered for seconds, and does not now, is stuck: the new one ends it.
 */
export async function ensureDaemon(starting: Starting, isStuck = false): Promise<void> {
  const { files, paths, place } = starting;
  const isThere = isStuck
    ? (await askStatus(place.socket, paths.state, PRESENT_MS)) !== undefined
    : await accepts(place.socket);
  if (!isThere || isNewer(STAMP, stampOf(files, place))) startDaemon(starting);
}

function stampOf(files: Files, place: MeetingPlace): string {
  return readAbout(files, place)?.stamp ?? '';
}

interface About {
  readonly pid: number;
  readonly stamp: string;
}

function readAbout(files: Files, place: Pick<MeetingPlace, 'run'>): About | undefined {
  try {
    return JSON.parse(files.readText(aboutFile(place)) ?? '') as About;
  } catch {
    return undefined;
  }
}

/** Waits until the daemon takes events over HTTP, or says why it cannot; the agent gets its reply before the deadline in any case. */
async function awaitHttp(place: MeetingPlace, state: string, deadline: number): Promise<void> {
  const until = Math.min(systemClock.now() + HTTP_MS, deadline - MARGIN_MS);
  while (systemClock.now() < until) {
    if ((await askStatus(place.socket, state, PRESENT_MS))?.http !== undefined) return;
    await pause(LOOK_MS);
  }
}

/** True when a process was started. Several may be; the lock leaves one of them. */
export function startDaemon({
  files,
  paths,
  place,
  userHome,
  node,
  program,
  now,
  env: given,
  replaces,
}: Starting): boolean {
  // Without a place for its lock it could not run, and every event would start one more.
  if (place.marks !== place.run) return false;
  const mark = startingMark(place);
  const age = now - (files.stat(mark)?.mtimeMs ?? 0);
  if (age >= 0 && age < STARTING_MS) return false;
  files.remove(mark);
  if (!files.create(mark, '')) return false;
  const { args, env } = daemonProcess({ paths, userHome, node, program, ...(given && { env: given }) });
  const words = replaces === undefined ? args : [...args, '--replaces', String(replaces)];
  spawnDetached(node, words, { env, log: join(place.run, 'daemon.log') });
  return true;
}

/** What switches packs off; all else in an environment is left behind. */
export function carried(env: Env = {}): Record<string, string> {
  return Object.fromEntries(KILL_VARIABLES.filter((name) => env[name] === '1').map((name) => [name, '1']));
}

/** The name of a time zone, as `Asia/Tokyo`; a path would have the daemon read a file that somebody else chose. */
const ZONE = /^[A-Za-z][\w+-]*(?:\/[A-Za-z][\w+-]*){0,2}$/;

/** Days begin where the person is, also on a machine that is set to another place. */
function zoneIn({ TZ: zone }: Env = {}): Record<string, string> {
  return zone !== undefined && ZONE.test(zone) ? { TZ: zone } : {};
}

/**
 * Of a hook's environment only the time zone comes along: the daemon is the same whoever starts it. Its young generation is
 * kept small and the C library to one arena, since a process that stays all day should not keep the memory of its
 * busiest second.
 */
export function daemonProcess({
  paths,
  userHome,
  node,
  program,
  env,
}: Pick<Starting, 'paths' | 'userHome' | 'node' | 'program' | 'env'>) {
  return {
    args: ['--max-semi-space-size=8', program, ...toHookArguments(paths)],
    env: {
      ...carried(env),
      ...zoneIn(env),
      HOME: userHome,
      PATH: `${dirname(node)}:/usr/local/bin:/usr/bin:/bin`,
      MALLOC_ARENA_MAX: '1',
      MALLOC_MMAP_THRESHOLD_: '131072',
      MALLOC_TRIM_THRESHOLD_: '131072',
    },
  };
}

/** What a daemon says about itself, for those that only read. */
export function aboutFile({ run }: Pick<MeetingPlace, 'run'>): string {
  return join(run, 'daemon.json');
}

export function startingMark({ run }: MeetingPlace): string {
  return join(run, 'starting');
}

/**
 * The process that says it is the daemon of this home and can be seen to be one: its number alone may be another's by now.
 * Undefined where the system does not tell.
 */
export function daemonPid(files: Files, run: string, state: string): number | undefined {
  const { pid } = readAbout(files, { run }) ?? {};
  const words = pid === undefined ? undefined : commandLine(pid);
  return words?.includes(state) && words.some((word) => basename(word) === 'daemon.js') ? pid : undefined;
}
