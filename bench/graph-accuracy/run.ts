import { spawnSync } from 'node:child_process';

/** Runs a program to its end and gives what it printed; what it complains about is shown. */
export function run(
  command: string,
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>> = {},
): string {
  const { status, error, stdout } = spawnSync(command, args, {
    cwd,
    env: { ...process.env, ...env },
    maxBuffer: 2 ** 30,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (error !== undefined || status !== 0) {
    throw new Error(`${command} ${args.join(' ')} failed${error === undefined ? '' : `: ${error.message}`}`);
  }
  return stdout;
}
