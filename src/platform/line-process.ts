import { spawn } from 'node:child_process';

export interface LineProcess {
  readonly pid: number | undefined;
  send(line: string): void;
  /** Whether this process waits for that one: an idle one does not keep it. */
  hold(isHeld: boolean): void;
  /** Tells it that nothing more will come. */
  end(): void;
}

export interface LineSetting {
  readonly env: Readonly<Record<string, string | undefined>>;
  onLine(line: string): void;
  /** Once, when it has ended or could not be started: why, and the last that it said about itself. */
  onEnd(why: string): void;
}

const MAX_WORDS = 2_000;

/** A process of our own that speaks in lines. It has a session of its own, so what a terminal sends does not reach it. */
export function startLineProcess(command: string, args: readonly string[], setting: LineSetting): LineProcess {
  const child = spawn(command, args, {
    cwd: '/',
    env: { ...setting.env },
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let rest = '';
  let words = '';
  let isOver = false;
  const over = (why: string): void => {
    if (isOver) return;
    isOver = true;
    setting.onEnd(words.trim() === '' ? why : `${why}: ${words.trim()}`);
  };
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) setting.onLine(line);
  });
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (words = (words + chunk).slice(-MAX_WORDS)));
  // It may end before it has read all: its end is told by the process itself.
  child.stdin.on('error', () => {});
  child.on('error', (error) => over(error.message));
  child.on('close', (code, signal) =>
    over(signal === null ? `it ended with code ${code}` : `it was ended by ${signal}`),
  );
  const streams = [child.stdin, child.stdout, child.stderr] as unknown as { ref(): void; unref(): void }[];
  return {
    pid: child.pid,
    send: (line) => void child.stdin.write(`${line}\n`),
    hold(isHeld) {
      for (const each of [child, ...streams]) each[isHeld ? 'ref' : 'unref']();
    },
    end: () => void child.stdin.end(),
  };
}
