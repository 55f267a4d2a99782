import { expect, it } from 'vitest';
import { createBatching } from './batching.ts';

it.each([
  ['the first event', [100], false],
  ['two with a while between', [100, 150], false],
  ['two at once', [100, 100], true],
  ['two in one breath', [100, 101], true],
  ['one after a burst has ended', [100, 100, 100, 200], false],
])('%s', (_, times, expected) => {
  let now = 0;
  const batching = createBatching(() => now);
  for (const at of times) {
    now = at;
    batching.arrived();
  }
  expect(batching.moreComing()).toBe(expected);
});
