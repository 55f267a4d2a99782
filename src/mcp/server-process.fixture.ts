import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const CLI = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));

type Fields = Readonly<Record<string, unknown>>;

/** What a call brought: the text, and whether it was an error of the tool. */
export interface Told {
  readonly text: string;
  readonly isError: boolean;
}

export interface ServerProcess {
  readonly child: ChildProcess;
  /** Every line of standard output, as it came. */
  readonly lines: readonly string[];
  readonly notes: readonly Fields[];
  readonly said: { err: string };
  request(method: string, params?: Fields): Promise<Fields>;
  call(tool: string, given: unknown, meta?: Fields): Promise<Told>;
  write(text: string): void;
  /** Closes its input and waits for its end. */
  close(): Promise<number | null>;
}

export interface ServerSetting {
  readonly home: string;
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly args?: readonly string[];
  readonly nodeArgs?: readonly string[];
}

/** The server as an agent starts it, past the first words of the protocol. */
export async function startServer(setting: ServerSetting): Promise<ServerProcess> {
  const { home, cwd, env = {}, args = [], nodeArgs = [] } = setting;
  const whose = args.length > 0 ? [] : ['--home', join(home, '.fairlead')];
  const child = spawn(process.execPath, [...nodeArgs, CLI, 'mcp', ...whose, ...args], {
    cwd,
    env: { PATH: process.env['PATH'], HOME: home, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const lines: string[] = [];
  const notes: Fields[] = [];
  const said = { err: '' };
  const waiting = new Map<number, (reply: Fields) => void>();
  let rest = '';
  let lastId = 0;
  child.stdin.on('error', () => {});
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said.err += text));
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const parts = (rest + text).split('\n');
    rest = parts.pop() ?? '';
    for (const line of parts) take(line);
  });

  function take(line: string): void {
    lines.push(line);
    const message = line.startsWith('{') ? (JSON.parse(line) as Fields) : {};
    const answer = waiting.get(message['id'] as number);
    if (answer === undefined) notes.push(message);
    else answer(message);
  }

  const write = (text: string) => void child.stdin.write(text);
  const request = (method: string, params: Fields = {}) =>
    new Promise<Fields>((resolve, reject) => {
      const id = (lastId += 1);
      waiting.set(id, resolve);
      child.once('close', () => reject(new Error(`the server ended: ${said.err}`)));
      write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    });
  child.setMaxListeners(0);
  await request('initialize', {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  });
  write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`);
  return {
    child,
    lines,
    notes,
    said,
    request,
    write,
    async call(name, given, meta) {
      const reply = await request('tools/call', {
        name,
        arguments: given,
        ...(meta && { _meta: meta }),
      });
      const result = reply['result'] as { content: { text: string }[]; isError?: boolean } | undefined;
      if (result === undefined) throw new Error(JSON.stringify(reply));
      return { text: result.content.map(({ text }) => text).join('\n'), isError: result.isError === true };
    },
    async close() {
      if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
      const ended = once(child, 'close');
      child.stdin.end();
      return ((await ended) as [number | null])[0];
    },
  };
}
