import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Runs a shell command the way a person's terminal program would: a terminal of its own, an environment made from
 * scratch, and no ancestor in common with the test run. Lines of `input` are typed once the command asks for them.
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
  if (input) child.stdin.write(input);
  let screen = '';
  for await (const chunk of child.stdout) screen += String(chunk);
  child.stdin.destroy();
  const code = Number(readFileSync(ended, 'utf8'));
  rmSync(dir, { recursive: true });
  return { code, screen };
}
