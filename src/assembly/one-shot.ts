import type { Reply } from '../adapters/adapter.ts';
import { openEngine } from './open-engine.ts';
import { soon } from '../platform/timers.ts';
import { answer } from '../transport/answer.ts';
import { valueOf } from '../transport/call.ts';
import type { Call } from '../transport/call.ts';
import { openMeetingPlace } from '../transport/meeting-place.ts';
import { replyUnanswered } from '../transport/reply-unanswered.ts';

/** What a rule that missed its budget may still take, for the sake of the session's next event. */
const LATE_MS = 250;

export interface OneShot {
  readonly reply: Reply;
  /** What can wait until the reply is out. */
  finish(): Promise<void>;
}

/** The same engine as the daemon's, for one event. The agent waits for this process, so it answers in time whatever happens. */
export async function answerOnce(call: Call): Promise<OneShot> {
  const { args, body, size, userHome, paths, env } = call;
  const engine = openEngine({ paths, userHome, resident: false });
  const leftMs = Math.max(0, call.deadline - engine.clock.now());
  let isAnswered = false;
  const late = new Promise<Reply>((resolve) => {
    soon(leftMs, () => {
      // What follows the reply may take longer than the agent would have waited for it.
      if (isAnswered) return;
      engine.onFailure('answering an event', `no answer within ${leftMs} ms`);
      resolve({ stdout: replyUnanswered(call, openMeetingPlace(paths)), exitCode: 0 });
    });
  });
  const eventHint = valueOf(args, '--event');
  const request = {
    agent: valueOf(args, '--agent') ?? '',
    body,
    size,
    cwd: call.cwd ?? userHome,
    home: userHome,
    env,
    ...(eventHint === undefined ? {} : { eventHint }),
  };
  const answering = answer(request, engine);
  const reply = await Promise.race([answering, late]);
  isAnswered = true;
  void answering.then((answered) => answered !== reply && answered.unheard?.());
  return {
    reply,
    async finish() {
      await engine.finishLate(LATE_MS);
      engine.memory.hurry();
      await engine.tidy();
      engine.close();
    },
  };
}
