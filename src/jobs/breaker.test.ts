import { expect, test } from 'vitest';
import { afterFailure, afterSuccess, readBreaker, recoversAt } from './breaker.ts';
import type { JobBreaker } from './breaker.ts';
import { readLimits } from './limits.ts';

const { breaker: LIMITS } = readLimits({});

/** Each step is `+` or `-` and the second it happens at. */
function play(steps: string): { breaker: JobBreaker | undefined; now: number } {
  let breaker: JobBreaker | undefined;
  let now = 0;
  for (const step of steps.split(' ').filter(Boolean)) {
    now = Number(step.slice(1)) * 1_000;
    breaker = step.startsWith('+') ? afterSuccess(breaker, now, LIMITS) : afterFailure(breaker, 'why', now, LIMITS);
    // As it comes back from the store.
    breaker = breaker && readBreaker(JSON.stringify(breaker));
  }
  return { breaker, now };
}

test.each<[string, string, JobBreaker['state'] | undefined, number]>([
  ['no failure, nothing to remember', '+0 +1', undefined, 0],
  ['four failures do not open it', '-0 -1 -2 -3', 'closed', 0],
  ['five within a minute do', '-0 -10 -20 -30 -59', 'open', 30],
  ['not over more than a minute', '-0 -10 -20 -30 -60', 'closed', 0],
  ['successes in between do not excuse failures', '-0 -1 +2 -3 -4 +5 -6', 'open', 30],
  ['a success on trial leaves it half open', '-0 -1 -2 -3 -4 +34', 'half-open', 0],
  ['so do two', '-0 -1 -2 -3 -4 +34 +35', 'half-open', 0],
  ['three close it', '-0 -1 -2 -3 -4 +34 +35 +36', undefined, 0],
  ['one failure on trial opens it again', '-0 -1 -2 -3 -4 -34', 'open', 30],
  ['also after successes, which then count anew', '-0 -1 -2 -3 -4 +34 +35 -36 +66 +67', 'half-open', 0],
  ['once closed it has forgotten', '-0 -1 -2 -3 -4 +34 +35 +36 -37', 'closed', 0],
])('%s', (_, steps, state, waits) => {
  const { breaker, now } = play(steps);
  expect(breaker?.state).toBe(state);
  expect(recoversAt(breaker, now, LIMITS) - now).toBe(waits * 1_000);
});

test('it opens for half a minute, and not for longer when the clock was set back', () => {
  const { breaker } = play('-0 -1 -2 -3 -4');
  expect(recoversAt(breaker, 33_999, LIMITS)).toBe(34_000);
  expect(recoversAt(breaker, 34_000, LIMITS)).toBe(34_000);
  expect(recoversAt(breaker, 1_000, LIMITS)).toBe(1_000);
});

test.each(['', 'null', '[]', '{"state":"open"}', '{"state":"open","failures":"x"}'])(
  'a damaged record is none: %s',
  (value) => {
    expect(readBreaker(value)).toBeUndefined();
  },
);

test('the last error is kept for the person, cut', () => {
  expect(afterFailure(undefined, 'x'.repeat(1_000), 0, LIMITS).error).toHaveLength(300);
});
