import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BOUNDS, bucketOf, emptyHistogram, percentile, samplesIn } from './histogram.ts';

function histogramOf(spans: readonly number[]): number[] {
  const histogram = emptyHistogram();
  for (const ms of spans) histogram[bucketOf(ms)] = (histogram[bucketOf(ms)] ?? 0) + 1;
  return histogram;
}

describe('buckets', () => {
  it.each([
    [0, 0],
    [0.25, 0],
    [0.26, 1],
    [1, 2],
    [14, 6],
    [15, 6],
    [15.1, 7],
    [250, 10],
    [251, 11],
  ])('%d ms lies in bucket %d', (ms, bucket) => {
    expect(bucketOf(ms)).toBe(bucket);
  });
});

describe('percentile', () => {
  it.each<[string, readonly number[], number, number | undefined]>([
    ['no span', [], 0.5, undefined],
    ['one span', [0.1], 0.5, 0.25],
    ['half of four in one bucket', [3, 3, 4, 4], 0.5, 3.5],
    ['the upper of two buckets', [0.1, 0.1, 0.1, 7], 0.95, 10],
    ['the lower of two buckets', [0.1, 0.1, 0.1, 7], 0.75, 0.25],
    ['beyond the last bound', [900], 0.99, 250],
  ])('%s', (_, spans, share, expected) => {
    expect(percentile(histogramOf(spans), share)).toBe(expected);
  });

  it('lies in the bucket of the true one', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 0, max: 400, noNaN: true }), { minLength: 1 }),
        fc.constantFrom(0.5, 0.95, 0.99),
        (spans, share) => {
          const sorted = spans.toSorted((a, b) => a - b);
          const exact = sorted[Math.max(1, Math.ceil(spans.length * share)) - 1] as number;
          const found = percentile(histogramOf(spans), share) as number;
          const bucket = bucketOf(exact);
          expect(found).toBeLessThanOrEqual(BOUNDS[bucket] ?? 250);
          expect(found).toBeGreaterThan(
            bucket === 0 ? 0 : bucket === BOUNDS.length ? 249 : (BOUNDS[bucket - 1] as number),
          );
          expect(samplesIn(histogramOf(spans))).toBe(spans.length);
        },
      ),
    );
  });
});
