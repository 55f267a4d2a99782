import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AgentDriver, AgentSession, AgentTurn } from './agent-suite.ts';
import type { Home } from './home.ts';
import { startScripted } from './scripted-model.ts';
import type { ScriptedModel } from './scripted-model.ts';
import { until } from './until.ts';

const LIMIT_MS = 600_000;
const SETTINGS = '.config/opencode/opencode.jsonc';
export const PLUGIN = '.config/opencode/plugin/fairlead.js';

/** A server with one tool, which says what it was given. */
const SERVER = `require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  const results = {
    initialize: () => ({ protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'notes', version: '1' } }),
    'tools/list': () => ({ tools: [{ name: 'take_down', description: 'notes', inputSchema: { type: 'object', properties: { path: { type: 'string' } } } }] }),
    'tools/call': () => ({ content: [{ type: 'text', text: 'noted ' + params.arguments.path }] }),
  };
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, result: results[method]?.() ?? {} }));
});`;

interface Message {
  readonly role: string;
  readonly content?: string | readonly { readonly text?: string }[];
}

function clientProgram(): string {
  const path = process.env['FAIRLEAD_E2E_OPENCODE'];
  if (path === undefined || !existsSync(path)) throw new Error('no client: start this by `npm run e2e`');
  return resolve(path);
}

const call = (name: string, args: object): AgentTurn => ({ call: { name, args } });

export const OPENCODE: AgentDriver = {
  agent: 'opencode',
  files: [SETTINGS, PLUGIN],
  plant({ dir }) {
    put(
      join(dir, SETTINGS),
      '{\n  // mine\n  "$schema": "https://opencode.ai/config.json",\n  "autoupdate": false\n}\n',
    );
    // Stands in for ripgrep, which the client would load from the network: it finds nothing.
    put(join(dir, '.cache/opencode/bin/rg'), '#!/bin/sh\nexit 1\n', 0o755);
  },
  shell: (command) => call('bash', { command, description: 'run a command' }),
  write: (path, content) => call('write', { filePath: path, content }),
  search: (pattern) => call('grep', { pattern }),
  more: ({ project }) => [
    call('read', { filePath: join(project, 'src', 'app.ts') }),
    call('read', { filePath: join(project, 'missing.ts') }),
    call('edit', { filePath: join(project, 'src', 'app.ts'), oldString: '42', newString: '43' }),
    call('glob', { pattern: '*.ts', path: join(project, 'src') }),
    call('notes_take_down', { path: 'a.ts' }),
  ],
  run: (home, script) => inSession(home, script, serve),
};

function put(path: string, text: string, mode = 0o644): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text, { mode });
}

interface Conversation {
  readonly home: Home;
  readonly env: Readonly<Record<string, string>>;
  /** What the model has not said yet. */
  readonly left: readonly AgentTurn[];
  /** Gets what the client prints to its error output. */
  onError(text: string): void;
}

/** One session as `opencode run` has it, which ends with its first turn. */
export function runOnce(home: Home, script: readonly AgentTurn[], args: readonly string[]): Promise<AgentSession> {
  return inSession(home, script, (conversation) => ended(start(['run', ...args], conversation)));
}

/** One session over the server of the client, as its terminal interface has it: until nothing more is said in it. */
async function serve(conversation: Conversation): Promise<number | null> {
  const child = start(['serve', '--port', '0', '--hostname', '127.0.0.1'], conversation);
  const end = ended(child);
  try {
    const url = await listening(child);
    const ask = async (method: string, path: string, body?: object): Promise<unknown> => {
      const reply = await fetch(`${url}${path}?directory=${encodeURIComponent(conversation.home.project)}`, {
        method,
        headers: { 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(LIMIT_MS),
      });
      return reply.json();
    };
    const { id } = (await ask('POST', '/session', {})) as { id: string };
    await ask('POST', `/session/${id}/message`, { parts: [{ type: 'text', text: 'Go on.' }] });
    await until(() => conversation.left.length === 0);
    while (((await ask('GET', '/session/status')) as Record<string, unknown>)[id] !== undefined) await sleep(50);
    return 0;
  } finally {
    child.kill('SIGTERM');
    await end;
  }
}

function start(args: readonly string[], { home, env, onError }: Conversation): ChildProcess {
  const child = spawn(clientProgram(), args, { cwd: home.project, env, stdio: ['ignore', 'pipe', 'pipe'] });
  child.stdout.setEncoding('utf8').on('data', () => {});
  child.stderr.setEncoding('utf8').on('data', onError);
  return child;
}

function ended(child: ChildProcess): Promise<number | null> {
  const limit = setTimeout(() => child.kill('SIGKILL'), LIMIT_MS);
  return new Promise((done, fail) => {
    child.on('error', fail);
    child.on('close', (code) => {
      clearTimeout(limit);
      done(code);
    });
  });
}

function listening(child: ChildProcess): Promise<string> {
  let printed = '';
  return new Promise((done, fail) => {
    child.on('close', () => fail(new Error(`the server ended: ${printed}`)));
    child.stdout?.on('data', (text: string) => {
      printed += text;
      const url = /listening on (http:\S+)/.exec(printed)?.[1];
      if (url !== undefined) done(url);
    });
  });
}

/** A session of the real client in a home, with nothing of this process's environment. */
async function inSession(
  home: Home,
  script: readonly AgentTurn[],
  converse: (conversation: Conversation) => Promise<number | null>,
): Promise<AgentSession> {
  const left = [...script];
  const requests: string[] = [];
  let stderr = '';
  const model = await startScripted(async (_path, body, response) => {
    // Requests without tools are the client's own.
    const isMain = ((JSON.parse(body || '{}') as { tools?: readonly object[] }).tools ?? []).length > 0;
    if (isMain) requests.push(body);
    const next = (isMain ? left.shift() : undefined) ?? { text: 'Nothing more to say.' };
    await next.first?.();
    answer(response, next, requests.length);
  });
  try {
    const onError = (text: string): void => void (stderr += text);
    const code = await converse({ home, env: environmentFor(home, model), left, onError });
    const { messages = [] } = JSON.parse(requests.at(-1) ?? '{}') as { messages?: readonly Message[] };
    const textOf = ({ content = '' }: Message): string =>
      typeof content === 'string' ? content : content.map(({ text = '' }) => text).join('\n');
    const told = messages.filter(({ role }) => role === 'user' || role === 'tool');
    const results = told.filter(({ role }) => role === 'tool').map(textOf);
    return { code, requests, results, told: told.map(textOf).join('\n'), stderr };
  } finally {
    model.close();
  }
}

/** All that is particular to these tests comes by a variable: the files in the home are the person's. */
function environmentFor({ env }: Home, { url }: ScriptedModel): Readonly<Record<string, string>> {
  const model = { name: 'scripted', tool_call: true, limit: { context: 100_000, output: 4_000 } };
  const provider = {
    ...{ npm: '@ai-sdk/openai-compatible', name: 'scripted' },
    ...{ options: { baseURL: `${url}/v1`, apiKey: 'none' }, models: { model } },
  };
  const settings = {
    ...{ autoupdate: false, share: 'disabled', model: 'scripted/model', small_model: 'scripted/model' },
    provider: { scripted: provider },
    mcp: { notes: { type: 'local', command: [process.execPath, '-e', SERVER], enabled: true, timeout: LIMIT_MS } },
  };
  return {
    ...env,
    ...{
      SHELL: '/bin/bash',
      TERM: 'dumb',
      npm_config_offline: 'true',
      OPENCODE_CONFIG_CONTENT: JSON.stringify(settings),
    },
    ...{ OPENCODE_DISABLE_MODELS_FETCH: '1', OPENCODE_DISABLE_AUTOUPDATE: '1', OPENCODE_DISABLE_LSP_DOWNLOAD: '1' },
  };
}

function answer(response: ServerResponse, { call: made, text = '' }: AgentTurn, id: number): void {
  const tool = made && {
    ...{ index: 0, id: `call_${id}`, type: 'function' },
    function: { name: made.name, arguments: JSON.stringify(made.args) },
  };
  const chunk = (delta: object, finish: string | null): string =>
    `data: ${JSON.stringify({ id: `reply_${id}`, object: 'chat.completion.chunk', created: 1, model: 'model', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write(chunk(tool ? { role: 'assistant', tool_calls: [tool] } : { role: 'assistant', content: text }, null));
  response.end(`${chunk({}, tool ? 'tool_calls' : 'stop')}data: [DONE]\n\n`);
}
