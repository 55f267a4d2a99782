import { readSync, writeSync } from 'node:fs';
import { nodeFiles } from './platform/files.ts';
import { fromHookArguments, homeDir, homePaths, userHomeOf } from './platform/paths.ts';
import { isSwitchedOff } from './state/switch.ts';
import { adoptedIn, valueOf } from './transport/call.ts';
import type { Call } from './transport/call.ts';
import { HEAD_BYTES, MAX_BODY_BYTES } from './transport/limits.ts';

/** The agent waits for this process, so it answers within this time unless the entry says otherwise. */
export const DEADLINE_MS = 8_000;
const CHUNK_BYTES = 64 * 1024;

/** The event that an agent hands over; undefined when everything is switched off. */
export async function readCall(args: readonly string[]): Promise<Call | undefined> {
  const startedAt = Date.now();
  const { body, size } = await readStdin();
  const home = told(() => homeDir(process.env, process.platform)) ?? '/';
  // Of the environment only HOME counts: it belongs to the agent, and a variable in it must not move the guard elsewhere.
  const paths = fromHookArguments(args) ?? homePaths({ HOME: home, USERPROFILE: home }, process.platform);
  // Looked at before the engine opens, because opening it writes.
  // Hooks of others are nobody's to switch off.
  const isOff = adoptedIn(args) === undefined && isSwitchedOff(nodeFiles, paths.state, Date.now());
  if (isOff) return undefined;
  return {
    args,
    body,
    size: Number(valueOf(args, '--size') ?? size),
    cwd: told(process.cwd),
    env: process.env,
    paths,
    userHome: userHomeOf(paths, { HOME: home, USERPROFILE: home }, process.platform),
    deadline: startedAt + (Number(valueOf(args, '--within')) || DEADLINE_MS),
  };
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

export async function write(reply: string | Uint8Array): Promise<void> {
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
