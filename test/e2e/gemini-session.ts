import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join, resolve } from 'node:path';
import type { AgentDriver, AgentSession, AgentTurn } from './agent-suite.ts';
import type { Home } from './home.ts';
import { startScripted } from './scripted-model.ts';

const LIMIT_MS = 600_000;

interface Part {
  readonly text?: string;
  readonly functionResponse?: { readonly response: Readonly<Record<string, string>> };
}

function clientProgram(): string {
  const path = process.env['FAIRLEAD_E2E_GEMINI'];
  if (path === undefined || !existsSync(path)) throw new Error('no client: start this by `npm run e2e`');
  return resolve(path);
}

const SETTINGS = `{
  // mine
  "security": { "auth": { "selectedType": "gemini-api-key" } },
  "general": { "enableAutoUpdate": false }, /* offline */
  "privacy": { "usageStatisticsEnabled": false },
  "telemetry": { "enabled": false },
  "hooks": {
    "AfterAgent": [{ "hooks": [{ "type": "command", "command": "true" }] }] // theirs
  }
}
`;

const call = (name: string, args: object): AgentTurn => ({ call: { name, args } });

export const GEMINI: AgentDriver = {
  agent: 'gemini',
  files: ['.gemini/settings.json'],
  plant({ dir }) {
    mkdirSync(join(dir, '.gemini'), { recursive: true });
    writeFileSync(join(dir, '.gemini', 'settings.json'), SETTINGS);
  },
  shell: (command) => call('run_shell_command', { command, description: 'run a command' }),
  write: (path, content) => call('write_file', { file_path: path, content }),
  search: (pattern) => call('grep_search', { pattern }),
  more: ({ project }) => [
    call('grep_search', { pattern: 'answer', dir_path: join(project, 'src') }),
    call('glob', { pattern: '*.ts', dir_path: join(project, 'src') }),
    call('list_directory', { dir_path: project }),
    call('read_file', { file_path: join(project, 'src', 'app.ts') }),
    call('read_file', { file_path: join(project, 'missing.ts') }),
    call('replace', {
      file_path: join(project, 'src', 'app.ts'),
      instruction: 'another answer',
      old_string: '42',
      new_string: '43',
    }),
  ],
  run: runGemini,
};

/** One session of the real client in a home, from its start to its end, with nothing of this process's environment. */
async function runGemini(home: Home, script: readonly AgentTurn[]): Promise<AgentSession> {
  const left = [...script];
  const requests: string[] = [];
  const model = await startScripted(async (path, body, response) => {
    if (!/:(?:stream)?generateContent$/i.test(path)) return void response.writeHead(200).end('{"totalTokens":10}');
    // Requests without tools are the client's own.
    const isMain = (JSON.parse(body) as { tools?: readonly object[] }).tools !== undefined;
    if (isMain) requests.push(body);
    const next = (isMain ? left.shift() : undefined) ?? { text: 'Nothing more to say.' };
    await next.first?.();
    answer(response, next, requests.length, path);
  });
  const child = spawn(process.execPath, [clientProgram(), '-m', 'gemini-2.5-flash', '--yolo', '-p', 'Go on.'], {
    cwd: home.project,
    env: {
      ...home.env,
      SHELL: '/bin/bash',
      TERM: 'dumb',
      GEMINI_API_KEY: 'none',
      GOOGLE_GEMINI_BASE_URL: model.url,
      GEMINI_CLI_TRUST_WORKSPACE: 'true',
      GEMINI_CLI_NO_RELAUNCH: 'true',
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
    const { contents = [] } = JSON.parse(requests.at(-1) ?? '{}') as {
      contents?: readonly { parts: readonly Part[] }[];
    };
    const parts = contents.flatMap((content) => content.parts);
    const results = parts.flatMap(({ functionResponse: made }) =>
      made ? [Object.values(made.response).join('\n')] : [],
    );
    return {
      code,
      requests,
      results,
      told: [...parts.flatMap(({ text = [] }) => text), ...results].join('\n'),
      stderr,
    };
  } finally {
    clearTimeout(limit);
    model.close();
  }
}

function answer(response: ServerResponse, { call: made, text = '' }: AgentTurn, id: number, path: string): void {
  const part = made ? { functionCall: { id: `call_${id}`, name: made.name, args: made.args } } : { text };
  const reply = {
    candidates: [{ content: { role: 'model', parts: [part] }, finishReason: 'STOP', index: 0 }],
    usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 15 },
  };
  const isStream = /stream/i.test(path);
  response.writeHead(200, { 'content-type': isStream ? 'text/event-stream' : 'application/json' });
  response.end(isStream ? `data: ${JSON.stringify(reply)}\n\n` : JSON.stringify(reply));
}
