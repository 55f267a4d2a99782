import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { clientProgram, isAlive } from './home.ts';
import type { Home } from './home.ts';
import { startModel } from './model.ts';
import type { ModelRequest, Script } from './model.ts';
import { until } from './until.ts';

const KEY = 'none-of-your-business';
const COLUMNS = 150;
const ROWS = 50;

/** The client in a terminal window, as a person has it in front of them. */
export interface Terminal {
  readonly requests: readonly ModelRequest[];
  screen(): string;
  /** The screen once it shows this. */
  shows(what: RegExp): Promise<string>;
  /** Keys by their tmux names, or text. */
  press(...keys: readonly string[]): void;
  /** Ends the client and waits for it: its last hooks may start an engine. */
  close(): Promise<void>;
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
  { script, args = [], env: more = {}, prompt = 'Go on.', columns = COLUMNS, rows = ROWS }: TerminalOptions,
): Promise<Terminal> {
  const model = await startModel(script);
  settleFirstStart(home);
  const socket = join(home.dir, 'tmux');
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
  const tmux = (...words: readonly string[]) =>
    execFileSync('tmux', ['-S', socket, '-f', '/dev/null', ...words], { env, cwd: home.project, encoding: 'utf8' });
  tmux('new-session', '-d', '-x', String(columns), '-y', String(rows), clientProgram(), ...args);
  const terminal: Terminal = {
    requests: model.requests,
    screen: () => tmux('capture-pane', '-p').replaceAll(/[ \n]+$/g, ''),
    async shows(what) {
      let seen = '';
      const found = await until(() => what.test((seen = terminal.screen())), 30_000);
      if (!found) throw new Error(`the screen never showed ${what}:\n${seen}`);
      return seen;
    },
    press: (...keys) => void tmux('send-keys', ...keys),
    async close() {
      try {
        const client = Number(tmux('display-message', '-p', '#{pane_pid}'));
        tmux('kill-server');
        await until(() => !isAlive(client));
      } finally {
        model.close();
      }
    },
  };
  await terminal.shows(/❯|>\s/);
  terminal.press('-l', prompt);
  await terminal.shows(new RegExp(prompt.replaceAll(/\W/g, '\\$&')));
  terminal.press('Enter');
  return terminal;
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
