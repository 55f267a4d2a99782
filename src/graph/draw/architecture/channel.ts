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
const MOST_ROUNDS = 6;

/** The track of each segment, counted from above; those that do not meet may share one. */
export function assignTracks(segments: readonly Segment[]): {
  readonly tracks: readonly number[];
  readonly count: number;
} {
  let order = segments
    .map((_, index) => index)
    .toSorted((a, b) => leftOf(segments[a] as Segment) - leftOf(segments[b] as Segment) || a - b);
  let tracks = pack(segments, order);
  let cost = costOf(segments, tracks);
  for (let round = 0, isBetter = true; isBetter && round < MOST_ROUNDS; round += 1) {
    isBetter = false;
    for (let from = 0; from < order.length; from += 1)
      for (let to = 0; to < order.length; to += 1) {
        if (from === to) continue;
        const moved = order.toSpliced(from, 1).toSpliced(to, 0, order[from] as number);
        const packed = pack(segments, moved);
        const now = costOf(segments, packed);
        if (now >= cost) continue;
        [order, tracks, cost, isBetter] = [moved, packed, now, true];
      }
  }
  return { tracks, count: Math.max(0, ...tracks.map((track) => track + 1)) };
}

function leftOf({ ends: [a, b] }: Segment): number {
  return Math.min(a.x, b.x);
}

function rightOf({ ends: [a, b] }: Segment): number {
  return Math.max(a.x, b.x);
}

/** Each as far up as it can be below those before it that it would meet. */
function pack(segments: readonly Segment[], order: readonly number[]): number[] {
  const tracks = new Array<number>(segments.length).fill(0);
  order.forEach((index, nth) => {
    const segment = segments[index] as Segment;
    for (const before of order.slice(0, nth)) {
      const other = segments[before] as Segment;
      const isApart = rightOf(other) + CLEARANCE < leftOf(segment) || rightOf(segment) + CLEARANCE < leftOf(other);
      if (!isApart) tracks[index] = Math.max(tracks[index] as number, (tracks[before] as number) + 1);
    }
  });
  return tracks;
}

/** Crossings, and a little for each track. */
function costOf(segments: readonly Segment[], tracks: readonly number[]): number {
  let cost = 0.5 * Math.max(0, ...tracks);
  segments.forEach((one, i) =>
    segments.forEach((other, j) => {
      if (i === j) return;
      const below = (tracks[i] as number) - (tracks[j] as number);
      for (const { x, goes } of other.ends) {
        const isPassed = goes === 'up' ? below < 0 : below > 0;
        if (isPassed && x > leftOf(one) && x < rightOf(one)) cost += 1;
        for (const end of one.ends)
          if (end.goes === 'down' && goes === 'up' && below <= 0 && Math.abs(end.x - x) < TOO_NEAR) cost += COVERED;
      }
    }),
  );
  return cost;
}
