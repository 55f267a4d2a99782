import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { AgentDriver, AgentSession, AgentTurn } from './agent-suite.ts';
import type { Home } from './home.ts';
import { answerChat, startScripted } from './scripted-model.ts';
import type { ScriptedModel } from './scripted-model.ts';
import { until } from './until.ts';
import { openWindow } from './window.ts';

const LIMIT_MS = 600_000;
/** In the prompt of a sub-agent: requests that hold it are the sub-agent's. */
const SUB = 'Do what you can.';

interface Message {
  readonly role: string;
  readonly content?: string | null;
}

function clientProgram(): string {
  const path = process.env['FAIRLEAD_E2E_COPILOT'];
  if (path === undefined || !existsSync(path)) throw new Error('no client: start this by `npm run e2e`');
  return resolve(path);
}

const SETTINGS = `{
  // mine
  "banner": "never" /* quiet */
}
`;
const HOOKS = '{ "version": 1, "hooks": { "agentStop": [{ "type": "command", "bash": "true" }] } }\n';

export const call = (name: string, args: object): AgentTurn => ({ call: { name, args } });
export const spawnAgent = call('task', {
  ...{ description: 'help', prompt: SUB, agent_type: 'general-purpose', name: 'help' },
});

export const COPILOT: AgentDriver = {
  agent: 'copilot',
  files: ['.copilot/settings.json', '.copilot/hooks/mine.json', '.copilot/hooks/fairlead.json'],
  plant({ dir }) {
    mkdirSync(join(dir, '.copilot', 'hooks'), { recursive: true });
    writeFileSync(join(dir, '.copilot', 'settings.json'), SETTINGS);
    writeFileSync(join(dir, '.copilot', 'hooks', 'mine.json'), HOOKS);
  },
  unasked: /^Denied by preToolUse hook \(unable to ask user for confirmation\): \[user\/ask-copy\]/,
  endsSilently: true,
  shell: (command) => call('bash', { command, description: 'run a command' }),
  write: (path, content) => call('create', { path, file_text: content }),
  search: (pattern) => call('grep', { pattern }),
  more: ({ project }) => [
    call('view', { path: join(project, 'src', 'app.ts'), view_range: [1, 1] }),
    call('view', { path: join(project, 'missing.ts') }),
    call('edit', { path: join(project, 'src', 'app.ts'), old_str: '42', new_str: '43' }),
    call('glob', { pattern: '*.ts', paths: join(project, 'src') }),
  ],
  run: (home, script) => runCopilot(home, script),
};

interface Options {
  /** What a sub-agent says. */
  readonly sub?: readonly AgentTurn[];
  readonly args?: readonly string[];
}

/** One session of the real client in a home, from its start to its end, with nothing of this process's environment. */
export async function runCopilot(
  home: Home,
  script: readonly AgentTurn[],
  { sub = [], args = [] }: Options = {},
): Promise<AgentSession> {
  const { model, requests } = await startChat(script, sub);
  const words = ['-p', 'Go on.', '--allow-all-tools', '--no-auto-update', ...args];
  const child = spawn(clientProgram(), words, {
    cwd: home.project,
    env: { ...environment(home, model), TERM: 'dumb' },
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
    const { messages = [] } = JSON.parse(requests.at(-1) ?? '{}') as { messages?: readonly Message[] };
    const results = messages.flatMap(({ role, content }) => (role === 'tool' ? [content ?? ''] : []));
    const told = messages.flatMap(({ role, content }) => (role === 'system' ? [] : [content ?? '']));
    return { code, requests, results, told: told.join('\n'), stderr };
  } finally {
    clearTimeout(limit);
    model.close();
  }
}

async function startChat(script: readonly AgentTurn[], sub: readonly AgentTurn[]) {
  const left = [...script];
  const leftToSub = [...sub];
  const requests: string[] = [];
  const model = await startScripted(async (_, body, response) => {
    const { messages = [], tools } = JSON.parse(body || '{}') as { messages?: readonly Message[]; tools?: object };
    const isSub = messages.some(({ role, content }) => role === 'user' && content?.includes(SUB));
    // Requests without tools are the client's own.
    const isMain = tools !== undefined && !isSub;
    if (isMain) requests.push(body);
    const next = (isSub ? leftToSub.shift() : isMain ? left.shift() : undefined) ?? { text: 'Nothing more to say.' };
    await next.first?.();
    answerChat(response, next, requests.length);
  });
  return { model, requests };
}

/** The client unpacks itself where it was installed, once for all homes. */
function environment(home: Home, { url }: ScriptedModel): Readonly<Record<string, string>> {
  const installed = dirname(dirname(dirname(dirname(clientProgram()))));
  return {
    ...home.env,
    SHELL: '/bin/bash',
    COPILOT_PKG_CACHE_HOME: join(installed, '.cache', 'copilot'),
    COPILOT_OFFLINE: 'true',
    COPILOT_AUTO_UPDATE: 'false',
    COPILOT_MODEL: 'gpt-4.1',
    COPILOT_PROVIDER_BASE_URL: `${url}/v1`,
    COPILOT_PROVIDER_API_KEY: 'none',
  };
}

/** The same in a terminal, with a person who trusts the project: they see what `seen` waits for and press a key. */
export async function askedInTerminal(
  home: Home,
  script: readonly AgentTurn[],
  { seen, key, args = [] }: { readonly seen: RegExp; readonly key: string; readonly args?: readonly string[] },
): Promise<{ readonly screen: string; readonly requests: readonly string[] }> {
  const { model, requests } = await startChat(script, []);
  writeFileSync(join(home.dir, '.copilot', 'config.json'), JSON.stringify({ trustedFolders: [home.project] }));
  const env = { ...environment(home, model), TERM: 'xterm-256color' };
  const window = openWindow(home, [clientProgram(), '--no-auto-update', ...args], { env });
  try {
    await window.shows(/\n❯/);
    await window.enter('Go on.');
    const screen = await window.shows(seen);
    window.press(key);
    if (!(await until(() => requests.length === script.length))) throw new Error(window.screen());
    return { screen, requests };
  } finally {
    await window.close();
    model.close();
  }
}
