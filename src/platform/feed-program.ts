import { spawn } from 'node:child_process';
import { closeSync, createReadStream, fstatSync, openSync } from 'node:fs';

export interface Feeding {
  readonly input?: string;
  /** A file with the input. */
  readonly inputFile?: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly limitMs: number;
  /** A program that makes more has failed. */
  readonly maxBytes: number;
  /** A new file for what it makes. */
  readonly output?: string;
}

const WATCH_MS = 20;

/** What a program makes of its input; undefined when it fails, makes too much or is late. */
export function feedProgram(program: string, args: readonly string[], feeding: Feeding): Promise<string | undefined> {
  const { input, inputFile, env, limitMs, maxBytes, output } = feeding;
  const into = output === undefined ? undefined : openSync(output, 'wx', 0o600);
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      env: { ...env },
      stdio: ['pipe', into ?? 'pipe', 'ignore'],
      windowsHide: true,
    });
    const chunks: Buffer[] = [];
    let size = 0;
    let isSettled = false;
    const giveUp = (): void => void child.kill('SIGKILL');
    const isTooMuch = (): boolean => (into === undefined ? size : fstatSync(into).size) > maxBytes;
    const limit = setTimeout(giveUp, limitMs);
    const watch = setInterval(() => isTooMuch() && giveUp(), WATCH_MS);
    const settle = (text: string | undefined): void => {
      if (isSettled) return;
      isSettled = true;
      clearTimeout(limit);
      clearInterval(watch);
      resolve(isTooMuch() ? undefined : text);
      if (into !== undefined) closeSync(into);
    };
    child.stdout?.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      size += chunk.length;
    });
    // It may end before it has read all: its end tells.
    child.stdin?.on('error', () => {});
    if (inputFile === undefined) child.stdin?.end(input);
    else if (child.stdin) createReadStream(inputFile).on('error', giveUp).pipe(child.stdin);
    child.on('error', () => settle(undefined));
    child.on('close', (code) => settle(code === 0 ? Buffer.concat(chunks).toString('utf8') : undefined));
  });
}
