import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The end of a question. */
const ASKS = /[\]:?] $/;
/** What a terminal is told about where and how to write. */
// oxlint-disable-next-line no-control-regex
const CURSOR = /\u001b\[[0-9;?]*[A-Za-z]/g;

/**
 * Runs a shell command the way a person's terminal program would: a terminal of its own, an environment made from
 * scratch, and no ancestor in common with the test run. The `input` is typed once the command asks: what comes before it
 * listens may be lost.
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
  let isTyped = input === '';
  for await (const chunk of child.stdout) {
    screen += String(chunk);
    if (isTyped || !ASKS.test(screen.replaceAll(CURSOR, ''))) continue;
    isTyped = true;
    child.stdin.write(input);
  }
  child.stdin.destroy();
  const code = Number(readFileSync(ended, 'utf8'));
  rmSync(dir, { recursive: true });
  return { code, screen };
}
