import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { Duplex } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { transformSync } from 'esbuild';

export interface VerbCall {
  readonly words: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** What the program printed, and how it ended. */
export interface Ran {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

const PROGRAM = fileURLToPath(new URL('../../dist/cli.cjs', import.meta.url));
const SOURCE = new URL('../../test/process/verb-worker.ts', import.meta.url);
/** Its own stream, since the usual ones are what a verb finds. */
const LINES = 3;

interface VerbProcess {
  readonly child: ChildProcess;
  readonly lines: Duplex;
  readonly waiting: { resolve(ran: Ran): void; reject(error: Error): void }[];
}

/** One for all files that share this process. It ends with it, when nobody holds the other end of its lines. */
let running: VerbProcess | undefined;

function start(): VerbProcess {
  const { code } = transformSync(readFileSync(SOURCE, 'utf8'), { loader: 'ts', format: 'cjs', platform: 'node' });
  const child = spawn(process.execPath, ['-e', code, PROGRAM], {
    cwd: '/',
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
  });
  const lines = child.stdio[LINES] as Duplex;
  const started: VerbProcess = { child, lines, waiting: [] };
  let rest = '';
  let words = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (words += text));
  lines.setEncoding('utf8').on('data', (text: string) => {
    const parts = (rest + text).split('\n');
    rest = parts.pop() ?? '';
    for (const line of parts) started.waiting.shift()?.resolve(JSON.parse(line) as Ran);
    hold(started, started.waiting.length > 0);
  });
  lines.on('error', () => {});
  child.on('close', (exitCode) => {
    if (running === started) running = undefined;
    for (const { reject } of started.waiting.splice(0))
      reject(new Error(`the process of verbs ended with code ${exitCode}: ${words}`));
  });
  return started;
}

/** An idle one keeps nobody from ending. */
function hold({ child, lines }: VerbProcess, isHeld: boolean): void {
  for (const each of [child, lines, child.stderr] as unknown as { ref(): void; unref(): void }[])
    each[isHeld ? 'ref' : 'unref']();
}

/**
 * `fairlead …` as a process has it: the words, the working directory, the environment, the exit code. Only the process is not its
 * own: tests that end one, or that look at one, start it themselves.
 */
export function runVerb(call: VerbCall): Promise<Ran> {
  const { lines, waiting } = (running ??= start());
  hold(running, true);
  return new Promise((resolve, reject) => {
    waiting.push({ resolve, reject });
    lines.write(`${JSON.stringify(call)}\n`);
  });
}
