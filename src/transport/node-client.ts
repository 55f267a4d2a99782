import { FORWARDED, LONGEST_VALUE, OPTIONAL } from '../adapters/forwarded.ts';
import { nodeFiles } from '../platform/files.ts';
import { isAlive } from '../platform/processes.ts';
import { pause } from '../platform/timers.ts';
import { systemClock } from '../platform/clock.ts';
import { askDaemon } from './ask-daemon.ts';
import { HEAD_BYTES, MAX_BODY_BYTES } from './limits.ts';
import { adoptedIn } from './call.ts';
import type { Call } from './call.ts';
import type { FrameReply } from './frame.ts';
import type { MeetingPlace } from './meeting-place.ts';
import { takeSlot } from './one-shot-slots.ts';
import type { Slot } from './one-shot-slots.ts';
import { replyUnanswered } from './reply-unanswered.ts';

/** A daemon that takes longer than this is not waited for. */
const REPLY_MS = 3_000;
/** Between two looks while waiting in line: at first, and later, when hundreds may wait. */
const IN_LINE_MS = 25;
export const LONG_LINE_MS = 200;

/** For hooks of others, which wait for nobody and hold up nobody. */
const NO_SLOT: Slot = { free() {} };

/** An answer, or the right to find one in this process. */
export type Turn = { readonly stdout: Uint8Array | string } | { readonly slot: Slot; readonly isStuck: boolean };

/** The daemon answers; without one a few processes answer by themselves, and the others wait in line for either. */
export async function takeTurn(call: Call, place: MeetingPlace, pid: number): Promise<Turn> {
  const left = () => call.deadline - systemClock.now();
  let isStuck = false;
  let waitMs = IN_LINE_MS;
  while (left() > 0) {
    const askedAt = systemClock.now();
    const reply = isStuck ? undefined : await askOnce(call, place);
    if (reply?.exitCode === 0) return { stdout: reply.stdout };
    if (reply) throw new Error('the engine could not answer');
    if (adoptedIn(call.args) !== undefined) return { slot: NO_SLOT, isStuck };
    isStuck ||= systemClock.now() - askedAt >= REPLY_MS;
    const slot = takeSlot(nodeFiles, place.marks, { pid, isAlive });
    if (slot) return { slot, isStuck };
    await pause(waitMs);
    waitMs = Math.min(waitMs * 1.5, LONG_LINE_MS);
  }
  return { stdout: replyUnanswered(call, place) };
}

/** The daemon's reply, unless there is none in time. */
export async function askOnce(call: Call, place: MeetingPlace): Promise<FrameReply | undefined> {
  const left = call.deadline - systemClock.now();
  if (left <= 0) return undefined;
  const question = {
    verb: 'hook',
    state: call.paths.state,
    args: call.args,
    cwd: call.cwd,
    env: forwarded(call),
    body: call.size > MAX_BODY_BYTES ? call.body.subarray(0, HEAD_BYTES) : call.body,
    size: call.size,
  } as const;
  // A daemon takes as long as the hooks of others that it runs.
  return askDaemon(place.socket, question, adoptedIn(call.args) === undefined ? Math.min(REPLY_MS, left) : left);
}

function forwarded({ env, args }: Call): Record<string, string> {
  // Hooks of others get what the agent gave.
  if (adoptedIn(args) !== undefined)
    return Object.fromEntries(
      Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
    );
  return Object.fromEntries(
    FORWARDED.flatMap((name) => {
      const value = env[name];
      const isLeft = value === undefined || (OPTIONAL.includes(name) && value.length > LONGEST_VALUE);
      return isLeft ? [] : [[name, value]];
    }),
  );
}
