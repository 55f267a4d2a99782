import { UPRIGHT, armsOf, isArrow, isBox } from './characters.ts';
import { eachColumn } from '../../../text/columns.ts';
import { SLACK } from './boxes.ts';
import type { Box } from './boxes.ts';
import type { Row } from './edges.ts';

/** The boxes that are no tables. */
export function withoutTables(boxes: readonly Box[], rows: readonly Row[], lines: readonly string[]): readonly Box[] {
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
export function hasConnector({ first, last, top, bottom }: Box, lines: readonly string[]): boolean {
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
