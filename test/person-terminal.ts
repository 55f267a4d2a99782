import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Long enough for any answer of a command that goes on. */
const AGAIN_MS = 20_000;

/**
 * Runs a shell command the way a person's terminal program would: a terminal of its own, an environment made from
 * scratch, and no ancestor in common with the test run. Lines of `input` are typed at once, and again where the command still asks.
 */
export async function inPersonTerminal(command: string, input = ''): Promise<{ code: number; screen: string }> {
  const dir = mkdtempSync(join(tmpdir(), 'terminal-'));
  const program = join(dir, 'terminal');
  symlinkSync('/usr/bin/script', program);
  const ended = join(dir, 'code');
  const child = spawn(
    'env',
    [
      '-i',
      `PATH=${process.env['PATH']}`,
      `HOME=${dir}`,
      'TERM=xterm',
      'setsid',
      '-f',
      program,
      '-qc',
      `${command}\necho $? > ${ended}`,
      '/dev/null',
    ],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  );
  // The end of input would reach the command as Ctrl-D, so the pipe stays open until the terminal is gone.
  child.stdin.on('error', () => {});
  let screen = '';
  let seen = '';
  if (input) child.stdin.write(input);
  // What is typed before the terminal is set up may be lost; then the command asks, and nothing happens.
  const again = setInterval(() => {
    if (input && screen !== '' && screen === seen) child.stdin.write(input);
    seen = screen;
  }, AGAIN_MS);
  for await (const chunk of child.stdout) screen += String(chunk);
  clearInterval(again);
  child.stdin.destroy();
  const code = Number(readFileSync(ended, 'utf8'));
  rmSync(dir, { recursive: true });
  return { code, screen };
}
