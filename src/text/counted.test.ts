import { expect, it } from 'vitest';
import { counted } from './counted.ts';

it.each([
  [0, 'file', '0 files'],
  [1, 'file', '1 file'],
  [2, 'file', '2 files'],
  [1, 'box', '1 box'],
  [2, 'box', '2 boxes'],
  [2, 'class', '2 classes'],
  [2, 'search', '2 searches'],
  [2, 'copy', '2 copies'],
  [1, 'copy', '1 copy'],
  [2, 'day', '2 days'],
])('%i %s', (count, noun, text) => {
  expect(counted(count, noun)).toBe(text);
});
