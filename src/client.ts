import { writeSync } from 'node:fs';
import { DISABLED } from './adapters/forwarded.ts';
import { DEADLINE_MS, readCall, write } from './hook-streams.ts';
import { join } from './platform/paths.ts';
import { runFed } from './platform/run-fed.ts';
import { pause } from './platform/timers.ts';
import { adoptedIn } from './transport/call.ts';
import type { Call } from './transport/call.ts';
import { openMeetingPlace } from './transport/meeting-place.ts';
import type { MeetingPlace } from './transport/meeting-place.ts';
import { askOnce, LONG_LINE_MS, takeTurn } from './transport/node-client.ts';
import { oneShotArguments, WHOLE } from './transport/one-shot-arguments.ts';
import { replyUnanswered } from './transport/reply-unanswered.ts';

const SHELL = '/bin/sh';

/**
 * Entry point of the client in Node, for machines without a native one: hands one event to the daemon, and the reply to the
 * agent. It is one file that lies with the person's state, so it answers while the package is replaced or gone. What no
 * daemon answers goes to the one-shot beside it, which it does not wait for past the deadline.
 */
async function main(args: readonly string[]): Promise<void> {
  const call = await readCall(args);
  const isAdopted = call && adoptedIn(call.args) !== undefined;
  if (!call || (process.env[DISABLED] === '1' && !isAdopted)) return;
  const place = openMeetingPlace(call.paths);
  const isAnswered = await tryToAnswer(call, place).catch((error: unknown) => {
    if (isAdopted) throw error;
    return false; // What fails is answered like what is late.
  });
  if (isAnswered) return;
  if (isAdopted) throw new Error('no engine ran the hooks that it has adopted');
  await write(replyUnanswered(call, place));
}

/** False when nobody has an answer in time. */
async function tryToAnswer(call: Call, place: MeetingPlace): Promise<boolean> {
  const turn = await takeTurn(call, place, process.pid);
  if ('stdout' in turn) {
    await write(turn.stdout);
    return true;
  }
  // To wait in line may take longer than to decide.
  const isAdopted = adoptedIn(call.args) !== undefined;
  const deadline = isAdopted ? call.deadline : Math.min(call.deadline, Date.now() + DEADLINE_MS);
  try {
    if (await watchOneShot({ ...call, deadline }, turn.isStuck)) return true;
  } catch {
    // As if it had said nothing.
  } finally {
    turn.slot.free();
  }
  return turn.isStuck || isAdopted ? false : askAgain(call, place, Date.now() >= deadline);
}

/** Another one-shot may have started a daemon meanwhile, or does so soon if all are late. */
async function askAgain(call: Call, place: MeetingPlace, isLate: boolean): Promise<boolean> {
  const deadline = Math.min(call.deadline, Date.now() + DEADLINE_MS);
  do {
    const reply = await askOnce({ ...call, deadline }, place);
    if (reply?.exitCode === 0) {
      await write(reply.stdout);
      return true;
    }
    if (reply) return false;
    if (isLate) await pause(LONG_LINE_MS);
  } while (isLate && Date.now() < deadline);
  return false;
}

/** False when there was no whole reply. What it does after its reply has until the deadline, and then goes on alone. */
function watchOneShot(call: Call, isStuck: boolean): Promise<boolean> {
  const launcher = join(import.meta.dirname, 'fairlead');
  const words = [launcher, 'hook', ...oneShotArguments(call, isStuck, Date.now())];
  return runFed(SHELL, words, { input: call.body, until: call.deadline, end: WHOLE, onWhole: write });
}

main(process.argv.slice(2).filter((word, at) => at > 0 || word !== 'hook')).then(
  () => process.exit(0),
  (error: unknown) => {
    // Where a rule guards the event, the agent takes this exit for a denial.
    writeSync(2, `Fairlead could not answer (${String(error)}). \`fairlead doctor\` says more.\n`);
    process.exit(1);
  },
);
