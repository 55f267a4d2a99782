import { writeSync } from 'node:fs';
import type * as OneShot from './assembly/one-shot.ts';
import { DEADLINE_MS, readCall, write } from './hook-streams.ts';
import { nodeFiles } from './platform/files.ts';
import { loadCompiled } from './platform/load-compiled.ts';
import type { Compiled } from './platform/load-compiled.ts';
import { join } from './platform/paths.ts';
import { adoptedIn } from './transport/call.ts';
import type { Call } from './transport/call.ts';
import { openMeetingPlace } from './transport/meeting-place.ts';
import { WHOLE } from './transport/one-shot-arguments.ts';

/** Entry point of the command transport: one event on stdin, the reply on stdout, exit code 0; 1 where nobody can answer. */
async function main(args: readonly string[]): Promise<void> {
  const call = await readCall(args);
  if (!call) return;
  try {
    await answerCall(call);
  } catch (error) {
    // Nobody but us would have run them.
    if (adoptedIn(call.args) !== undefined) throw error;
    await writeOnce(call, await unanswered(call));
    await report(call, error);
  }
}

async function answerCall(call: Call): Promise<void> {
  const { args, paths } = call;
  const turn = args.includes('--direct') ? undefined : await takeTurn(call);
  if (turn && 'stdout' in turn) return writeOnce(call, turn.stdout);
  const program = join(import.meta.dirname, 'one-shot.cjs');
  const oneShot = loadCompiled<typeof OneShot>(program, join(paths.state, 'code'));
  // To wait in line may take longer than to decide.
  const deadline = adoptedIn(args) === undefined ? Math.min(call.deadline, Date.now() + DEADLINE_MS) : call.deadline;
  const { reply, finish, warmUp } = await oneShot.exports.answerOnce({ ...call, deadline });
  if (reply.exitCode !== 0) {
    await finish();
    throw new Error('the engine could not answer');
  }
  const starts = turn !== undefined || args.includes('--start');
  const isStuck = turn?.isStuck ?? args.includes('--stuck');
  // An agent that posts its events cannot fall back: for it the daemon has to be there before its session goes on.
  const isAwaited = starts && !isStuck && nodeFiles.exists(join(paths.run, 'port'));
  if (isAwaited) await start(call, isStuck, true);
  await writeOnce(call, reply.stdout);
  await finish();
  turn?.slot.free();
  if (starts && !isAwaited) await start(call, isStuck, false);
  await keepCompiled(oneShot, warmUp);
}

/** The next one-shot starts in a fraction of the time. */
async function keepCompiled(oneShot: Compiled<unknown>, warmUp: () => Promise<void>): Promise<void> {
  if (oneShot.isKept()) return;
  try {
    await warmUp();
    oneShot.keep();
  } catch {
    // Where nothing can be written, each one compiles for itself.
  }
}

async function takeTurn(call: Call) {
  const client = await import('./transport/node-client.ts');
  return client.takeTurn(call, openMeetingPlace(call.paths), process.pid);
}

/** No engine could be opened; what is said then was put down by an earlier one. */
async function unanswered(call: Call): Promise<string> {
  const { replyUnanswered } = await import('./transport/reply-unanswered.ts');
  return replyUnanswered(call, openMeetingPlace(call.paths));
}

/** Once the reply is out: `doctor` shows it. */
async function report({ paths }: Call, error: unknown): Promise<void> {
  const { createFailureLog } = await import('./ledger/failures.ts');
  createFailureLog(paths.state, nodeFiles, Date.now).add('opening the engine', error);
}

let isWritten = false;

async function writeOnce({ args }: Call, reply: string | Uint8Array): Promise<void> {
  if (isWritten) return;
  isWritten = true;
  await write(reply);
  if (args.includes('--watched')) await write(WHOLE);
}

/** The next event finds a daemon. If none can be started, this one is answered all the same. */
async function start(
  { paths, userHome, deadline, env: { TZ } }: Call,
  isStuck: boolean,
  waits: boolean,
): Promise<void> {
  const { bringUp } = await import('./transport/start-daemon.ts');
  const [place, program] = [openMeetingPlace(paths), join(import.meta.dirname, 'daemon.js')];
  const starting = {
    files: nodeFiles,
    paths,
    place,
    userHome,
    node: process.execPath,
    program,
    now: Date.now(),
    env: { TZ },
  };
  await bringUp(starting, { isStuck, ...(waits ? { httpBefore: deadline } : {}) });
}

main(process.argv.slice(2)).then(
  () => process.exit(0),
  (error: unknown) => {
    // Not even the reply for failures could be found. Where a rule guards the event, the agent takes this exit for a denial.
    if (!isWritten) writeSync(2, `Fairlead could not answer (${String(error)}). \`fairlead doctor\` says more.\n`);
    process.exit(isWritten ? 0 : 1);
  },
);
