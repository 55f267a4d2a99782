import type { Edge, Row } from './edges.ts';

export interface Box {
  /** Indexes of its first and last row. */
  readonly first: number;
  readonly last: number;
  readonly top: Edge;
  readonly bottom: Edge;
}

/** Rows between the edges of one box, at most. */
const MAX_HEIGHT = 60;
/** Hand-made boxes are crooked: their edges need only lie over each other by this part of the wider one. */
const MIN_OVERLAP = 0.6;
export const SLACK = 2;

/** Inner boxes find their bottom before the ones around them, so the search starts at the end. */
export function closedBoxes(rows: readonly Row[]): readonly Box[] {
  const used = new Set<Edge>();
  const boxes: Box[] = [];
  for (let first = rows.length - 1; first >= 0; first -= 1) {
    for (const top of rows[first]?.tops ?? []) {
      const box = closeBox(rows, first, top, used);
      if (box === undefined) continue;
      used.add(box.bottom);
      boxes.push(box);
    }
  }
  return boxes.toReversed();
}

function closeBox(rows: readonly Row[], first: number, top: Edge, used: ReadonlySet<Edge>): Box | undefined {
  const middle = (top.left + top.right) / 2;
  for (let at = first + 1; at < rows.length && at <= first + MAX_HEIGHT; at += 1) {
    const row = rows[at];
    if (row === undefined) return undefined;
    // An edge over most of the top lies under its middle, and edges of one row do not overlap: there is one candidate.
    const bottom = edgeAt(row.bottoms, middle);
    if (bottom !== undefined && !used.has(bottom) && liesOver(top, bottom)) return { first, last: at, top, bottom };
    if (!hasBetween(row.uprights, top.left - SLACK, top.right + SLACK)) return undefined;
  }
  return undefined;
}

function liesOver(top: Edge, bottom: Edge): boolean {
  const overlap = Math.min(top.right, bottom.right) - Math.max(top.left, bottom.left) + 1;
  const wider = Math.max(top.right - top.left, bottom.right - bottom.left) + 1;
  return overlap >= wider * MIN_OVERLAP;
}

function edgeAt(edges: readonly Edge[], column: number): Edge | undefined {
  const edge = edges[firstFrom(edges, (each) => each.right >= column)];
  return edge !== undefined && edge.left <= column ? edge : undefined;
}

/** Whether one of these ascending columns lies between two others. */
function hasBetween(columns: readonly number[], from: number, to: number): boolean {
  const column = columns[firstFrom(columns, (each) => each >= from)];
  return column !== undefined && column <= to;
}

/** Index of the first item that passes a test which all items after it pass as well. */
export function firstFrom<Item>(items: readonly Item[], passes: (item: Item) => boolean): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (passes(items[middle] as Item)) high = middle;
    else low = middle + 1;
  }
  return low;
}
