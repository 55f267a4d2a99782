import { columnsOf } from '../text/columns.ts';
import { wrapLine } from '../text/wrap.ts';
import type { CliWorld } from './command.ts';

export { counted } from '../text/counted.ts';

export interface Column {
  readonly title: string;
  readonly align?: 'right';
  /** May be cut, down to this width, when the terminal is narrow. In a pipe nothing is. */
  readonly shrinksTo?: number;
  /** Left out where the terminal is too narrow for all columns; the highest number goes first. */
  readonly leaves?: number;
}

export type Style = 'bold' | 'dim' | 'red' | 'yellow' | 'green' | 'cyan';

export interface Cell {
  readonly text: string;
  readonly style?: Style;
}

export type Cells = readonly (string | number | Cell)[];

const GAP = '  ';
const CODES: Readonly<Record<Style, number>> = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, cyan: 36 };

export function paint(world: Pick<CliWorld, 'colour'>, style: Style | undefined, text: string): string {
  return style === undefined || !world.colour || text === '' ? text : `\u001b[${CODES[style]}m${text}\u001b[0m`;
}

// oxlint-disable-next-line no-control-regex -- these are what is looked for
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/**
 * What an agent or a repository wrote, safe to show: a control character could otherwise move the cursor over what was
 * printed before.
 */
export function printable(text: string): string {
  return text.replaceAll(CONTROLS, (character) =>
    character === '\r' ? '' : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** On one line. */
export function printableLine(text: string): string {
  return printable(text.replaceAll(/\s*\n\s*/g, ' ⏎ ').replaceAll('\t', ' '));
}

export interface Table {
  readonly head: string;
  /** Titles of the columns that the terminal is too narrow for. */
  readonly left: readonly string[];
  /** Also for rows that came after the widths were chosen. */
  line(cells: Cells): string;
}

/** Chooses widths that hold all rows, or as much of them as the terminal is wide. */
export function layOut(
  world: Pick<CliWorld, 'colour' | 'columns'>,
  columns: readonly Column[],
  rows: readonly Cells[],
): Table {
  const shown = rows.map((cells) => cells.map(textOf));
  const widths = columns.map(({ title }, at) =>
    shown.reduce((width, cells) => Math.max(width, columnsOf(cells[at] ?? '')), columnsOf(title)),
  );
  const kept = keptColumns(columns, widths, world.columns);
  shrink(columns, kept, widths, world.columns);
  const line = (cells: Cells, style?: Style): string =>
    kept
      .map((at) => {
        const { align, shrinksTo } = columns[at] as Column;
        const cell = cells[at] ?? '';
        const width = widths[at] ?? 0;
        const isCut = shrinksTo !== undefined && world.columns < Infinity;
        const text = isCut ? cut(textOf(cell), width) : textOf(cell);
        const space = ' '.repeat(Math.max(0, width - columnsOf(text)));
        const painted = paint(world, typeof cell === 'object' ? cell.style : style, text);
        return align === 'right' ? space + painted : painted + space;
      })
      .join(GAP)
      .trimEnd();
  return {
    head: line(
      columns.map(({ title }) => title),
      'dim',
    ),
    left: columns.filter((_, at) => !kept.includes(at)).map(({ title }) => title),
    line,
  };
}

/** Their positions: all that fit when every one is as narrow as it may be. */
function keptColumns(columns: readonly Column[], widths: readonly number[], room: number): readonly number[] {
  const least = (at: number) => Math.min(widths[at] ?? 0, columns[at]?.shrinksTo ?? Infinity);
  let kept = columns.map((_, at) => at);
  while (kept.reduce((sum, at) => sum + least(at) + GAP.length, -GAP.length) > room) {
    const first = Math.max(...kept.map((at) => columns[at]?.leaves ?? 0));
    if (first === 0) break;
    kept = kept.filter((at) => columns[at]?.leaves !== first);
  }
  return kept;
}

/** Takes from the widest that may shrink, until all fit. */
function shrink(columns: readonly Column[], kept: readonly number[], widths: number[], room: number): void {
  let over = kept.reduce((sum, at) => sum + (widths[at] ?? 0) + GAP.length, -GAP.length) - room;
  for (; over > 0; over -= 1) {
    const widest = kept.reduce((best, at) => {
      const slack = (widths[at] ?? 0) - (columns[at]?.shrinksTo ?? Infinity);
      return slack > 0 && (best < 0 || (widths[at] ?? 0) > (widths[best] ?? 0)) ? at : best;
    }, -1);
    if (widest < 0) return;
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
}

export function printTable(world: CliWorld, columns: readonly Column[], rows: readonly Cells[]): void {
  const { head, left, line } = layOut(world, columns, rows);
  const missing = left.length === 0 ? [] : [paint(world, 'dim', `Left out for want of room: ${left.join(', ')}.`)];
  world.out([head, ...rows.map((cells) => line(cells)), ...missing].map((each) => `${each}\n`).join(''));
}

export function cut(text: string, width: number): string {
  if (columnsOf(text) <= width) return text;
  let head = '';
  for (const character of text) {
    if (columnsOf(head + character) >= width) break;
    head += character;
  }
  return `${head}…`;
}

/** Prose is not written wider than this where there is no terminal. */
const PIPE_WIDTH = 100;

/** Breaks at blanks so that each line, with its indent, fits the terminal. */
export function wrap(text: string, width: number, indent = ''): string {
  const room = Math.max(20, (width < Infinity ? width : PIPE_WIDTH) - indent.length);
  return printable(text)
    .split('\n')
    .flatMap((paragraph) => wrapLine(paragraph, room))
    .map((line) => (line === '' ? '' : indent + line))
    .join('\n');
}

/** Short enough for a column: 3 digits or so. */
export function formatCount(count: number): string {
  if (count < 10_000) return String(count);
  return count < 1_000_000 ? `${Math.round(count / 1_000)}k` : `${(count / 1_000_000).toFixed(1)}M`;
}

export function formatBytes(bytes: number): string {
  if (bytes < 1_024) return `${bytes} B`;
  return bytes < 1_048_576 ? `${(bytes / 1_024).toFixed(1)} KiB` : `${(bytes / 1_048_576).toFixed(1)} MiB`;
}

export function formatSpan(ms: number): string {
  const seconds = Math.round(ms / 1_000);
  if (seconds < 120) return `${seconds} s`;
  if (seconds < 7_200) return `${Math.round(seconds / 60)} min`;
  return seconds < 172_800 ? `${Math.round(seconds / 3_600)} h` : `${Math.round(seconds / 86_400)} d`;
}

/** Local date and time, to the second. */
export function formatTime(at: number): string {
  const date = new Date(at);
  const two = (part: number) => String(part).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
}

/** As short as it can be without doubt: the time of today, the day and time of others. */
export function formatMoment(at: number, now: number): string {
  const [day = '', time = ''] = formatTime(at).split(' ');
  return formatTime(now).startsWith(day) ? time : `${day.slice(5)} ${time}`;
}

function textOf(cell: string | number | Cell): string {
  return printableLine(String(typeof cell === 'object' ? cell.text : cell));
}
