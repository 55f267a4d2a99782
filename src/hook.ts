import { EMPTY_REPLY } from './adapters/adapter.ts';
import type { Reply } from './adapters/adapter.ts';
import { openEngine } from './open-engine.ts';
import { fromHookArguments, homeDir, homePaths } from './platform/paths.ts';
import { answer, HEAD_BYTES, MAX_BODY_BYTES } from './transport/answer.ts';

/** The agent waits for this process, so it answers within this time whatever happens. */
const DEADLINE_MS = 8_000;

/** Entry point of the command transport: one event on stdin, the reply on stdout, exit code 0. */
async function main(args: readonly string[]): Promise<void> {
  const { body, size } = await readStdin();
  if (process.env['FAIRLEAD_DISABLED'] === '1') return;
  const home = homeDir(process.env, process.platform);
  const engine = openEngine({
    // Of the environment only HOME counts: it belongs to the agent, and a variable in it must not move the guard elsewhere.
    paths: fromHookArguments(args) ?? homePaths({ HOME: home, USERPROFILE: home }, process.platform),
    userHome: home,
    resident: false,
  });
  const late = new Promise<Reply>((resolve) => {
    setTimeout(() => {
      engine.onFailure('answering an event', `no answer within ${DEADLINE_MS} ms`);
      resolve(EMPTY_REPLY);
    }, DEADLINE_MS).unref();
  });
  const eventHint = valueOf(args, '--event');
  const request = { agent: valueOf(args, '--agent') ?? '', body, size, cwd: process.cwd(), home, env: process.env };
  const reply = await Promise.race([answer(eventHint === undefined ? request : { ...request, eventHint }, engine), late]);
  await write(reply.stdout);
  engine.close();
}

function valueOf(args: readonly string[], flag: string): string | undefined {
  const at = args.indexOf(flag);
  return at < 0 ? undefined : args[at + 1];
}

/** Always to the end, because an agent that cannot finish writing counts it as a failure; only what may be parsed is kept. */
async function readStdin(): Promise<{ body: Uint8Array; size: number }> {
  let kept: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of process.stdin as AsyncIterable<Uint8Array>) {
      size += chunk.length;
      if (size <= MAX_BODY_BYTES) kept.push(chunk);
      else if (kept.length > 0) kept = [Buffer.concat(kept).subarray(0, HEAD_BYTES)].filter((head) => head.length > 0);
    }
  } catch {
    // A broken pipe ends the payload where it broke.
  }
  return { body: Buffer.concat(kept), size };
}

function write(text: string): Promise<void> {
  return new Promise((resolve) => {
    process.stdout.on('error', () => resolve());
    if (text === '') resolve();
    else process.stdout.write(text, () => resolve());
  });
}

main(process.argv.slice(2)).then(
  () => process.exit(0),
  () => process.exit(0),
);
