import { redraw } from './ascii.ts';
import { readBlocks } from './blocks.ts';
import type { Block } from './blocks.ts';
import { closedBoxes, SLACK } from './boxes.ts';
import { hasAsciiEdge, hasBoxCharacters, hasTopLeft, isBox, UPRIGHT, armsOf, isArrow } from './characters.ts';
import { readRow } from './edges.ts';
import { fingerprint } from './fingerprint.ts';
import { outlineOf } from './outline.ts';
import type { Outline } from './outline.ts';
import { eachColumn } from '../../../text/columns.ts';
import type { Box } from './boxes.ts';
import type { Row } from './edges.ts';

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
