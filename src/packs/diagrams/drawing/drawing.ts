import { closedBoxes, SLACK } from './boxes.ts';
import type { Box } from './boxes.ts';
import {
  hasAsciiEdge,
  hasBoxCharacters,
  hasTopLeft,
  isBox,
  UPRIGHT,
  armsOf,
  isArrow,
  BOX,
  isBoxLine,
  ACROSS,
  DOWN,
  LEFT,
  RIGHT,
  UP,
} from './characters.ts';
import { readRow } from './edges.ts';
import type { Row } from './edges.ts';
import { fingerprint } from './fingerprint.ts';
import { outlineOf, eachProseLine, withoutQuotes } from './outline.ts';
import type { Outline } from './outline.ts';
import { eachColumn } from '../../../text/columns.ts';
import { normalise } from './normalise.ts';

const PLUS = 43;
const HYPHEN = 45;
const EQUALS = 61;
const BAR = 124;

/** The box character with these arms. */
const SHAPES: Readonly<Record<number, string>> = {
  [ACROSS]: '─',
  [UPRIGHT]: '│',
  [RIGHT | DOWN]: '┌',
  [LEFT | DOWN]: '┐',
  [RIGHT | UP]: '└',
  [LEFT | UP]: '┘',
  [UPRIGHT | RIGHT]: '├',
  [UPRIGHT | LEFT]: '┤',
  [ACROSS | DOWN]: '┬',
  [ACROSS | UP]: '┴',
  [ACROSS | UPRIGHT]: '┼',
};

/** Redraws `+ - |` with box characters, so that one set of rules is enough: what a `+` is depends on what it touches. */
function redraw(lines: readonly string[]): readonly string[] {
  const bars = lines.map(barColumns);
  return lines.map((line, index) => redrawLine(line, bars[index - 1] ?? NONE, bars[index + 1] ?? NONE));
}

const NONE: ReadonlySet<number> = new Set();

function barColumns(line: string): ReadonlySet<number> {
  const columns = new Set<number>();
  if (line.includes('|')) eachColumn(line, (point, column) => void (point === BAR && columns.add(column)));
  return columns;
}

function redrawLine(line: string, above: ReadonlySet<number>, below: ReadonlySet<number>): string {
  const points: number[] = [];
  const columns: number[] = [];
  eachColumn(line, (point, column) => {
    points.push(point);
    columns.push(column);
  });
  const drawn = points.map((point, at) => {
    const before = points[at - 1] ?? 0;
    const after = points[at + 1] ?? 0;
    const arms =
      point === BAR
        ? UPRIGHT
        : point === PLUS
          ? (isStroke(before) ? LEFT : 0) | (isStroke(after) ? RIGHT : 0) | uprightArms(columns[at] ?? 0, above, below)
          : isAcross(point) && (isStroke(before) || isStroke(after) || isHead(before) || isHead(after))
            ? ACROSS
            : 0;
    return SHAPES[arms] ?? String.fromCodePoint(point);
  });
  return drawn.join('');
}

const isAcross = (point: number): boolean => point === HYPHEN || point === EQUALS;
const isStroke = (point: number): boolean => isAcross(point) || point === PLUS;
const isHead = (point: number): boolean => point === 60 || point === 62;

/** The nearest bars count, so that crooked sides are found and lines that start beside a corner do not hide it. */
function uprightArms(column: number, above: ReadonlySet<number>, below: ReadonlySet<number>): number {
  for (const off of [0, 1, 2]) {
    const has = (bars: ReadonlySet<number>): boolean => bars.has(column - off) || bars.has(column + off);
    const arms = (has(above) ? UP : 0) | (has(below) ? DOWN : 0);
    if (arms !== 0) return arms;
  }
  return 0;
}

/** Lines that are looked at together for boxes. */
interface Block {
  readonly first: number;
  readonly last: number;
  readonly fence?: string;
  /** From the first line with a box character to the last, normalised. */
  readonly lines: readonly string[];
}

/** Lines without box characters that a block outside of fences may go on over. */
const MAX_GAP = 2;

/** Blocks with box characters, in their order. */
export function readBlocks(outline: Outline, ascii: boolean): readonly Block[] {
  const blocks = [...verbatimBlocks(outline, ascii), ...proseBlocks(outline, ascii)];
  return blocks.sort((one, other) => one.first - other.first);
}

function* verbatimBlocks({ verbatim }: Outline, ascii: boolean): Generator<Block> {
  for (const { first, last, label, lines } of verbatim) {
    const from = lines.findIndex((line) => isBoxLine(line, ascii));
    if (from < 0) continue;
    const to = lines.findLastIndex((line) => isBoxLine(line, ascii));
    const drawn = normalise(lines.slice(from, to + 1));
    yield { first, last, lines: drawn, ...(label !== undefined && { fence: label }) };
  }
}

function proseBlocks(outline: Outline, ascii: boolean): readonly Block[] {
  const spans: { first: number; last: number }[] = [];
  const drawn = ascii || outline.text.includes('\r') ? undefined : linesWithBox(outline);
  eachProseLine(outline, (line, at) => {
    if (drawn ? !drawn.has(at) : !isBoxLine(line, ascii)) return;
    const open = spans.at(-1);
    if (open !== undefined && at - open.last <= MAX_GAP + 1) open.last = at;
    else spans.push({ first: at, last: at });
  });
  return spans.map(({ first, last }) => ({
    first,
    last,
    lines: normalise(outline.lines.slice(first - 1, last).map(withoutQuotes)),
  }));
}

/** Numbers of the lines with a box character: a search of the whole text, which looks at no other line by itself. */
function linesWithBox({ text, lines }: Outline): ReadonlySet<number> {
  const found = new Set<number>();
  const box = new RegExp(BOX, 'g');
  let number = 1;
  let end = (text.startsWith('\ufeff') ? 1 : 0) + (lines[0] ?? '').length;
  while (box.test(text)) {
    while (end < box.lastIndex) {
      end += 1 + (lines[number] ?? '').length;
      number += 1;
    }
    found.add(number);
    box.lastIndex = end;
  }
  return found;
}

/** The boxes that are no tables. */
function withoutTables(boxes: readonly Box[], rows: readonly Row[], lines: readonly string[]): readonly Box[] {
  const [only] = boxes;
  if (only === undefined || boxes.length > 1) return boxes.filter((box) => !hasColumns(box));
  return hasColumns(only) || (hasFullRule(only, rows) && !hasConnector(only, lines)) ? [] : boxes;
}

/** A line runs from the top edge down to the bottom edge. */
function hasColumns({ top, bottom }: Box): boolean {
  let at = 0;
  for (const column of top.down) {
    while (at < bottom.up.length && (bottom.up[at] ?? 0) < column - 1) at += 1;
    const foot = bottom.up[at];
    if (foot !== undefined && foot <= column + 1) return true;
  }
  return false;
}

function hasFullRule({ first, last, top }: Box, rows: readonly Row[]): boolean {
  const isFull = ({ left, right }: { left: number; right: number }): boolean =>
    Math.abs(left - top.left) <= SLACK && Math.abs(right - top.right) <= SLACK;
  return rows.slice(first + 1, last).some((row) => row.rules.some(isFull));
}

/** Whether a line or an arrow stands outside of the box; its own crooked sides are none. */
function hasConnector({ first, last, top, bottom }: Box, lines: readonly string[]): boolean {
  const left = Math.min(top.left, bottom.left);
  const right = Math.max(top.right, bottom.right);
  return lines.some((line, index) => {
    let found = false;
    eachColumn(line, (point, column) => {
      if (found || (!isBox(point) && !isArrow(point))) return;
      const slack = (armsOf(point) & UPRIGHT) === 0 ? 0 : SLACK;
      found = index < first || index > last || column < left - slack || column > right + slack;
    });
    return found;
  });
}

export { hasBoxCharacters } from './characters.ts';
export { readOutline } from './outline.ts';

export interface DrawingOptions {
  /** Box characters that a block needs at least. */
  readonly threshold: number;
  /** Boxes of `+ - |` count as well. */
  readonly ascii: boolean;
  /** Labels of fences that quote what a program printed. */
  readonly quotedFences: readonly string[];
}

export interface Drawing {
  /** First and last line of the block, from 1; its fences are part of it. */
  readonly first: number;
  readonly last: number;
  /** Closed boxes that are no tables. */
  readonly boxes: number;
  /** From the first line with a box character to the last, as they are compared: see `normalise`. */
  readonly lines: readonly string[];
  readonly fingerprint: string;
  /** Label of the fence in lower case, '' where it has none; undefined outside of fences. */
  readonly fence?: string;
}

export const DEFAULTS: DrawingOptions = {
  threshold: 10,
  ascii: false,
  quotedFences: ['console', 'terminal', 'shell-session', 'output', 'log'],
};

/** The drawings of a Markdown text in their order; blocks that hold only trees or tables are none. */
export function findDrawings(text: string | Outline, options: DrawingOptions): readonly Drawing[] {
  if (!hasBoxCharacters(typeof text === 'string' ? text : text.text, options.ascii)) return [];
  const isQuoted = (fence: string) => options.quotedFences.some((label) => label.toLowerCase() === fence);
  const drawings: Drawing[] = [];
  for (const block of readBlocks(outlineOf(text), options.ascii)) {
    if (block.fence !== undefined && isQuoted(block.fence)) continue;
    const boxes = countBoxes(block.lines, options.threshold) || (options.ascii ? countAscii(block, options) : 0);
    if (boxes > 0) drawings.push({ ...block, boxes, fingerprint: fingerprint(block.lines.join('\n')) });
  }
  return drawings;
}

function countBoxes(lines: readonly string[], threshold: number): number {
  if (!lines.some(hasTopLeft) || !hasMany(lines, threshold)) return 0;
  const rows = lines.map(readRow);
  return withoutTables(closedBoxes(rows), rows, lines).length;
}

/** Grid tables and listings look much like ASCII boxes: one box alone, joined to nothing, is no drawing. */
function countAscii(block: Block, { threshold }: DrawingOptions): number {
  if (!block.lines.some(hasAsciiEdge)) return 0;
  const lines = redraw(block.lines);
  if (!hasMany(lines, threshold)) return 0;
  const rows = lines.map(readRow);
  const boxes = closedBoxes(rows);
  const plain = withoutTables(boxes, rows, lines);
  const [only] = boxes;
  const counts = plain.length > 1 || (boxes.length === 1 && only !== undefined && hasConnector(only, lines));
  return counts ? plain.length : 0;
}

function hasMany(lines: readonly string[], threshold: number): boolean {
  let left = threshold;
  for (const line of lines) {
    for (let at = 0; at < line.length && left > 0; at += 1) if (isBox(line.charCodeAt(at))) left -= 1;
  }
  return left <= 0;
}
