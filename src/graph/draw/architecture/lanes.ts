import type { Grid } from './grid.ts';
import type { Cell } from './place-cards.ts';

/** Which cards an edge leads from and to, by which of their sides, and through which spaces between rows. */
export interface Way {
  readonly from: Cell;
  readonly to: Cell;
  readonly sides: readonly ['top' | 'bottom', 'top' | 'bottom'];
  readonly gaps: readonly [number, number];
}

interface Lane {
  readonly gutter: number;
  readonly nth: number;
  readonly low: number;
  readonly high: number;
}

/** For each edge that passes a row the x of its way past it: the shortest that is free. There are as many lanes as edges. */
export function chooseLanes(ways: readonly Way[], columns: number, grid: Grid): readonly (number | undefined)[] {
  const chosen: (Lane | undefined)[] = [];
  for (const way of ways) chosen.push(way.gaps[0] === way.gaps[1] ? undefined : nextLane(way, chosen, columns, grid));
  return chosen.map((lane) => {
    if (lane === undefined) return undefined;
    const used = new Set(chosen.flatMap((other) => (other?.gutter === lane.gutter ? [other.nth] : [])));
    const sorted = [...used].toSorted((a, b) => a - b);
    return grid.lane(lane.gutter, sorted.indexOf(lane.nth), sorted.length);
  });
}

function nextLane(
  { from, to, gaps }: Way,
  taken: readonly (Lane | undefined)[],
  columns: number,
  grid: Grid,
): Lane | undefined {
  const [low, high] = [Math.min(...gaps), Math.max(...gaps)];
  let best: { lane: Lane; cost: number } | undefined;
  for (let gutter = 0; gutter <= columns; gutter += 1)
    for (let nth = 0; nth < grid.lanes; nth += 1) {
      const isTaken = taken.some(
        (other) => other?.gutter === gutter && other.nth === nth && other.low <= high && other.high >= low,
      );
      if (isTaken) continue;
      const x = grid.lane(gutter, nth, grid.lanes);
      const reach = (cell: Cell): number => Math.abs(grid.left(cell.column) + grid.cardWidth / 2 - x);
      const cost = reach(from) + reach(to) + 2 * Math.abs(nth - (grid.lanes - 1) / 2);
      if (best === undefined || cost < best.cost) best = { lane: { gutter, nth, low, high }, cost };
    }
  return best?.lane;
}
