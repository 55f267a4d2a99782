import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { clientProgram } from './home.ts';
import type { Home } from './home.ts';
import { startModel } from './model.ts';
import type { ModelRequest, Script } from './model.ts';
import { openWindow } from './window.ts';
import type { Window } from './window.ts';

const KEY = 'none-of-your-business';
/** The client in a window, with the model that it talks to. */
export interface Terminal extends Window {
  readonly requests: readonly ModelRequest[];
}

interface TerminalOptions {
  readonly script: Script;
  readonly args?: readonly string[];
  /** What its environment holds beside the home's. */
  readonly env?: Readonly<Record<string, string>>;
  readonly prompt?: string;
  readonly columns?: number;
  readonly rows?: number;
}

/** Starts the client in a terminal, past the questions of a first start, and gives it a prompt. */
export async function openTerminal(
  home: Home,
  { script, args = [], env: more = {}, prompt = 'Go on.', ...size }: TerminalOptions,
): Promise<Terminal> {
  const model = await startModel(script);
  settleFirstStart(home);
  const env = {
    ...home.env,
    TERM: 'xterm-256color',
    SHELL: '/bin/bash',
    ANTHROPIC_BASE_URL: model.url,
    ANTHROPIC_API_KEY: KEY,
    CLAUDE_CODE_TMPDIR: join(home.dir, 'tmp'),
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
    DISABLE_ERROR_REPORTING: '1',
    DISABLE_TELEMETRY: '1',
    ...more,
  };
  const window = openWindow(home, [clientProgram(), ...args], { env, ...size });
  await window.shows(/❯|>\s/);
  await window.enter(prompt);
  return {
    ...window,
    requests: model.requests,
    async close() {
      try {
        await window.close();
      } finally {
        model.close();
      }
    },
  };
}

/** What the client asks once in a lifetime: a theme, the key, whether the project may be trusted. */
function settleFirstStart({ dir, project }: Home): void {
  mkdirSync(join(dir, '.claude'), { recursive: true });
  writeFileSync(
    join(dir, '.claude.json'),
    JSON.stringify({
      hasCompletedOnboarding: true,
      theme: 'dark',
      customApiKeyResponses: { approved: [KEY.slice(-20)], rejected: [] },
      projects: { [project]: { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true } },
    }),
  );
}
