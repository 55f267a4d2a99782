import fc from 'fast-check';
import { expect, it } from 'vitest';
import { cutAtLine, joinWithin } from './text.ts';

it.each([
  ['short', 10, 'short'],
  ['one\ntwo\nthree', 9, 'one\ntwo'],
  ['one\ntwo\nthree', 7, 'one\ntwo'],
  ['one\ntwo', 6, 'one'],
  ['abcdef', 4, 'abcd'],
  ['\n\nabcdef', 4, '\n\nab'],
  ['ab\u{1F9ED}cd', 3, 'ab'],
  ['ab\u{1F9ED}cd', 4, 'ab\u{1F9ED}'],
])('cuts %j at %i', (text, cap, expected) => {
  expect(cutAtLine(text, cap)).toBe(expected);
});

it('joins with a blank line and leaves out what is empty', () => {
  expect(joinWithin(['a', '', ' \n', 'b'], 100)).toBe('a\n\nb');
  expect(joinWithin([], 100)).toBe('');
});

it('stays within the cap, keeps a beginning and tears no character apart', () => {
  const text = fc.string({ unit: fc.constantFrom('a', '\n', '\u{1F9ED}', 'é'), maxLength: 60 });
  fc.assert(
    fc.property(text, fc.integer({ min: 2, max: 40 }), (whole, cap) => {
      const cut = cutAtLine(whole, cap);
      expect(cut.length).toBeLessThanOrEqual(cap);
      expect(whole.startsWith(cut)).toBe(true);
      expect(() => encodeURIComponent(cut)).not.toThrow();
      if (whole.trim() !== '') expect(cut).not.toBe('');
    }),
  );
});
