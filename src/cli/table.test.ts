import { expect, test } from 'vitest';
import { cut, formatBytes, formatSpan, layOut, paint, printable, printableLine, wrap } from './table.ts';

const COLUMNS = [{ title: 'id' }, { title: 'n', align: 'right' }, { title: 'text', shrinksTo: 4 }] as const;
const rows = [
  ['a', 1, 'a rather long text'],
  ['bb', 22, 'short'],
] as const;

test('columns are as wide as what they hold, and no line has blanks at its end', () => {
  const { head, line } = layOut({ colour: false, columns: 80 }, COLUMNS, rows);
  expect([head, ...rows.map((cells) => line(cells))]).toEqual([
    'id   n  text',
    'a    1  a rather long text',
    'bb  22  short',
  ]);
});

test.each([
  [20, 'a    1  a rather lo…'],
  [12, 'a    1  a r…'],
  [5, 'a    1  a r…'],
])('at %i columns only what may shrink is cut', (columns, expected) => {
  expect(layOut({ colour: false, columns }, COLUMNS, rows).line(rows[0])).toBe(expected);
});

test('colour does not count as width', () => {
  const coloured = layOut({ colour: true, columns: 80 }, COLUMNS, rows).line([{ text: 'a', style: 'red' }, 1, 'x']);
  expect(coloured).toBe('\u001b[31ma\u001b[0m    1  x');
  expect(paint({ colour: false }, 'red', 'a')).toBe('a');
});

test('wide characters take two places', () => {
  expect(cut('漢字漢字', 5)).toBe('漢字…');
  expect(layOut({ colour: false, columns: 80 }, COLUMNS, [['漢', 1, 'x']]).line(['漢', 1, 'x'])).toBe('漢  1  x');
});

test('nothing that was recorded moves the cursor', () => {
  expect(printable('a\u001b[2Jb\r\n\u009bc\u202ed')).toBe('a\\u001b[2Jb\n\\u009bc\\u202ed');
  expect(printableLine('a\n  b\tc')).toBe('a ⏎ b c');
  expect(layOut({ colour: false, columns: 80 }, COLUMNS, []).line(['\u001b[31m', 1, 'x\ny'])).not.toContain('\u001b');
});

test('wrapping keeps words, paragraphs and the indent', () => {
  expect(wrap('one two three four five six\n\nseven', 24, '  ')).toBe('  one two three four\n  five six\n\n  seven');
});

test.each([
  [500, '500 B'],
  [1_536, '1.5 KiB'],
  [3_145_728, '3.0 MiB'],
])('%i bytes', (bytes, text) => expect(formatBytes(bytes)).toBe(text));

test.each([
  [90_000, '90 s'],
  [3_600_000, '60 min'],
  [86_400_000, '24 h'],
  [259_200_000, '3 d'],
])('%i ms', (ms, text) => expect(formatSpan(ms)).toBe(text));
