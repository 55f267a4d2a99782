/** The horizontal piece of a line in the space between two rows, and where the line goes on at both ends. */
export interface Segment {
  readonly ends: readonly [SegmentEnd, SegmentEnd];
}

export interface SegmentEnd {
  readonly x: number;
  readonly goes: 'up' | 'down';
}

const CLEARANCE = 14;
/** Two lines that lie on each other for a while read as one. */
const COVERED = 1_000;
const TOO_NEAR = 5;
const TRACK = 0.5;
const MOST_ROUNDS = 4;

/** The track of each segment, counted from above, so that few lines cross; those that do not meet may share one. */
export function assignTracks(segments: readonly Segment[]): {
  readonly tracks: readonly number[];
  readonly count: number;
} {
  const left = segments.map(({ ends: [a, b] }) => Math.min(a.x, b.x));
  const right = segments.map(({ ends: [a, b] }) => Math.max(a.x, b.x));
  const meet = segments.map((_, i) =>
    segments.map(
      (_other, j) =>
        (right[i] as number) + CLEARANCE >= (left[j] as number) &&
        (right[j] as number) + CLEARANCE >= (left[i] as number),
    ),
  );
  const above = segments.map((one, i) =>
    segments.map((other, j) => (i === j ? 0 : costAbove(one, other, left, right, i, j))),
  );
  let order = segments.map((_, index) => index).toSorted((a, b) => (left[a] as number) - (left[b] as number) || a - b);
  let tracks = pack(order, meet);
  let cost = costOf(tracks, above);
  for (let round = 0, isBetter = true; isBetter && round < MOST_ROUNDS; round += 1) {
    isBetter = false;
    for (let from = 0; from < order.length; from += 1)
      for (let to = 0; to < order.length; to += 1) {
        if (from === to) continue;
        const moved = order.toSpliced(from, 1).toSpliced(to, 0, order[from] as number);
        const packed = pack(moved, meet);
        const now = costOf(packed, above);
        if (now >= cost) continue;
        [order, tracks, cost, isBetter] = [moved, packed, now, true];
      }
  }
  return { tracks, count: Math.max(0, ...tracks.map((track) => track + 1)) };
}

/** Each as far up as it can be below those before it that it would meet. */
function pack(order: readonly number[], meet: readonly (readonly boolean[])[]): number[] {
  const tracks = order.map(() => 0);
  for (let nth = 0; nth < order.length; nth += 1) {
    const index = order[nth] as number;
    const met = meet[index] as readonly boolean[];
    let track = 0;
    for (let earlier = 0; earlier < nth; earlier += 1) {
      const before = order[earlier] as number;
      if (met[before] && (tracks[before] as number) >= track) track = (tracks[before] as number) + 1;
    }
    tracks[index] = track;
  }
  return tracks;
}

/** What it costs that one is above the other: crossings, and lines that lie on each other. */
function costAbove(
  one: Segment,
  other: Segment,
  left: readonly number[],
  right: readonly number[],
  i: number,
  j: number,
): number {
  let cost = 0;
  const crosses = (x: number, n: number): boolean => x > (left[n] as number) && x < (right[n] as number);
  for (const end of one.ends) if (end.goes === 'down' && crosses(end.x, j)) cost += 1;
  for (const end of other.ends) if (end.goes === 'up' && crosses(end.x, i)) cost += 1;
  for (const down of one.ends)
    for (const up of other.ends)
      if (down.goes === 'down' && up.goes === 'up' && Math.abs(down.x - up.x) < TOO_NEAR) cost += COVERED;
  return cost;
}

function costOf(tracks: readonly number[], above: readonly (readonly number[])[]): number {
  let [cost, most] = [0, 0];
  for (let i = 0; i < tracks.length; i += 1) {
    const own = tracks[i] as number;
    if (own > most) most = own;
    const costs = above[i] as readonly number[];
    for (let j = 0; j < tracks.length; j += 1) if (own < (tracks[j] as number)) cost += costs[j] as number;
  }
  return cost + TRACK * most;
}
