import { setPriority } from 'node:os';
import { createInterface } from 'node:readline';
import { serveIndexing } from './graph/indexing.ts';
import type { NumberedDrawRequest, NumberedRequest } from './graph/indexing.ts';
import { leaveCaller } from './platform/detach.ts';
import { nodeFiles } from './platform/files.ts';

/** How long it stays without work: warm, the next file costs a fraction of what it costs at first. */
const IDLE_MS = 30_000;
const LOW_PRIORITY = 10;

/** Entry point of the process that parses: requests as lines on its input, answers as lines on its output. */
async function main(args: readonly string[]): Promise<void> {
  leaveCaller();
  const state = valueOf(args, '--state');
  if (state === undefined) throw new Error('the indexing process needs --state DIR');
  const idleMs = Number(valueOf(args, '--idle-ms') ?? IDLE_MS);
  if (args.includes('--background')) lowerPriority();

  const serving = serveIndexing({
    state,
    files: nodeFiles,
    pid: process.pid,
    reply: (reply) => void process.stdout.write(`${JSON.stringify(reply)}\n`),
  });
  // Whoever asked is gone: what is stored is whole, and the rest is asked for again.
  process.stdout.on('error', () => serving.stop());

  const lines = createInterface({ input: process.stdin });
  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;
  const rest = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => lines.close(), idleMs);
  };
  rest();
  lines.on('line', (line) => {
    clearTimeout(timer);
    serving.take(JSON.parse(line) as NumberedRequest | NumberedDrawRequest);
    void serving.idle().then(() => isClosed || rest());
  });
  process.stdin.on('end', () => serving.stop());
  await new Promise<void>((resolve) => lines.on('close', resolve));
  isClosed = true;
  await serving.idle();
  clearTimeout(timer);
  serving.close();
  process.stdin.destroy();
}

function lowerPriority(): void {
  try {
    setPriority(LOW_PRIORITY);
  } catch {
    // Then it has the usual one.
  }
}

function valueOf(args: readonly string[], flag: string): string | undefined {
  const at = args.indexOf(flag);
  return at === -1 ? undefined : args[at + 1];
}

main(process.argv.slice(2)).then(
  () => process.exit(0),
  (error: unknown) => {
    process.stderr.write(`fairlead: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  },
);
