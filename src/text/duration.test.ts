import { expect, it } from 'vitest';
import { durationMs, parseDuration } from './duration.ts';

it.each([
  ['90s', 90_000],
  ['1.5h', 5_400_000],
  [' 2d ', 172_800_000],
  ['10ms', 10],
  ['5m', 300_000],
  ['5', undefined],
  ['m', undefined],
  ['-5m', undefined],
  ['5 m', undefined],
  ['5mm', undefined],
  ['', undefined],
])('%s is %s ms', (text, ms) => {
  expect(parseDuration(text)).toBe(ms);
  if (ms === undefined) expect(() => durationMs(text)).toThrow('not a duration');
  else expect(durationMs(text)).toBe(ms);
});
