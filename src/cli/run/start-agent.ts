import { spawn } from 'node:child_process';
import { constants } from 'node:os';

/** What a shell says of a program that it does not find, and of one that cannot be started. */
const NOT_FOUND = 127;
const NOT_STARTED = 126;
const BY_SIGNAL = 128;
/** A terminal sends these to the whole group, so the agent has them already. */
const FROM_TERMINAL: readonly NodeJS.Signals[] = ['SIGINT', 'SIGQUIT'];
const FORWARDED: readonly NodeJS.Signals[] = ['SIGTERM', 'SIGHUP', ...FROM_TERMINAL];

export interface Ended {
  readonly code: number;
  /** Why it could not be started. */
  readonly problem?: string;
}

/** Starts the agent in place of this process, as far as others can see: its streams, its signals, its exit code. */
export function startAgent(
  [program = '', ...args]: readonly string[],
  { cwd, env }: { readonly cwd: string; readonly env: Readonly<Record<string, string | undefined>> },
): Promise<Ended> {
  const child = spawn(program, args, { cwd, env, stdio: 'inherit' });
  const forward = (signal: NodeJS.Signals): void => {
    if (!process.stdin.isTTY || !FROM_TERMINAL.includes(signal)) child.kill(signal);
  };
  for (const signal of FORWARDED) process.on(signal, forward);
  return new Promise<Ended>((resolve) => {
    child.on('error', (error: NodeJS.ErrnoException) => {
      resolve({ code: error.code === 'ENOENT' ? NOT_FOUND : NOT_STARTED, problem: error.message });
    });
    child.on('close', (code, signal) => {
      resolve({ code: code ?? BY_SIGNAL + (signal === null ? 0 : constants.signals[signal]) });
    });
  }).finally(() => {
    for (const signal of FORWARDED) process.off(signal, forward);
  });
}
