import { spawn } from 'node:child_process';
import { closeSync, constants, openSync, readFileSync } from 'node:fs';

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** The words a process was started with; undefined where the system does not tell. */
export function commandLine(pid: number): readonly string[] | undefined {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
  } catch {
    return undefined;
  }
}

/** Starts a program that outlives this one: its own session, nothing of our streams, its words in a file of its own. */
export function spawnDetached(
  command: string,
  args: readonly string[],
  {
    env,
    log,
    cwd = '/',
  }: { readonly env: Readonly<Record<string, string>>; readonly log: string; readonly cwd?: string },
): void {
  const { O_WRONLY, O_CREAT, O_TRUNC, O_NOFOLLOW, O_NONBLOCK } = constants;
  const output = openSync(log, O_WRONLY | O_CREAT | O_TRUNC | (O_NOFOLLOW ?? 0) | (O_NONBLOCK ?? 0), 0o600);
  try {
    const child = spawn(command, args, { cwd, env, detached: true, stdio: ['ignore', output, output] });
    child.on('error', () => {});
    child.unref();
  } finally {
    closeSync(output);
  }
}
