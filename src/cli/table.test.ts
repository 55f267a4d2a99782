import fc from 'fast-check';
import { expect, test } from 'vitest';
import { countOf } from '../../test/cases.ts';
import { columnsOf } from '../text/columns.ts';
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

test('where even that is too wide, columns leave, the highest first, and are named', () => {
  const columns = [{ title: 'name' }, { title: 'one', leaves: 1 }, { title: 'two', leaves: 2 }];
  const cells = ['a-long-name', 'x', 'y'];
  const at = (width: number) => {
    const { head, left, line } = layOut({ colour: false, columns: width }, columns, [cells]);
    return [head, line(cells), left];
  };
  expect(at(21)).toEqual(['name         one  two', 'a-long-name  x    y', []]);
  expect(at(20)).toEqual(['name         one', 'a-long-name  x', ['two']]);
  expect(at(12)).toEqual(['name', 'a-long-name', ['one', 'two']]);
  expect(at(3)).toEqual(['name', 'a-long-name', ['one', 'two']]);
});

test('a line fits the terminal, or holds only what may not be cut; a pipe gets all of every cell', () => {
  const column = fc.record(
    {
      title: fc.constantFrom('a', 'name'),
      shrinksTo: fc.integer({ min: 1, max: 20 }),
      leaves: fc.integer({ min: 1, max: 3 }),
    },
    { requiredKeys: ['title'] },
  );
  const table = fc.array(column, { minLength: 1, maxLength: 6 }).chain((columns) =>
    fc.record({
      columns: fc.constant(columns),
      rows: fc.array(
        fc.array(fc.string({ unit: 'grapheme', maxLength: 40 }), {
          minLength: columns.length,
          maxLength: columns.length,
        }),
        { minLength: 1, maxLength: 5 },
      ),
      room: fc.integer({ min: 1, max: 120 }),
    }),
  );
  fc.assert(
    fc.property(table, ({ columns, rows: all, room }) => {
      const widthAt = (at: number) =>
        Math.max(
          ...[columns[at]?.title ?? '', ...all.map((row) => row[at] ?? '')].map((cell) =>
            columnsOf(printableLine(cell)),
          ),
        );
      const staying = columns.flatMap(({ leaves, shrinksTo = Infinity }, at) =>
        leaves === undefined ? [Math.min(shrinksTo, widthAt(at))] : [],
      );
      const least = staying.reduce((sum, width) => sum + width + 2, -2);
      const narrow = layOut({ colour: false, columns: room }, columns, all);
      const pipe = layOut({ colour: false, columns: Infinity }, columns, all.slice(0, 1));
      for (const row of all) {
        expect(columnsOf(narrow.line(row))).toBeLessThanOrEqual(Math.max(room, least));
        for (const cell of row) expect(pipe.line(row)).toContain(printableLine(cell).trimEnd());
      }
    }),
    { numRuns: countOf(1_000) },
  );
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
