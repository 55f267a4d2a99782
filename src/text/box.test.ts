import fc from 'fast-check';
import { expect, it } from 'vitest';
import { drawBox } from './box.ts';
import { columnsOf } from './columns.ts';

it('holds several texts and its last line, broken at blanks', () => {
  const long = `Long: ${'word '.repeat(12).trim()}`;
  expect(drawBox(['First\nNext: fairlead remind list', long], '/home/dev/project/.context')).toMatchInlineSnapshot(`
    "┌──────────────────────────────────────────────────┐
    │ First                                            │
    │ Next: fairlead remind list                       │
    │                                                  │
    │ Long: word word word word word word word word    │
    │ word word word word                              │
    │ /home/dev/project/.context                       │
    └──────────────────────────────────────────────────┘"
  `);
});

it.each([
  ['wide characters', '漢字'.repeat(40)],
  ['a path without blanks', `/${'directory/'.repeat(9)}`],
  ['nothing', ''],
])('every line of a box of %s is 52 columns wide', (_, text) => {
  for (const line of drawBox([text], '').split('\n')) expect(columnsOf(line)).toBe(52);
});

it('loses no character but blanks', () => {
  const blank = /\s/g;
  fc.assert(
    fc.property(fc.string({ maxLength: 300 }), (text) => {
      const inside = drawBox([text], '')
        .split('\n')
        .slice(1, -1)
        .map((line) => line.slice(2, -2))
        .join('');
      expect(inside.replaceAll(blank, '')).toBe(text.replaceAll(blank, ''));
    }),
  );
});
