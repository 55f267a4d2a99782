import { expect, it } from 'vitest';
import { boxOf, proseLines } from './markdown.ts';

it.each([
  ['---\ntitle: a\n---\nb\n- [ ] c', ['b', '- [ ] c']],
  ['\ufeff---\r\ntitle: a\r\n...\r\nb', ['b']],
  ['---\nnever closed', ['---', 'never closed']],
])('front matter is no prose: %j', (text, expected) => {
  expect(proseLines(text).map((line) => line.text)).toEqual(expected);
});

it.each<[string, boolean | undefined, number]>([
  ['- [ ] a', false, 3],
  ['  * [x] a', true, 5],
  ['+ [X]', true, 3],
  ['- [ ]a', undefined, 0],
  ['- [] a', undefined, 0],
  ['1. [ ] a', undefined, 0],
])('the box of %j', (text, ticked, at) => {
  expect(boxOf({ text, at: 100 })).toEqual(ticked === undefined ? undefined : { ticked, at: 100 + at });
});
