import { expect, test } from 'vitest';
import { readLimits } from './limits.ts';

test('what the user set counts, seconds become milliseconds', () => {
  const limits = readLimits({
    jobs: { quiet_ms: 10, max_wait_ms: 20, burst_count: 3, burst_window_s: 4, max_parallel: 1 },
    breaker: { failures: 2, window_s: 7, recovery_s: 3, successes: 1 },
  });
  expect(limits.queue).toMatchObject({
    quietMs: 10,
    maxWaitMs: 20,
    burstCount: 3,
    burstWindowMs: 4_000,
    maxParallel: 1,
  });
  expect(limits.breaker).toEqual({ failures: 2, windowMs: 7_000, recoveryMs: 3_000, successes: 1 });
});

test.each<[string, unknown]>([
  ['nothing', undefined],
  ['a text', 'fast'],
  ['a list', [1, 2]],
  ['null', null],
  ['values of other types', { quiet_ms: '10', max_wait_ms: null, failures: true, max_parallel: [2] }],
  [
    'values that make no sense',
    { quiet_ms: -1, max_parallel: 0, failures: 0, recovery_s: 0, max_wait_ms: 1e12, successes: NaN },
  ],
])('%s means the defaults', (_, value) => {
  expect(readLimits({ jobs: value, breaker: value })).toEqual({
    queue: {
      quietMs: 150,
      maxWaitMs: 1_000,
      burstCount: 5,
      burstWindowMs: 10_000,
      burstQuietMs: 500,
      burstMaxWaitMs: 3_000,
      maxParallel: 2,
    },
    breaker: { failures: 5, windowMs: 60_000, recoveryMs: 30_000, successes: 3 },
  });
});
