import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeHome } from './home.ts';
import { bash, say, turn } from './model.ts';
import { openTerminal } from './terminal.ts';

/** Plays a short session in a terminal and writes the screen, colours included, to the file that is named. */
const [, , file = ''] = process.argv;
const home = makeHome();
await home.init('command');
mkdirSync(join(home.project, 'notes'));
writeFileSync(join(home.project, 'notes', 'plan.md'), 'only here\n');
const script = {
  main: [turn(bash('rm -rf /')), turn(bash('rm -rf notes')), say('The directory is gone, and kept.')],
};
const terminal = await openTerminal(home, {
  script,
  prompt: 'Tidy up.',
  args: ['--permission-mode', 'default', '--allowedTools', 'Bash(rm:*)'],
  rows: 34,
  columns: 118,
});
try {
  await terminal.shows(/gone, and kept/);
  const lines = execFileSync('tmux', ['-S', join(home.dir, 'tmux'), 'capture-pane', '-p', '-e'], { encoding: 'utf8' })
    .trimEnd()
    .split('\n');
  writeFileSync(file, lines.join('\n'));
} finally {
  await terminal.close();
  await home.remove();
}
