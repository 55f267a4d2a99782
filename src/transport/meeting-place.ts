import { makePrivate, userId } from '../platform/private-dir.ts';
import { join } from '../platform/paths.ts';
import type { HomePaths } from '../platform/paths.ts';
import { fnv1a64 } from './fnv.ts';

/** Where the processes of one home meet. */
export interface MeetingPlace {
  /** Lock, port, token, and what the daemon tells about itself. */
  readonly run: string;
  readonly socket: string;
  /** Slots, counts and marks: the run directory, or the short one when a read-only home has no other place. */
  readonly marks: string;
}

/** A socket's path may have 107 bytes; Node cuts a longer one without a word and binds elsewhere. */
const MAX_SOCKET_BYTES = 100;
/** The name under which a socket is made, before it gets its own. */
const SPARE_BYTES = 12;

/** Makes what is missing of it. */
export function openMeetingPlace(paths: HomePaths): MeetingPlace {
  const { run, state } = paths;
  const short = shortDir(state);
  return { run, socket: socketOf(paths), marks: makePrivate(run) ? run : makePrivate(short) ? short : run };
}

/** Where counts can be kept, in turn: the short directory is often on another disk. Makes each when it is asked for. */
export function* placesToCount({ run, state }: HomePaths): Generator<string> {
  for (const dir of [run, shortDir(state)]) if (makePrivate(dir)) yield dir;
}

/** For those who only ask. */
export function socketOf({ run, state }: HomePaths): string {
  const bytes = new TextEncoder().encode(join(run, 'daemon.sock')).length + SPARE_BYTES;
  return join(bytes > MAX_SOCKET_BYTES ? shortDir(state) : run, 'daemon.sock');
}

/** Not where TMPDIR points: the environment belongs to the caller, and all callers must meet. The native client computes the same. */
export function shortDir(state: string): string {
  return `/tmp/fairlead-${userId()}-${fnv1a64(state)}`;
}
