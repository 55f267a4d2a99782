import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import type { AgentDriver, AgentTurn } from './agent-suite.ts';
import type { Home } from './home.ts';

/** One reply of the model: a call, or what it says. `first` runs before it. */
export interface Turn {
  readonly call?: {
    readonly name: string;
    readonly args?: object;
    readonly patch?: string;
    readonly namespace?: string;
  };
  readonly text?: string;
  readonly first?: () => unknown;
}

export const bash = (cmd: string): Turn => ({ call: { name: 'exec_command', args: { cmd } } });
export const patch = (...lines: readonly string[]): Turn => ({
  call: { name: 'apply_patch', patch: ['*** Begin Patch', ...lines, '*** End Patch', ''].join('\n') },
});
export const say = (text: string): Turn => ({ text });

export interface Session {
  readonly code: number | null;
  /** What the model was sent, request by request. */
  readonly requests: readonly string[];
  /** What it was told: the results of its calls in order, and the texts that hooks gave it. */
  readonly results: readonly string[];
  readonly told: readonly string[];
  readonly stderr: string;
}

interface Item {
  readonly type: string;
  readonly role?: string;
  readonly output?: string;
  readonly content?: readonly { readonly text?: string }[];
}

const LIMIT_MS = 600_000;

export function codexProgram(): string {
  const path = process.env['FAIRLEAD_E2E_CODEX'];
  if (path === undefined || !existsSync(path)) throw new Error('no client: start this by `npm run e2e`');
  return resolve(path);
}

/** The person's own settings of the client, with a comment that has to stay. */
export function plantSettings({ dir, project }: Home): string {
  const text = `# mine
model = "gpt-5.5"
model_provider = "scripted"
approval_policy = "never"
sandbox_mode = "danger-full-access"

[model_providers.scripted]
name = "scripted"
base_url = "http://127.0.0.1:1/v1" # the session says which
wire_api = "responses"
request_max_retries = 0
stream_max_retries = 0
supports_websockets = false

[projects.${JSON.stringify(project)}]
trust_level = "trusted"

[analytics]
enabled = false

[features]
daemon_auto_start = false
`;
  mkdirSync(join(dir, '.codex'), { recursive: true });
  writeFileSync(join(dir, '.codex', 'config.toml'), text);
  return text;
}

/** One session of the real client in a home, from its start to its end, with nothing of this process's environment. */
export async function runCodex(
  home: Home,
  script: readonly Turn[],
  sub: readonly Turn[] = [],
  more: readonly string[] = [],
): Promise<Session> {
  const requests: string[] = [];
  const model = await startModel([...script], [...sub], requests);
  const child = spawn(
    codexProgram(),
    ['exec', '--skip-git-repo-check', ...more, '-c', `model_providers.scripted.base_url=${model.url}/v1`, 'Go on.'],
    {
      cwd: home.project,
      env: { ...home.env, SHELL: '/bin/bash', TERM: 'dumb' },
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  );
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const limit = setTimeout(() => child.kill('SIGKILL'), LIMIT_MS);
  try {
    const code = await new Promise<number | null>((done, fail) => {
      child.on('error', fail);
      child.on('close', done);
    });
    const items = itemsIn(requests.findLast((body) => !body.includes(LANE)) ?? '{}');
    return {
      code,
      requests,
      results: items.flatMap(({ type, output }) => (type.endsWith('_call_output') ? [output ?? ''] : [])),
      told: items.flatMap(({ role, content = [] }) =>
        role === 'developer' ? content.map(({ text = '' }) => text) : [],
      ),
      stderr,
    };
  } finally {
    clearTimeout(limit);
    model.close();
  }
}

const LANE = '[lane:sub]';

/** Starts a sub-agent that plays the second script. */
export const spawnAgent: Turn = {
  call: { name: 'spawn_agent', namespace: 'multi_agent_v1', args: { message: `${LANE} look`, agent_type: 'default' } },
};

const itemsIn = (body: string): readonly Item[] => (JSON.parse(body) as { input?: readonly Item[] }).input ?? [];

/** Stands in for the model's service, on the loopback interface. */
async function startModel(main: Turn[], sub: Turn[], requests: string[]) {
  let given = 0;
  async function reply(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const raw = Buffer.concat(chunks).toString('utf8');
    if (request.method !== 'POST' || !(request.url ?? '').endsWith('/responses')) {
      response.writeHead(404).end('{}');
      return;
    }
    requests.push(raw);
    const isSub = itemsIn(raw).some(({ role, content }) => role === 'user' && JSON.stringify(content).includes(LANE));
    const next = (isSub ? sub : main).shift() ?? say('Nothing more to say.');
    await next.first?.();
    given += 1;
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const event of eventsOf(next, `${Date.now()}_${given}`))
      response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
    response.end();
  }
  const server = createServer((request, response) => {
    reply(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)));
  });
  await new Promise<void>((done) => {
    server.listen(0, '127.0.0.1', done);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

function eventsOf({ call, text = '' }: Turn, id: string): { readonly type: string }[] {
  const about = { id: `item_${id}`, status: 'completed' };
  const item = !call
    ? { ...about, type: 'message', role: 'assistant', content: [{ type: 'output_text', text, annotations: [] }] }
    : call.patch === undefined
      ? {
          ...about,
          type: 'function_call',
          call_id: `call_${id}`,
          name: call.name,
          arguments: JSON.stringify(call.args),
          ...(call.namespace !== undefined && { namespace: call.namespace }),
        }
      : { ...about, type: 'custom_tool_call', call_id: `call_${id}`, name: call.name, input: call.patch };
  const usage = { input_tokens: 10, output_tokens: 5, total_tokens: 15 };
  const response = { id: `resp_${id}`, object: 'response', status: 'completed', output: [item], usage };
  const events = [
    { type: 'response.created', response: { ...response, status: 'in_progress', output: [] } },
    { type: 'response.output_item.added', output_index: 0, item },
    { type: 'response.output_item.done', output_index: 0, item },
    { type: 'response.completed', response },
  ];
  return events;
}

const patched = (...lines: readonly string[]): AgentTurn => ({ call: { name: 'apply_patch', args: { lines } } });

/** Its model writes and edits by patches, and searches in the shell. */
export const CODEX: AgentDriver = {
  agent: 'codex',
  files: ['.codex/config.toml'],
  init: ['--trust'],
  plant: plantSettings,
  shell: (cmd) => ({ call: { name: 'exec_command', args: { cmd } } }),
  write: (path, content) =>
    patched(
      `*** Add File: ${path}`,
      ...content
        .trimEnd()
        .split('\n')
        .map((line) => `+${line}`),
    ),
  search: (pattern) => CODEX.shell(`grep -rn ${pattern} .`),
  more: () => [
    patched('*** Update File: src/app.ts', '@@', '-export const answer = 42;', '+export const answer = 43;'),
    patched('*** Delete File: notes.txt'),
  ],
  async run(home, script) {
    const turns = script.map(({ call, ...more }): Turn => {
      const { lines } = (call?.args ?? {}) as { readonly lines?: readonly string[] };
      return lines ? { ...more, ...patch(...lines) } : { ...more, ...(call && { call }) };
    });
    const { told, ...session } = await runCodex(home, turns);
    return { ...session, told: told.join('\n') };
  },
};
