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
  terminal.close();
  const left = await home.remove();
  if (left.length > 0) throw new Error(`left behind: ${left.join(', ')}`);
});

function prepare(): string {
  home = makeHome();
  home.init('command');
  const notes = join(home.project, 'notes');
  mkdirSync(notes);
  writeFileSync(join(notes, 'only-copy.md'), 'nobody has this elsewhere\n');
  return notes;
}

it.each(['default', 'auto'])('an ask is a dialog in mode %s, and the answer counts', async (mode) => {
  const notes = prepare();
  const script = { main: [turn(bash('rm -rf notes')), say('Done with it.')] };
  terminal = await openTerminal(home, { script, args: ['--permission-mode', mode] });
  const dialog = await terminal.shows(/Do you want to proceed/);
  expect(dialog).toMatch(/\[guard\/files\] `rm -rf notes` deletes 1 untracked file/);
  expect(dialog).not.toMatch(/allow-once/);
  terminal.press('Down');
  terminal.press('Enter');
  await terminal.shows(/[Nn]o|[Rr]ejected|[Ii]nterrupted/);
  expect(existsSync(notes)).toBe(true);
});

it('two denials of a turn each have a line for the person', async () => {
  prepare();
  const script = { main: [turn(bash('rm -rf /')), turn(bash('rm -rf ~')), say('Done with it.')] };
  terminal = await openTerminal(home, { script });
  const screen = await terminal.shows(/Done with it/);
  const lines = screen.match(/says: \[guard\/catastrophe\] `rm -rf .`[^\n]*/g);
  expect(lines).toHaveLength(2);
  expect(screen).toMatch(/fairlead explain \w{6}/);
});
