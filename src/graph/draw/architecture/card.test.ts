import { expect, it } from 'vitest';
import { countOf, dotRadius, shortCount } from './card.ts';

it.each([
  [0, '0'],
  [999, '999'],
  [1_000, '1k'],
  [1_649, '1.6k'],
  [9_960, '10k'],
  [123_456, '123k'],
  [999_499, '999k'],
  [999_500, '1M'],
  [12_345_678, '12M'],
])('%d is written %s', (count, text) => {
  expect(shortCount(count)).toBe(text);
});

it.each([
  [1, 'modules', '1 module'],
  [1, 'classes', '1 class'],
  [1, 'types', '1 type'],
  [1, 'import cycles', '1 import cycle'],
  [2, 'classes', '2 classes'],
  [0, 'modules', '0 modules'],
])('%d %s: %s', (count, plural, text) => {
  expect(countOf(count, plural)).toBe(text);
});

it('has a dot whose area grows with the share', () => {
  expect(dotRadius(0.4, 0.4) / dotRadius(0.1, 0.4)).toBeCloseTo(2);
  expect(dotRadius(0, 0)).toBeGreaterThan(0);
});
