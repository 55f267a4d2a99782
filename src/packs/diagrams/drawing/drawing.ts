import { redraw } from './ascii.ts';
import { readBlocks } from './blocks.ts';
import type { Block } from './blocks.ts';
import { closedBoxes } from './boxes.ts';
import { hasAsciiEdge, hasBoxCharacters, hasTopLeft, isBox } from './characters.ts';
import { readRow } from './edges.ts';
import { fingerprint } from './fingerprint.ts';
import { outlineOf } from './outline.ts';
import type { Outline } from './outline.ts';
import { hasConnector, withoutTables } from './tables.ts';

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
