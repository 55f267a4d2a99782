import { expect, it } from 'vitest';
import { shorten, shortenCommand, shortenMiddle } from './shorten.ts';

it.each([
  ['abcd', 4, 'abcd'],
  ['abcde', 4, 'abc…'],
  ['ab😀de', 4, 'ab…'],
  ['', 4, ''],
])('%j in %i characters', (text, most, expected) => {
  expect(shorten(text, most)).toBe(expected);
});

it('a command is one line without backticks', () => {
  expect(shortenCommand(' echo `date`\n\t&& ls ', 80)).toBe("echo 'date' && ls");
  expect(shortenCommand('echo abc', 6)).toBe('echo …');
});

it.each([
  ['abcdef', 6, 'abcdef'],
  ['abcdefgh', 5, 'ab…gh'],
  ['abcdefgh', 4, 'ab…h'],
  ['a😀bcd😀f', 4, 'a…f'],
])('the middle of %j in %i characters', (text, most, expected) => {
  expect(shortenMiddle(text, most)).toBe(expected);
});
