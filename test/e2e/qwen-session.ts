import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { AgentDriver, AgentSession, AgentTurn } from './agent-suite.ts';
import { answerChat, readChat } from './chat-completions.ts';
import type { Home } from './home.ts';
import { startScripted } from './scripted-model.ts';

const LIMIT_MS = 600_000;

function programAt(variable: string): string {
  const path = process.env[variable];
  if (path === undefined || !existsSync(path)) throw new Error('no client: start this by `npm run e2e`');
  return resolve(path);
}

/** The words that start the client. */
export function qwenWords(...args: readonly string[]): readonly string[] {
  return [programAt('FAIRLEAD_E2E_QWEN_NODE'), programAt('FAIRLEAD_E2E_QWEN'), ...args];
}

/** Settings of a machine, below the home; their hooks come after ours. */
export const MACHINE_SETTINGS = 'machine.json';

/** What the client needs beside the home, with a model at this address. */
export function qwenEnv(home: Home, url: string): Readonly<Record<string, string>> {
  return {
    ...home.env,
    SHELL: '/bin/bash',
    TERM: 'dumb',
    OPENAI_API_KEY: 'none',
    OPENAI_BASE_URL: `${url}/v1`,
    OPENAI_MODEL: 'scripted',
    QWEN_CODE_NO_RELAUNCH: 'true',
    QWEN_CODE_SUPPRESS_YOLO_WARNING: '1',
    QWEN_CODE_SYSTEM_SETTINGS_PATH: join(home.dir, MACHINE_SETTINGS),
  };
}

const SETTINGS = `{
  // mine
  "security": { "auth": { "selectedType": "openai" } },
  "general": { "enableAutoUpdate": false }, /* offline */
  "privacy": { "usageStatisticsEnabled": false },
  "telemetry": { "enabled": false },
  "hooks": {
    "Stop": [{ "hooks": [{ "type": "command", "command": "true" }] }] // theirs
  },
  "$version": 4
}
`;

const call = (name: string, args: object): AgentTurn => ({ call: { name, args } });

export const QWEN: AgentDriver = {
  agent: 'qwen',
  files: ['.qwen/settings.json'],
  plant({ dir }) {
    mkdirSync(join(dir, '.qwen'), { recursive: true });
    writeFileSync(join(dir, '.qwen', 'settings.json'), SETTINGS);
  },
  // The reason alone: whether somebody can be asked is not told.
  unasked: /^\[user\/ask-copy\] A copy needs a person/,
  shell: (command) => call('run_shell_command', { command, is_background: false }),
  write: (path, content) => call('write_file', { file_path: path, content }),
  search: (pattern) => call('grep_search', { pattern }),
  run: runQwen,
};

/** A model that says what is written; `requests` holds what it was sent, without the client's own requests, which have no tools. */
export async function startQwenModel(script: readonly AgentTurn[], requests: string[]) {
  const left = [...script];
  return startScripted(async (_, body, response) => {
    const isMain = ((JSON.parse(body || '{}') as { tools?: readonly object[] }).tools ?? []).length > 0;
    if (isMain) requests.push(body);
    const next = (isMain ? left.shift() : undefined) ?? { text: 'Nothing more to say.' };
    await next.first?.();
    answerChat(response, next, requests.length);
  });
}

/** One session of the real client in a home, from its start to its end, with nothing of this process's environment. */
async function runQwen(home: Home, script: readonly AgentTurn[]): Promise<AgentSession> {
  const requests: string[] = [];
  const model = await startQwenModel(script, requests);
  const [program = '', ...args] = qwenWords('--yolo', '-p', 'Go on.');
  const child = spawn(program, args, {
    cwd: home.project,
    env: qwenEnv(home, model.url),
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
    return { code, requests, ...readChat(requests.at(-1)), stderr };
  } finally {
    clearTimeout(limit);
    model.close();
  }
}
