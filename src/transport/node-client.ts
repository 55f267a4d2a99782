import { FORWARDED, LONGEST_VALUE, OPTIONAL } from '../adapters/forwarded.ts';
import { nodeFiles } from '../platform/files.ts';
import type { Files } from '../platform/files.ts';
import { isAlive } from '../platform/processes.ts';
import { pause } from '../platform/timers.ts';
import { systemClock } from '../platform/clock.ts';
import { askDaemon } from './ask-daemon.ts';
import { HEAD_BYTES, MAX_BODY_BYTES } from './limits.ts';
import { adoptedIn } from './call.ts';
import type { Call } from './call.ts';
import type { FrameReply } from './frame.ts';
import type { MeetingPlace } from './meeting-place.ts';
import { replyUnanswered } from './reply-unanswered.ts';
import { join } from '../platform/paths.ts';

/** Processes that may answer an event by themselves at the same time. */
const SLOTS = 4;
/**
 * Nobody answers one event for this long. What is older was left by a process that was killed before it wrote its
 * number, or whose number another process has by now.
 */
const LEFT_MS = 120_000;

interface Slot {
  free(): void;
}

interface Claimant {
  readonly pid: number;
  isAlive(pid: number): boolean;
}

/**
 * A place among the few that answer by themselves while there is no daemon; undefined when all are taken. Two processes
 * that find the same dead owner may both get in: that is one more than meant, and no harm.
 */
export function takeSlot(files: Files, marks: string, self: Claimant): Slot | undefined {
  for (let at = 0; at < SLOTS; at += 1) {
    const path = join(marks, `slot-${at}.pid`);
    if (claim(files, path, self)) return { free: () => files.remove(path) };
  }
  return undefined;
}

function claim(files: Files, path: string, self: Claimant): boolean {
  try {
    const owner = Number(files.readText(path, 20));
    const age = systemClock.now() - (files.stat(path)?.mtimeMs ?? Number.POSITIVE_INFINITY);
    if (age > LEFT_MS || (owner > 0 && !self.isAlive(owner))) files.remove(path);
    return files.create(path, String(self.pid));
  } catch {
    // No place to write one: nothing is counted where nothing can be kept.
    return true;
  }
}

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
  // One that was silent may have been busy: if all of a burst waited for a slot instead, the last would wait for minutes.
  let asksAgainAt = 0;
  let waitMs = IN_LINE_MS;
  while (left() > 0) {
    const askedAt = systemClock.now();
    const isAsked = askedAt >= asksAgainAt;
    const reply = isAsked ? await askOnce(call, place) : undefined;
    if (reply?.exitCode === 0) return { stdout: reply.stdout };
    if (reply) throw new Error('the engine could not answer');
    if (adoptedIn(call.args) !== undefined) return { slot: NO_SLOT, isStuck };
    if (isAsked) isStuck = systemClock.now() - askedAt >= REPLY_MS;
    if (isAsked && isStuck) asksAgainAt = systemClock.now() + REPLY_MS;
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
