import type { Reply } from '../adapters/adapter.ts';
import { openEngine } from './open-engine.ts';
import { answer } from '../transport/answer.ts';
import { adoptedIn, agentIn, valueOf } from '../transport/call.ts';
import type { Call } from '../transport/call.ts';

/** What a rule that missed its budget may still take, for the sake of the session's next event. */
const LATE_MS = 250;

export interface OneShot {
  readonly reply: Reply;
  /** What can wait until the reply is out. */
  finish(): Promise<void>;
  /** Loads and runs what most calls need: what is compiled by then can be kept for later processes. */
  warmUp(): Promise<void>;
}

/** The same engine as the daemon's, for one event. The agent waits for this process, so it answers in time whatever happens. */
export async function answerOnce(call: Call): Promise<OneShot> {
  const { args, body, size, userHome, paths, env } = call;
  const engine = openEngine({ paths, userHome, resident: false, keeps: true, deadline: call.deadline });
  const eventHint = valueOf(args, '--event');
  const set = adoptedIn(args);
  const { signal: gone } = new AbortController();
  const waiting: (() => void)[] = [];
  const later = (work: () => void): void => void waiting.push(work);
  const reply = await answer(
    {
      ...agentIn(args),
      ...(set === undefined ? {} : { adopted: { set, state: paths.state, gone, later } }),
      body,
      size,
      cwd: call.cwd ?? userHome,
      home: userHome,
      env,
      withinMs: Math.max(0, call.deadline - engine.clock.now()),
      ...(eventHint === undefined ? {} : { eventHint }),
    },
    engine,
  );
  return {
    reply,
    warmUp: () => engine.warmUp(),
    async finish() {
      for (const work of waiting) work();
      await engine.finishLate(LATE_MS);
      engine.memory.hurry();
      await engine.tidy();
      engine.close();
    },
  };
}
