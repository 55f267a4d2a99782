import { spawn } from 'node:child_process';

export interface OutputSetting {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly limitMs: number;
  /** A program that prints more has failed. */
  readonly maxBytes: number;
}

/**
 * What a program prints, run without a shell; undefined when it fails, prints too much or is late. Nothing waits for one
 * that does not even end when it is killed, and this process does not stay for any of them.
 */
export function readOutput(
  program: string,
  args: readonly string[],
  { env, limitMs, maxBytes }: OutputSetting,
): Promise<string | undefined> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { env: { ...env }, stdio: ['ignore', 'pipe', 'ignore'], windowsHide: true });
    const chunks: Buffer[] = [];
    let size = 0;
    const settle = (text: string | undefined): void => {
      clearTimeout(limit);
      resolve(text);
    };
    const giveUp = (): void => {
      child.kill('SIGKILL');
      child.stdout.destroy();
      settle(undefined);
    };
    const limit = setTimeout(giveUp, limitMs);
    limit.unref();
    child.unref();
    if ('unref' in child.stdout && typeof child.stdout.unref === 'function') child.stdout.unref();
    child.stdout.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      if ((size += chunk.length) > maxBytes) giveUp();
    });
    child.on('error', () => settle(undefined));
    child.on('close', (code) => settle(code === 0 ? Buffer.concat(chunks).toString('utf8') : undefined));
  });
}
