import { readSync, writeSync } from 'node:fs';
import { EMPTY_REPLY } from './adapters/adapter.ts';
import type { Reply } from './adapters/adapter.ts';
import { openEngine } from './open-engine.ts';
import { nodeFiles } from './platform/files.ts';
import { fromHookArguments, homeDir, homePaths } from './platform/paths.ts';
import { readSwitch } from './state/switch.ts';
import { answer, HEAD_BYTES, MAX_BODY_BYTES } from './transport/answer.ts';

/** The agent waits for this process, so it answers within this time whatever happens. */
const DEADLINE_MS = 8_000;
/** What a rule that missed its budget may still take, for the sake of the session's next event. */
const LATE_MS = 250;
const CHUNK_BYTES = 64 * 1024;

/** Entry point of the command transport: one event on stdin, the reply on stdout, exit code 0. */
async function main(args: readonly string[]): Promise<void> {
  const { body, size } = await readStdin();
  const home = told(() => homeDir(process.env, process.platform)) ?? '/';
  // Of the environment only HOME counts: it belongs to the agent, and a variable in it must not move the guard elsewhere.
  const paths = fromHookArguments(args) ?? homePaths({ HOME: home, USERPROFILE: home }, process.platform);
  // Looked at before the engine opens, because opening it writes.
  if (readSwitch(nodeFiles, paths.state, Date.now()) !== undefined) return;
  const engine = openEngine({ paths, userHome: home, resident: false });
  const late = new Promise<Reply>((resolve) => {
    setTimeout(() => {
      engine.onFailure('answering an event', `no answer within ${DEADLINE_MS} ms`);
      resolve(EMPTY_REPLY);
    }, DEADLINE_MS).unref();
  });
  const eventHint = valueOf(args, '--event');
  const request = {
    agent: valueOf(args, '--agent') ?? '',
    body,
    size,
    cwd: told(process.cwd) ?? home,
    home,
    env: process.env,
  };
  const reply = await Promise.race([
    answer(eventHint === undefined ? request : { ...request, eventHint }, engine),
    late,
  ]);
  await write(reply.stdout);
  await engine.settleLate(LATE_MS);
  engine.memory.hurry();
  engine.tidy();
  engine.close();
}

/** Undefined for what the system cannot tell: a directory deleted under the agent, a user without a name. */
function told(ask: () => string): string | undefined {
  try {
    return ask();
  } catch {
    return undefined;
  }
}

function valueOf(args: readonly string[], flag: string): string | undefined {
  const at = args.indexOf(flag);
  return at < 0 ? undefined : args[at + 1];
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

async function write(text: string): Promise<void> {
  let rest = Buffer.from(text);
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
  () => process.exit(0),
);
