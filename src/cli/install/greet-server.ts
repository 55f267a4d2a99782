import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Environment } from '../../platform/paths.ts';

const HELLO = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'fairlead doctor', version: '1' } },
};
/** Longer than any agent waits for a server before it goes on without. */
const LIMIT_MS = 20_000;

/** Starts a tool server as an agent does and greets it: what keeps it from answering, if anything does. */
export function greetServer(
  [command = '', ...args]: readonly string[],
  { cwd, env }: { readonly cwd: string; readonly env: Environment },
): Promise<string | undefined> {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd, env, stdio: ['pipe', 'pipe', 'pipe'] });
    let said = '';
    const limit = setTimeout(() => settle(`it did not answer within ${LIMIT_MS / 1_000} s`), LIMIT_MS);
    const settle = (problem: string | undefined): void => {
      clearTimeout(limit);
      child.kill();
      resolve(problem);
    };
    child.on('error', (error) => settle(error.message));
    child.on('close', (code) => settle(`it ended with ${code}${lastLine(said)}`));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (said = (said + text).slice(-2_000)));
    createInterface({ input: child.stdout }).once('line', (line) =>
      settle(isGreeting(line) ? undefined : 'what it printed is not the protocol'),
    );
    child.stdin.on('error', () => {});
    child.stdin.write(`${JSON.stringify(HELLO)}\n`);
  });
}

function isGreeting(line: string): boolean {
  try {
    const { id, result } = JSON.parse(line) as { id?: unknown; result?: { serverInfo?: unknown } };
    return id === HELLO.id && result?.serverInfo !== undefined;
  } catch {
    return false;
  }
}

function lastLine(text: string): string {
  const line = text.trim().split('\n').at(-1);
  return line ? `: ${line}` : '';
}
