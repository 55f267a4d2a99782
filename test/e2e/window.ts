import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { isAlive } from './home.ts';
import type { Home } from './home.ts';
import { until } from './until.ts';

const COLUMNS = 150;
const ROWS = 50;

/** A program in a terminal window, as a person has it in front of them. */
export interface Window {
  screen(): string;
  /** The screen once it shows this. */
  shows(what: RegExp): Promise<string>;
  /** Keys by their tmux names, or text. */
  press(...keys: readonly string[]): void;
  /** Types a text, and sends it off once the screen shows it. */
  enter(text: string): Promise<void>;
  /** Ends the program and waits for it: its last hooks may start an engine. */
  close(): Promise<void>;
}

export interface WindowOptions {
  /** What its environment holds. */
  readonly env: Readonly<Record<string, string>>;
  readonly columns?: number;
  readonly rows?: number;
}

export function openWindow(
  home: Home,
  words: readonly string[],
  { env, columns = COLUMNS, rows = ROWS }: WindowOptions,
): Window {
  const socket = join(home.dir, 'tmux');
  const tmux = (...args: readonly string[]) =>
    execFileSync('tmux', ['-S', socket, '-f', '/dev/null', ...args], { env, cwd: home.project, encoding: 'utf8' });
  tmux('new-session', '-d', '-x', String(columns), '-y', String(rows), ...words);
  const window: Window = {
    screen: () => tmux('capture-pane', '-p').replaceAll(/[ \n]+$/g, ''),
    async shows(what) {
      let seen = '';
      const found = await until(() => what.test((seen = window.screen())));
      if (!found) throw new Error(`the screen never showed ${what}:\n${seen}`);
      return seen;
    },
    press: (...keys) => void tmux('send-keys', ...keys),
    async enter(text) {
      window.press('-l', text);
      await window.shows(new RegExp(text.replaceAll(/\W/g, '\\$&')));
      window.press('Enter');
    },
    async close() {
      const client = Number(tmux('display-message', '-p', '#{pane_pid}'));
      tmux('kill-server');
      await until(() => !isAlive(client));
    },
  };
  return window;
}
