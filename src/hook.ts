import { readSync, writeSync } from 'node:fs';
import { nodeFiles } from './platform/files.ts';
import { fromHookArguments, homeDir, homePaths, join, userHomeOf } from './platform/paths.ts';
import { readSwitch } from './state/switch.ts';
import { HEAD_BYTES, MAX_BODY_BYTES } from './transport/limits.ts';
import { valueOf } from './transport/call.ts';
import type { Call } from './transport/call.ts';
import { openMeetingPlace } from './transport/meeting-place.ts';

/** The agent waits for this process, so it answers within this time unless the entry says otherwise. */
const DEADLINE_MS = 8_000;
const CHUNK_BYTES = 64 * 1024;

/** Behind a whole reply, for the native client that started this process and waits for it. */
const WHOLE = '\0';

/** Entry point of the command transport: one event on stdin, the reply on stdout, exit code 0. */
async function main(args: readonly string[]): Promise<void> {
  const startedAt = Date.now();
  const { body, size } = await readStdin();
  const home = told(() => homeDir(process.env, process.platform)) ?? '/';
  // Of the environment only HOME counts: it belongs to the agent, and a variable in it must not move the guard elsewhere.
  const paths = fromHookArguments(args) ?? homePaths({ HOME: home, USERPROFILE: home }, process.platform);
  // Looked at before the engine opens, because opening it writes.
  if (readSwitch(nodeFiles, paths.state, Date.now()) !== undefined) return;
  const call: Call = {
    args,
    body,
    size: Number(valueOf(args, '--size') ?? size),
    cwd: told(process.cwd),
    env: process.env,
    paths,
    userHome: userHomeOf(paths, { HOME: home, USERPROFILE: home }, process.platform),
    deadline: startedAt + (Number(valueOf(args, '--within')) || DEADLINE_MS),
  };
  try {
    await answerCall(call);
  } catch (error) {
    await writeOnce(call, await unanswered(call));
    await report(call, error);
  }
}

async function answerCall(call: Call): Promise<void> {
  const { args, paths } = call;
  const turn = args.includes('--direct') ? undefined : await takeTurn(call);
  if (turn && 'stdout' in turn) return writeOnce(call, turn.stdout);
  const { answerOnce } = await import('./assembly/one-shot.ts');
  // To wait in line may take longer than to decide.
  const deadline = Math.min(call.deadline, Date.now() + DEADLINE_MS);
  const { reply, finish } = await answerOnce({ ...call, deadline });
  const starts = turn !== undefined || args.includes('--start');
  const isStuck = turn?.isStuck ?? args.includes('--stuck');
  // An agent that posts its events cannot fall back: for it the daemon has to be there before its session goes on.
  const isAwaited = starts && !isStuck && nodeFiles.exists(join(paths.run, 'port'));
  if (isAwaited) await start(call, isStuck, true);
  await writeOnce(call, reply.stdout);
  await finish();
  turn?.slot.free();
  if (starts && !isAwaited) await start(call, isStuck, false);
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

/** Undefined for what the system cannot tell: a directory deleted under the agent, a user without a name. */
function told(ask: () => string): string | undefined {
  try {
    return ask();
  } catch {
    return undefined;
  }
}

/**
 * Always to the end, because an agent that cannot finish writing counts it as a failure; only what may be parsed is kept.
 * Read and written in place: Node's streams would take longer to load than the event takes to answer.
 */
async function readStdin(): Promise<{ body: Uint8Array; size: number }> {
  let kept: Uint8Array[] = [];
  let size = 0;
  const take = (chunk: Uint8Array) => {
    size += chunk.length;
    if (size <= MAX_BODY_BYTES) kept.push(chunk);
    else if (kept.length > 0) kept = [Buffer.concat(kept).subarray(0, HEAD_BYTES)];
  };
  try {
    for (;;) {
      const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
      const length = readSync(0, chunk);
      if (length === 0) break;
      take(chunk.subarray(0, length));
    }
  } catch (error) {
    if (mustWait(error)) await readOn(take);
  }
  return { body: Buffer.concat(kept), size };
}

async function readOn(take: (chunk: Uint8Array) => void): Promise<void> {
  try {
    for await (const chunk of process.stdin as AsyncIterable<Uint8Array>) take(chunk);
  } catch {
    // A broken pipe ends the payload where it broke.
  }
}

async function write(reply: string | Uint8Array): Promise<void> {
  let rest: Uint8Array = Buffer.from(reply);
  try {
    while (rest.length > 0) rest = rest.subarray(writeSync(1, rest));
  } catch (error) {
    if (mustWait(error)) await writeOn(rest);
  }
}

function writeOn(rest: Uint8Array): Promise<void> {
  return new Promise((resolve) => {
    process.stdout.on('error', () => resolve());
    process.stdout.write(rest, () => resolve());
  });
}

/** The agent may have given a pipe that does not block: empty or full at this moment. */
function mustWait(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'EAGAIN';
}

main(process.argv.slice(2)).then(
  () => process.exit(0),
  (error: unknown) => {
    // Not even the reply for failures could be found. Where a rule guards the event, the agent takes this exit for a denial.
    if (!isWritten) writeSync(2, `Fairlead could not answer (${String(error)}). \`fairlead doctor\` says more.\n`);
    process.exit(isWritten ? 0 : 1);
  },
);
