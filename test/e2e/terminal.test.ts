import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { makeHome } from './home.ts';
import type { Home } from './home.ts';
import { bash, say, turn } from './model.ts';
import { openTerminal } from './terminal.ts';
import type { Terminal } from './terminal.ts';

let home: Home;
let terminal: Terminal;
afterEach(async () => {
  await terminal.close();
  const left = await home.remove();
  if (left.length > 0) throw new Error(`left behind: ${left.join(', ')}`);
});

async function prepare(): Promise<string> {
  home = makeHome();
  await home.init('command');
  const notes = join(home.project, 'notes');
  mkdirSync(notes);
  writeFileSync(join(notes, 'only-copy.md'), 'nobody has this elsewhere\n');
  return notes;
}

/** In this mode the client warns its person once, and does not start as root outside of a sandbox. */
const IN_SANDBOX = { args: ['--settings', '{"skipDangerousModePermissionPrompt":true}'], env: { IS_SANDBOX: '1' } };

it.each([
  ['default', { args: [] }],
  ['acceptEdits', { args: [] }],
  ['plan', { args: [] }],
  ['auto', { args: [] }],
  ['bypassPermissions', IN_SANDBOX],
])('an ask is a dialog in mode %s, and the answer counts', async (mode, { args, ...more }) => {
  const notes = await prepare();
  home.config('rules:\n  guard/files: ask\n');
  const script = { main: [turn(bash('rm -rf notes')), say('Done with it.')] };
  terminal = await openTerminal(home, { script, args: ['--permission-mode', mode, ...args], ...more });
  const dialog = await terminal.shows(/Do you want to proceed/);
  expect(dialog).toMatch(/\[guard\/files\] `rm -rf notes` deletes /);
  expect(dialog).not.toMatch(/allow-once/);
  terminal.press('Down');
  terminal.press('Enter');
  await terminal.shows(/[Nn]o|[Rr]ejected|[Ii]nterrupted/);
  expect(existsSync(notes)).toBe(true);
});

it('two denials of a turn each have a line for the person, and its end sums them up', async () => {
  await prepare();
  home.config('rules:\n  basics/turn-line: on\n');
  const script = { main: [turn(bash('rm -rf /')), turn(bash('rm -rf ~')), say('Done with it.')] };
  terminal = await openTerminal(home, { script });
  const screen = await terminal.shows(/\[basics\/turn-line\] This turn: 2 calls stopped \(guard\/catastrophe\)/);
  const lines = screen.match(/says: \[guard\/catastrophe\] `rm -rf .`[^\n]*/g);
  expect(lines).toHaveLength(2);
  expect(screen).toMatch(/fairlead explain \w{6}/);
});
