import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Home } from './home.ts';

interface Spoiled {
  readonly stdout: string;
  readonly stderr?: string;
  readonly code?: number;
  readonly waitMs?: number;
  /** How an answer over HTTP is lost. */
  readonly status?: number;
  readonly cut?: true;
}

/** What becomes of a reply to a command that says how it is to be lost. Its text is also run by another process. */
function spoil(stdout: string, command: string): Spoiled {
  const reply = stdout.trim() === '' ? {} : JSON.parse(stdout);
  const said = reply.hookSpecificOutput ?? {};
  const text = said.additionalContext ?? said.permissionDecisionReason ?? '';
  const is = (how: string) => command.includes(how) && stdout.trim() !== '';
  if (is('too-long')) said.additionalContext += `\n${'x'.repeat(10_000)}`;
  if (is('bad-json')) return { stdout: stdout.trim().slice(0, -5) };
  if (is('wrong-place')) return { stdout: JSON.stringify(said) };
  if (is('to-person')) return { stdout: JSON.stringify({ systemMessage: text }) };
  if (is('and-person')) reply.systemMessage = 'For the person.';
  if (is('as-block')) return { stdout: JSON.stringify({ decision: 'block', reason: text }) };
  if (is('too-late')) return { stdout: '', waitMs: 30_000 };
  if (is('exit-one')) return { stdout: '', code: 1 };
  if (is('exit-two')) return { stdout: '', stderr: text, code: 2 };
  if (is('status-500')) return { stdout: '', status: 500 };
  if (is('cut-off')) return { stdout: '', cut: true };
  if (is('silent')) return { stdout: '', status: 204 };
  return stdout.trim() === '' ? { stdout: '' } : { stdout: JSON.stringify(reply) };
}

interface Entry {
  command: string;
  args?: string[];
  url?: string;
  timeout?: number;
  onFailure?: string;
}

interface Settings {
  hooks: Record<string, { hooks: Entry[] }[]>;
  permissions?: unknown;
}

/** Changes the settings that the client reads, after they were installed. */
export function editSettings(home: Home, edit: (settings: Settings) => void): void {
  const path = join(home.project, '.claude', 'settings.local.json');
  const settings = JSON.parse(readFileSync(path, 'utf8')) as Settings;
  edit(settings);
  writeFileSync(path, JSON.stringify(settings));
}

export const entriesOf = ({ hooks }: Settings, event: string): Entry[] =>
  (hooks[event] ?? []).flatMap((group) => group.hooks);

const SPOILED_EVENTS = ['PreToolUse', 'PostToolUse'];
/** What all other replies keep, also on a loaded machine. */
const TIMEOUT_S = 12;

/** Stands between the client and our command, and spoils the replies to commands that say so. */
export function spoilCommand(home: Home): void {
  editSettings(home, (settings) => {
    for (const event of SPOILED_EVENTS)
      for (const own of entriesOf(settings, event)) {
        const between = join(home.dir, `fairlead-spoiled-${event}`);
        writeFileSync(
          between,
          `#!${process.execPath}
const { spawnSync } = require('node:child_process');
const input = require('node:fs').readFileSync(0, 'utf8');
const { command = '' } = JSON.parse(input).tool_input ?? {};
const done = spawnSync(${JSON.stringify(own.command)}, ${JSON.stringify(own.args ?? [])}, { input, encoding: 'utf8' });
const spoiled = (${spoil.toString()})(done.stdout, command);
process.stdout.write(spoiled.stdout);
process.stderr.write(spoiled.stderr ?? '');
process.exitCode = spoiled.code ?? 0;
if (spoiled.waitMs) setTimeout(() => {}, spoiled.waitMs);
`,
        );
        chmodSync(between, 0o755);
        own.command = between;
        own.args = ['hook', '--agent', 'claude-code', event];
        own.timeout = TIMEOUT_S;
        delete own.onFailure;
      }
  });
}

/** The same for what is posted: a server between the client and our engine. */
export async function spoilPosts(home: Home): Promise<{ close(): void }> {
  let target = new URL('http://127.0.0.1');
  const server = createServer((asked, answer) => {
    const parts: Buffer[] = [];
    asked.on('data', (part: Buffer) => parts.push(part));
    asked.on('end', () => {
      const body = Buffer.concat(parts);
      const { command = '' } = (JSON.parse(body.toString()) as { tool_input?: { command?: string } }).tool_input ?? {};
      const headers = { ...asked.headers, host: target.host };
      const options = { host: target.hostname, port: target.port, path: asked.url, method: 'POST', headers };
      const sent = request(options, (reply) => {
        const got: Buffer[] = [];
        reply.on('data', (part: Buffer) => got.push(part));
        reply.on('end', () => {
          const { stdout, status, cut } = spoil(Buffer.concat(got).toString(), command);
          if (cut) return void asked.socket.destroy();
          const code = status ?? (stdout === '' ? (reply.statusCode ?? 204) : 200);
          answer.writeHead(code, { 'content-type': 'application/json' }).end(stdout);
        });
      });
      sent.on('error', () => asked.socket.destroy());
      sent.end(body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  editSettings(home, (settings) => {
    for (const event of SPOILED_EVENTS)
      for (const own of entriesOf(settings, event)) {
        if (own.url === undefined) continue;
        target = new URL(own.url);
        own.url = own.url.replace(target.host, `127.0.0.1:${port}`);
        delete own.onFailure;
      }
  });
  return {
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
