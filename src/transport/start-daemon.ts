import type { Files } from '../platform/files.ts';
import { dirname, join, toHookArguments } from '../platform/paths.ts';
import type { HomePaths } from '../platform/paths.ts';
import { spawnDetached } from '../platform/processes.ts';
import type { MeetingPlace } from './place.ts';

/** While somebody starts it, nobody else does; a start that came to nothing is tried again after this long. */
const STARTING_MS = 10_000;

export interface Starting {
  readonly files: Files;
  readonly paths: HomePaths;
  readonly place: MeetingPlace;
  readonly userHome: string;
  readonly node: string;
  /** The daemon's program. */
  readonly program: string;
  readonly now: number;
}

/** True when a process was started. Several may be; the lock leaves one of them. */
export function startDaemon({ files, paths, place, userHome, node, program, now }: Starting): boolean {
  // Without a place for its lock it could not run, and every event would start one more.
  if (place.marks !== place.run) return false;
  const mark = startingMark(place);
  const age = now - (files.stat(mark)?.mtimeMs ?? 0);
  if (age >= 0 && age < STARTING_MS) return false;
  files.remove(mark);
  files.append(mark, '');
  // Of the caller's environment nothing comes along: the daemon is the same whoever starts it.
  const env = { HOME: userHome, PATH: `${dirname(node)}:/usr/local/bin:/usr/bin:/bin` };
  spawnDetached(node, [program, ...toHookArguments(paths)], { env, log: join(place.run, 'daemon.log') });
  return true;
}

export function startingMark({ run }: MeetingPlace): string {
  return join(run, 'starting');
}
