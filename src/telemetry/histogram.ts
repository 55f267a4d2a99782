/** Upper bounds of the buckets in milliseconds; a last bucket takes what is longer. */
export const BOUNDS: readonly number[] = [0.25, 0.5, 1, 2, 5, 10, 15, 20, 50, 100, 250];

/** How many spans fell into each bucket. */
export type Histogram = readonly number[];

export function bucketOf(ms: number): number {
  const found = BOUNDS.findIndex((bound) => ms <= bound);
  return found < 0 ? BOUNDS.length : found;
}

export function emptyHistogram(): number[] {
  return Array.from({ length: BOUNDS.length + 1 }, () => 0);
}

export function samplesIn(histogram: Histogram): number {
  return histogram.reduce((sum, count) => sum + count, 0);
}

/**
 * The span that this share of all spans does not exceed, as if the spans of one bucket lay evenly in it; undefined
 * without spans. What is beyond the last bound counts as that bound.
 */
export function percentile(histogram: Histogram, share: number): number | undefined {
  const total = samplesIn(histogram);
  if (total === 0) return undefined;
  const rank = Math.max(1, Math.ceil(total * share));
  let below = 0;
  for (const [at, count] of histogram.entries()) {
    if (below + count >= rank) {
      const high = BOUNDS[at];
      if (high === undefined) break;
      const low = BOUNDS[at - 1] ?? 0;
      return low + ((high - low) * (rank - below)) / count;
    }
    below += count;
  }
  return BOUNDS.at(-1);
}
