import type { DistrictEdge } from './architecture-model.ts';
import { assignTracks } from './channel.ts';
import type { Segment, SegmentEnd } from './channel.ts';
import type { Grid } from './grid.ts';
import type { Cell, Placement } from './place-cards.ts';
import { endsOf, spreadPorts } from './ports.ts';
import type { Port } from './ports.ts';

/** Which cards an edge leads from and to, by which of their sides, and through which spaces between rows. */
interface Way {
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
function chooseLanes(ways: readonly Way[], columns: number, grid: Grid): readonly (number | undefined)[] {
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

/** How an edge runs: out of a card, along a track between two rows, perhaps along a lane past cards and another track, in. */
export interface Route {
  readonly edge: DistrictEdge;
  readonly source: Port;
  readonly target: Port;
  /** Spaces between rows that it runs through: number n is below row n. */
  readonly gaps: readonly [first: number, last: number];
  readonly lane: number | undefined;
  /** In the first and the last space; undefined where it goes straight. */
  readonly tracks: readonly [first: number | undefined, last: number | undefined];
}

export interface Routes {
  readonly routes: readonly Route[];
  /** How many tracks each space has. */
  readonly tracks: readonly number[];
}

export function routeEdges(edges: readonly DistrictEdge[], { cellOf, rows, columns }: Placement, grid: Grid): Routes {
  const ways = edges.map(({ from, to }) => wayOf(cellOf(from), cellOf(to)));
  const lanes = chooseLanes(ways, columns, grid);
  const middle = ({ column }: Cell): number => grid.left(column) + grid.cardWidth / 2;
  const ports: Port[] = ways.flatMap(({ from, to, sides }, edge) => [
    { edge, isTarget: false, cell: from, side: sides[0], aim: lanes[edge] ?? middle(to), x: 0, label: '' },
    { edge, isTarget: true, cell: to, side: sides[1], aim: lanes[edge] ?? middle(from), x: 0, label: '' },
  ]);
  spreadPorts(ports, edges, grid);

  const tracks = Array.from({ length: rows.length }, () => 0);
  const chosen = edges.map((): [number | undefined, number | undefined] => [undefined, undefined]);
  for (let gap = 0; gap < rows.length; gap += 1) {
    const segments: { segment: Segment; set: (track: number) => void }[] = [];
    ways.forEach(({ gaps }, edge) => {
      const [source, target] = endsOf(ports, edge);
      const own = chosen[edge] as [number | undefined, number | undefined];
      const lane = lanes[edge];
      if (lane === undefined) {
        if (gaps[0] === gap && Math.abs(source.x - target.x) >= 0.5)
          segments.push({
            segment: { ends: [endAt(source), endAt(target)] },
            set: (track) => own.fill(track),
          });
        return;
      }
      const down = gaps[0] < gaps[1];
      if (gaps[0] === gap)
        segments.push({
          segment: { ends: [endAt(source), { x: lane, goes: down ? 'down' : 'up' }] },
          set: (track) => (own[0] = track),
        });
      if (gaps[1] === gap)
        segments.push({
          segment: { ends: [{ x: lane, goes: down ? 'up' : 'down' }, endAt(target)] },
          set: (track) => (own[1] = track),
        });
    });
    const assigned = assignTracks(segments.map(({ segment }) => segment));
    segments.forEach(({ set }, index) => set(assigned.tracks[index] as number));
    tracks[gap] = assigned.count;
  }
  const routes = edges.map((edge, index) => {
    const [source, target] = endsOf(ports, index);
    const { gaps } = ways[index] as Way;
    return { edge, source, target, gaps, lane: lanes[index], tracks: chosen[index] ?? [undefined, undefined] };
  });
  return { routes, tracks };
}

function endAt({ x, side }: Port): SegmentEnd {
  return { x, goes: side === 'bottom' ? 'up' : 'down' };
}

/** Within a row it runs below. */
function wayOf(from: Cell, to: Cell): Way {
  if (from.row === to.row) return { from, to, sides: ['bottom', 'bottom'], gaps: [from.row, from.row] };
  if (from.row < to.row) return { from, to, sides: ['bottom', 'top'], gaps: [from.row, to.row - 1] };
  return { from, to, sides: ['top', 'bottom'], gaps: [from.row - 1, to.row] };
}
