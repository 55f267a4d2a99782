import { expect, it } from 'vitest';
import { eachColumn, expandTabs } from './columns.ts';

it.each([
  ['ascii', 'ab', 2],
  ['box characters', '┌─┐', 3],
  ['wide characters', '漢字', 4],
  ['full-width forms', 'Ａ', 2],
  ['Hangul', '한글', 4],
  ['a combining accent', 'e\u0301', 1],
  ['a zero-width space', 'a\u200bb', 2],
  ['an emoji', '🚀', 2],
  ['an emoji by its selector', '⚠\ufe0f', 2],
  ['a text symbol', '⚠', 1],
  ['a skin tone', '👍🏽', 2],
  ['a joined family', '👩\u200d👩\u200d👧', 2],
  ['a flag', '🇩🇪', 2],
  ['an arrow', '→', 1],
  ['a lone surrogate', '\ud83d', 1],
])('%s', (_what, text, width) => {
  let end = -1;
  eachColumn(`${text}│`, (point, column) => {
    if (point === 0x2502) end = column;
  });
  expect(end).toBe(width);
});

it.each([
  ['\ta', '    a'],
  ['ab\tc', 'ab  c'],
  ['漢\tc', '漢  c'],
  ['abcd\te', 'abcd    e'],
  ['no tab', 'no tab'],
])('tabs in %j', (line, expanded) => {
  expect(expandTabs(line)).toBe(expanded);
});
