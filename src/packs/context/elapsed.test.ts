import { expect, it } from 'vitest';
import { showElapsed } from './elapsed.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

it.each([
  [-5, '1 minute'],
  [0, '1 minute'],
  [89_000, '1 minute'],
  [90_000, '2 minutes'],
  [45 * MINUTE, '45 minutes'],
  [89 * MINUTE, '89 minutes'],
  [90 * MINUTE, '2 hours'],
  [3 * HOUR, '3 hours'],
  [35 * HOUR, '35 hours'],
  [36 * HOUR, '2 days'],
  [7 * 24 * HOUR, '7 days'],
])('%i ms: %s', (ms, words) => {
  expect(showElapsed(ms)).toBe(words);
});
