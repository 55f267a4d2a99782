import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join, resolve } from 'node:path';
import type { AgentDriver, AgentSession, AgentTurn } from './agent-suite.ts';
import type { Home } from './home.ts';
import { startScripted } from './scripted-model.ts';

const LIMIT_MS = 600_000;

interface Message {
  readonly role: string;
  readonly content?: string | null;
}

function programAt(variable: string): string {
  const path = process.env[variable];
  if (path === undefined || !existsSync(path)) throw new Error('no client: start this by `npm run e2e`');
  return resolve(path);
}

/** Nothing of the model, which the environment names. It has no end of its last line. */
const SETTINGS = `# mine
telemetry = false # no thanks

[[hooks]] # theirs
event = "Stop"
command = '''true # [[hooks]]'''

[thinking]
enabled = false`;

const call = (name: string, args: object): AgentTurn => ({ call: { name, args } });

export const KIMI: AgentDriver = {
  agent: 'kimi',
  files: ['.kimi-code/config.toml'],
  plant({ dir }) {
    mkdirSync(join(dir, '.kimi-code'), { recursive: true });
    writeFileSync(join(dir, '.kimi-code', 'config.toml'), SETTINGS);
  },
  shell: (command) => call('Bash', { command }),
  write: (path, content) => call('Write', { path, content }),
  search: (pattern) => call('Grep', { pattern }),
  endsSilently: true,
  more: ({ project }) => [
    call('Glob', { pattern: '*.ts', path: join(project, 'src') }),
    call('Read', { path: join(project, 'src', 'app.ts'), line_offset: 1, n_lines: 5 }),
    call('Read', { path: join(project, 'missing.ts') }),
    call('Edit', { path: join(project, 'src', 'app.ts'), old_string: '42', new_string: '43', replace_all: true }),
    call('Write', { path: join(project, 'notes.txt'), content: 'more\n', mode: 'append' }),
    call('Bash', { command: 'ls', cwd: join(project, 'src') }),
    call('Bash', { command: 'sleep 0.1', run_in_background: true, description: 'a task' }),
    call('TodoList', { todos: [{ title: 'one', status: 'pending' }] }),
    // What comes after the last call is lost.
    call('Bash', { command: 'sleep 1' }),
  ],
  run: runKimi,
};

/** One session of the real client in a home, with nothing of this process's environment. Advice comes with a second prompt. */
async function runKimi(home: Home, script: readonly AgentTurn[], isHeard = false): Promise<AgentSession> {
  const left = [...script];
  const requests: string[] = [];
  const model = await startScripted(async (_, body, response) => {
    requests.push(body);
    const next = left.shift() ?? { text: 'Nothing more to say.' };
    await next.first?.();
    answer(response, next, requests.length);
  });
  try {
    const first = await prompt(home, model.url, []);
    const { code, stderr } = isHeard && first.code === 0 ? await prompt(home, model.url, ['--continue']) : first;
    const { messages = [] } = JSON.parse(requests.at(-1) ?? '{}') as { messages?: readonly Message[] };
    const results = messages.filter(({ role }) => role === 'tool').map(({ content }) => content ?? '');
    const told = messages.filter(({ role }) => role !== 'system').map(({ content }) => content ?? '');
    return { code, requests, results, told: told.join('\n'), stderr };
  } finally {
    model.close();
  }
}

async function prompt(home: Home, url: string, options: readonly string[]) {
  const words = [programAt('FAIRLEAD_E2E_KIMI'), ...options, '-p', 'Go on.'];
  const child = spawn(programAt('FAIRLEAD_E2E_KIMI_NODE'), words, {
    cwd: home.project,
    env: {
      ...home.env,
      SHELL: '/bin/bash',
      TERM: 'dumb',
      KIMI_CODE_NO_AUTO_UPDATE: '1',
      KIMI_MODEL_NAME: 'scripted',
      KIMI_MODEL_PROVIDER_TYPE: 'openai',
      KIMI_MODEL_BASE_URL: `${url}/v1`,
      KIMI_MODEL_API_KEY: 'none',
      KIMI_MODEL_MAX_CONTEXT_SIZE: '100000',
      KIMI_MODEL_CAPABILITIES: 'tool_use',
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const limit = setTimeout(() => child.kill('SIGKILL'), LIMIT_MS);
  try {
    const code = await new Promise<number | null>((done, fail) => {
      child.on('error', fail);
      child.on('close', done);
    });
    return { code, stderr };
  } finally {
    clearTimeout(limit);
  }
}

function answer(response: ServerResponse, { call: made, text = '' }: AgentTurn, id: number): void {
  const calls = made && [
    {
      index: 0,
      id: `call_${id}`,
      type: 'function',
      function: { name: made.name, arguments: JSON.stringify(made.args) },
    },
  ];
  const chunk = (delta: object, finish: string | null) =>
    `data: ${JSON.stringify({ id: `reply_${id}`, object: 'chat.completion.chunk', created: 1, model: 'scripted', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write(chunk({ role: 'assistant', ...(calls ? { tool_calls: calls } : { content: text }) }, null));
  response.end(`${chunk({}, calls ? 'tool_calls' : 'stop')}data: [DONE]\n\n`);
}
