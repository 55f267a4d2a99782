import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { arch, cpus } from 'node:os';
import { join } from 'node:path';
import { drawBars } from './draw-bars.ts';
import type { Bar } from './draw-bars.ts';

/** What one run of the bench has found, as it is published. */
export interface Published {
  readonly rounds: number;
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly bars: readonly Bar[];
}

const BEGIN = '<!-- Written by npm run bench:hook. -->';
const END = '<!-- The end of what it writes. -->';

/** Writes all figures of a hook call that the documents give, so that they come from one run. */
export function publish(root: string, { rounds, head, rows, bars }: Published): readonly string[] {
  const docs = join(root, 'docs');
  const run = measuredOn(root);
  const note = `p50 as bars, p95 as whiskers, logarithmic; ${rounds} rounds in random order; ${run}`;
  writeFileSync(join(docs, 'bench-hook.svg'), drawBars('What one hook call costs', note, bars));
  writeFileSync(join(docs, 'bench-hook.md'), page(rounds, run, table(head, rows)));
  // The rest of the columns and the rows of other parents stand on the page.
  const short = rows.filter(([name = '']) => !name.endsWith('from C')).map(([name = '', p50 = '']) => [name, p50]);
  const readme = join(root, 'README.md');
  writeFileSync(
    readme,
    withBlock(readFileSync(readme, 'utf8'), `${table(head.slice(0, 2), short)}\n\nMeasured ${run}.`),
  );
  return ['docs/bench-hook.svg', 'docs/bench-hook.md', 'README.md'];
}

/** When, what and where. */
export function measuredOn(root: string): string {
  const machine = `${cpus().length} cores, ${arch()}, Node ${process.versions.node}`;
  return `${new Date().toISOString().slice(0, 10)}, commit ${commitOf(root)}, ${machine}`;
}

/** What was measured; its name alone where nothing else was changed. */
function commitOf(root: string): string {
  const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
  const isChanged = git('status', '--porcelain', '--', 'src', 'native', 'bench') !== '';
  return `${git('rev-parse', '--short=8', 'HEAD')}${isChanged ? ' with changes' : ''}`;
}

export function table([first = '', ...others]: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line([first, ...others]), `|---|${'--:|'.repeat(others.length)}`, ...rows.map(line)].join('\n');
}

function withBlock(text: string, block: string): string {
  const [begin, end] = [text.indexOf(BEGIN), text.indexOf(END)];
  if (begin === -1 || end < begin) throw new Error('README.md has no place for the figures');
  return `${text.slice(0, begin)}${BEGIN}\n${block}\n${text.slice(end)}`;
}

function page(rounds: number, run: string, figures: string): string {
  return `${BEGIN}
# What one hook call costs

\`npm run bench:hook\` measures it, with a recorded event before a shell command and all of \`examples/rules\` active: from the
start of a process to its exit and the end of its output, or from a request to the end of its response. All take turns in
random order, ${rounds} rounds. Processes are started by a Node program, as agents do, and its work is part of the time; the rows
"from C" show the same start by the cheapest program there is.

Measured ${run}.

![Bars of the times below](bench-hook.svg)

${figures}
`;
}
