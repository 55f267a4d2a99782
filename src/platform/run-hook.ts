import { spawn } from 'node:child_process';

export interface HookSetting {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly input: Uint8Array;
  readonly limitMs: number;
  /** Who waited for it is gone. */
  readonly signal: AbortSignal;
  /** Whether it says with its first line that nobody shall wait for it. */
  readonly goesAside?: (line: string) => boolean;
}

export interface HookEnd {
  /** Absent where it did not end by itself. */
  readonly code?: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly failure?: 'start' | 'time' | 'stopped';
  readonly ms: number;
}

/** More than this nobody reads. */
const MAX_BYTES = 8 << 20;
/** A program that it left behind may hold its output open: how long that is waited for after the last word, and in all. */
const QUIET_MS = 500;
const LINGER_MS = 10_000;
/** What a pipe takes without a reader. */
const PIPE_BYTES = 64 << 10;
/** What the end of a program by a signal counts as. */
const KILLED = 1;

/** Runs a hook as agents do: its own process group, the event on its input, and all of the group ended when its time is up. */
export function runHook(argv: readonly string[], setting: HookSetting): Promise<HookEnd> {
  const { cwd, env, input, limitMs, signal, goesAside } = setting;
  const [program = '', ...args] = argv;
  const startedAt = performance.now();
  return new Promise((resolve) => {
    const child = spawn(program, args, { cwd, env: { ...env }, detached: true, stdio: 'pipe' });
    const [stdout, stderr] = [collect(), collect()];
    let failure: HookEnd['failure'];
    let code: number | undefined;
    let isDone = false;
    let isAside = false;
    let hasLine = goesAside === undefined;
    let lingering: NodeJS.Timeout | undefined;
    const settle = (): void => {
      if (isDone) return;
      isDone = true;
      clearTimeout(lingering);
      signal.removeEventListener('abort', stop);
      if (isAside) {
        limit.unref();
        child.unref();
      } else {
        clearTimeout(limit);
        for (const stream of child.stdio) stream?.destroy();
      }
      const ended = failure === undefined && code !== undefined ? { code } : { failure: failure ?? ('start' as const) };
      resolve({ ...ended, stdout: stdout.text(), stderr: stderr.text(), ms: performance.now() - startedAt });
    };
    const end = (why: 'time' | 'stopped'): void => {
      failure = why;
      try {
        if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
      } catch {
        // It has just ended by itself.
      }
      settle();
    };
    const stop = (): void => end('stopped');
    const limit = setTimeout(() => end('time'), limitMs);
    signal.addEventListener('abort', stop);
    if (signal.aborted) stop();
    let diesAt = Infinity;
    const wait = (): void => {
      clearTimeout(lingering);
      lingering = setTimeout(settle, Math.min(QUIET_MS, Math.max(0, diesAt - performance.now())));
    };
    // A hook that leaves an event unread that no pipe holds has failed, whatever it says.
    const leftUnread = (): void => {
      if (input.length > PIPE_BYTES) code = KILLED;
    };
    child.stdout.on('data', (chunk: Buffer) => {
      stdout.add(chunk);
      if (diesAt < Infinity) wait();
      if (hasLine || !chunk.includes('\n')) return;
      hasLine = true;
      isAside = goesAside?.(stdout.text().split('\n', 1)[0] ?? '') === true;
      if (!isAside) return;
      code = 0;
      settle();
    });
    child.stderr.on('data', (chunk: Buffer) => (stderr.add(chunk), diesAt < Infinity && wait()));
    child.on('error', settle);
    child.on('exit', (status, killedBy) => {
      if (isAside) clearTimeout(limit);
      code ??= killedBy === null ? (status ?? KILLED) : KILLED;
      // Then no broken pipe is told of any more. What it left behind may have read on.
      if (child.stdin.writableLength > 0 && !hasGroup(child.pid)) leftUnread();
      diesAt = performance.now() + LINGER_MS;
      wait();
    });
    child.on('close', settle);
    child.stdin.on('error', leftUnread);
    child.stdin.end(input);
  });
}

/** Whether a program of the group that began with this one still runs. */
function hasGroup(pid: number | undefined): boolean {
  if (pid === undefined) return false;
  try {
    return process.kill(-pid, 0);
  } catch {
    return false;
  }
}

function collect(): { add(chunk: Buffer): void; text(): string } {
  const chunks: Buffer[] = [];
  let size = 0;
  return {
    add(chunk) {
      if (size < MAX_BYTES) chunks.push(chunk);
      size += chunk.length;
    },
    text: () => Buffer.concat(chunks).toString('utf8'),
  };
}
