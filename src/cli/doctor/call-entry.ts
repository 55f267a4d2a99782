import { spawn } from 'node:child_process';
import { request } from 'node:http';
import type { HttpTarget } from '../../adapters/installer.ts';
import type { Environment } from '../../platform/paths.ts';

/** What came back from an entry that was called as an agent calls it. */
export interface Called {
  readonly output: string;
  /** Why there is no answer that the agent would take. */
  readonly problem?: string;
}

const MOST_OUTPUT = 1 << 20;

interface Start {
  readonly input: string;
  readonly cwd: string;
  readonly env: Environment;
  readonly limitMs: number;
}

/** In a group of its own, which is ended as a whole when its time is up. */
export function startEntry([program = '', ...args]: readonly string[], start: Start): Promise<Called> {
  const { input, cwd, env, limitMs } = start;
  return new Promise((resolve) => {
    const child = spawn(program, args, { cwd, env: { ...env }, detached: true, stdio: 'pipe' });
    let [output, said] = ['', ''];
    const settle = (problem?: string): void => {
      clearTimeout(limit);
      resolve({ output, ...(problem !== undefined && { problem }) });
    };
    const limit = setTimeout(() => {
      try {
        if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
      } catch {
        // It has just ended by itself.
      }
      settle(`it did not answer within ${limitMs / 1_000} s`);
    }, limitMs);
    child.on('error', (error) => settle(`it cannot start: ${error.message}`));
    child.on('close', (code) => settle(code === 0 ? undefined : `it ended with ${code}${lastLine(said)}`));
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output = (output + text).slice(0, MOST_OUTPUT)));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (said = (said + text).slice(-2_000)));
    child.stdin.on('error', () => {});
    child.stdin.end(input);
  });
}

function lastLine(text: string): string {
  const line = text.trim().split('\n').at(-1);
  return line ? `: ${line}` : '';
}

/** A redirect counts as a failure, as it does for agents. */
export function postEntry({ url, token }: HttpTarget, body: string, limitMs: number): Promise<Called> {
  return new Promise((resolve) => {
    let output = '';
    const outgoing = request(url, {
      method: 'POST',
      agent: false,
      timeout: limitMs,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    });
    const settle = (problem?: string): void => {
      resolve({ output, ...(problem !== undefined && { problem }) });
      outgoing.destroy();
    };
    outgoing.on('timeout', () => settle(`it did not answer within ${limitMs / 1_000} s`));
    outgoing.on('error', (error: NodeJS.ErrnoException) => settle(error.code ?? error.message));
    outgoing.on('response', (response) => {
      const { statusCode: status = 0 } = response;
      response.setEncoding('utf8').on('data', (text: string) => (output = (output + text).slice(0, MOST_OUTPUT)));
      response.on('end', () => settle(status >= 200 && status < 300 ? undefined : `it answered with status ${status}`));
    });
    outgoing.end(body);
  });
}
