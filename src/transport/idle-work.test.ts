import { expect, it } from 'vitest';
import { createIdleWork } from './idle-work.ts';

it.each([
  ['never while events come', [10, 500, 20], 0],
  ['not for a process that has had none', [5_000, 6_000], 0],
  ['twice after a busy time, and no more at first', [10, 1_200, 2_200, 3_200, 4_200], 2],
  ['twice more in a longer rest, and then no more', [10, 1_200, 2_200, 5_900, 6_900, 7_900, 13_000, 60_000], 4],
  ['again after the next one', [10, 1_200, 2_200, 5, 1_100, 2_100, 3_100, 7_000], 5],
])('works %s', (_, times, expected) => {
  let count = 0;
  const workWhenIdle = createIdleWork([1_000, 1_000, 6_000, 12_000], () => (count += 1));
  for (const quiet of times) workWhenIdle(quiet);
  expect(count).toBe(expected);
});
