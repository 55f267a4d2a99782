// The pages that tell what was measured: docs/bars.md, the table of the README, and the picture beside it.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { drawBars } from '../hook/draw-bars.ts';
import type { Bar as DrawnBar } from '../hook/draw-bars.ts';
import { BENCHES, benchNamed, isMet } from './bars.ts';
import type { Bar } from './bars.ts';
import { MOST_OTHERS } from './results.ts';
import type { Result, Results } from './results.ts';

const BEGIN = '<!-- Written by npm run bars. -->';
const END = '<!-- The end of what it writes. -->';
const UNMEASURED = 'not measured';

/** A bar with what was last measured of it. */
export interface Row {
  readonly name: string;
  readonly what: string;
  readonly unit: string;
  readonly is?: Bar['is'];
  readonly limit?: number;
  readonly measured: number | null;
  readonly verdict: 'met' | 'missed' | 'no bar' | typeof UNMEASURED;
  readonly day?: string;
  readonly commit?: string;
  readonly machine?: string;
  readonly quiet?: boolean | null;
}

export function rowsOf(results: Results): Row[] {
  return BENCHES.flatMap(({ name, bars }) => bars.map((bar) => rowOf(name, bar, results.get(name))));
}

function rowOf(bench: string, bar: Bar, result: Result | undefined): Row {
  const measured = result?.figures[bar.name] ?? null;
  const { what, unit, is, limit } = bar;
  const row = { name: `${bench}/${bar.name}`, what, unit, ...(limit === undefined ? {} : { is, limit }), measured };
  if (!result || measured === null) return { ...row, verdict: UNMEASURED };
  const { day, commit, machine, others } = result;
  const verdict = limit === undefined ? 'no bar' : isMet(bar, measured) ? 'met' : 'missed';
  return { ...row, verdict, day, commit, machine, quiet: others === null ? null : others <= MOST_OTHERS };
}

export function spell(value: number, unit: string): string {
  const text = value >= 100 || Number.isInteger(value) ? Math.round(value).toLocaleString('en-US') : value.toFixed(2);
  return unit === '' ? text : `${text} ${unit}`;
}

const limitIn = ({ is, limit, unit }: Row) => (limit === undefined ? '' : `${is} ${spell(limit, unit)}`);
const measuredIn = ({ measured, unit }: Row) => (measured === null ? UNMEASURED : spell(measured, unit));

export function cellsOf(row: Row): string[] {
  const { name, verdict, day = '', commit = '', machine = '', quiet } = row;
  const told = verdict === UNMEASURED || verdict === 'no bar' ? '' : verdict;
  const calm = quiet === undefined ? '' : quiet === null ? 'unknown' : quiet ? 'quiet' : 'not quiet';
  return [`\`${name}\``, row.what, measuredIn(row), limitIn(row), told, commit, day, machine, calm];
}

export const HEAD = ['bar', 'what', 'measured', 'wanted', '', 'commit', 'day', 'machine', ''] as const;

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), `|${head.map(() => '---').join('|')}|`, ...rows.map(line)].join('\n');
}

export function barsPage(results: Results): string {
  return `${BEGIN}
# Bars

What Fairlead promises in figures, and what was last measured. \`npm run bars\` measures and writes this page, \`npm run bars -- NAME\` some of it; other rows keep what they had.
A run is quiet while others take at most ${MOST_OTHERS * 100} % of one processor. [speed.md](speed.md) says how it is measured.

${table(HEAD, rowsOf(results).map(cellsOf))}
`;
}

const README_BARS = ['true-p50', 'allow-p50', 'deny-p50', 'echo-p50', 'http-allow-p50', 'http-deny-p50', 'node-p50'];

/** The table of the README. */
export function readmeWith(text: string, results: Results): string {
  const result = results.get('hook');
  const bars = benchNamed('hook').bars.filter(({ name }) => README_BARS.includes(name));
  const rows = bars.map((bar) => rowOf('hook', bar, result)).map((row) => [row.what, measuredIn(row)]);
  const told = result ? `\n\nMeasured ${runOf(result)}.` : '';
  const [begin, end] = [text.indexOf(BEGIN), text.indexOf(END)];
  if (begin === -1 || end < begin) throw new Error('README.md has no place for the figures');
  return `${text.slice(0, begin)}${BEGIN}\n${table(['', 'p50'], rows)}${told}\n${text.slice(end)}`;
}

function runOf({ day, commit, machine, others }: Result): string {
  const calm = others === null || others <= MOST_OTHERS ? '' : ', not quiet';
  return `${day}, commit ${commit}, ${machine}${calm}`;
}

const FLOORS: readonly string[] = ['true', 'echo'];
const OURS: readonly string[] = ['allow', 'deny', 'http-allow', 'http-deny'];

function kindOf(contender: string): DrawnBar['kind'] {
  return FLOORS.includes(contender) ? 'floor' : OURS.includes(contender) ? 'ours' : 'other';
}

/** One hook call beside others; undefined as long as it was not measured. */
export function pictureOf(results: Results): string | undefined {
  const result = results.get('hook');
  if (!result) return undefined;
  const bars = benchNamed('hook').bars.flatMap(({ name, what }) => {
    const of = name.replace(/-p50$/, '');
    const { [name]: p50, [`${of}-p95`]: p95 } = result.figures;
    if (of === name || typeof p50 !== 'number' || typeof p95 !== 'number') return [];
    return [{ name: what.replaceAll('`', ''), kind: kindOf(of), p50, p95 }];
  });
  const note = `p50 as bars, p95 as whiskers, logarithmic; in turns and in random order; ${runOf(result)}`;
  return drawBars('What one hook call costs', note, bars);
}

export function writePages(root: string, results: Results): void {
  const readme = join(root, 'README.md');
  writeFileSync(readme, readmeWith(readFileSync(readme, 'utf8'), results));
  writeFileSync(join(root, 'docs', 'bars.md'), barsPage(results));
  const picture = pictureOf(results);
  if (picture !== undefined) writeFileSync(join(root, 'docs', 'bench-hook.svg'), picture);
}
