import type * as ChildProcess from 'node:child_process';

/** Loaded with the first command: most starts need none, and loading it takes longer than an event. */
const childProcess = (): typeof ChildProcess => process.getBuiltinModule('node:child_process');

export interface CommandSetting {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly limitMs: number;
  /** Ends it before its time is up. */
  readonly signal: AbortSignal;
}

/** How a command ended: undefined when it did what it should, else why not. */
export type CommandProblem = string | undefined;

/** Runs a program in a group of its own, without a shell and without our streams. At its limit the whole group is ended. */
export function runCommand(argv: readonly string[], setting: CommandSetting): Promise<CommandProblem> {
  const { cwd, env, limitMs, signal } = setting;
  const [program = '', ...args] = argv;
  return new Promise((resolve) => {
    const child = childProcess().spawn(program, args, { cwd, env: { ...env }, detached: true, stdio: 'ignore' });
    let problem: CommandProblem;
    const end = (why: string): void => {
      problem = why;
      if (child.pid === undefined) return;
      try {
        process.kill(-child.pid, 'SIGKILL');
      } catch {
        // It has just ended by itself.
      }
    };
    const stop = (): void => end('it was stopped');
    const limit = setTimeout(() => end(`it did not end within ${limitMs} ms`), limitMs);
    const settle = (how: CommandProblem): void => {
      clearTimeout(limit);
      signal.removeEventListener('abort', stop);
      resolve(how);
    };
    signal.addEventListener('abort', stop);
    child.on('error', (error) => settle(error.message));
    child.on('exit', (code, killedBy) =>
      settle(problem ?? (code === 0 ? undefined : killedBy === null ? `exit code ${code}` : `ended by ${killedBy}`)),
    );
  });
}
