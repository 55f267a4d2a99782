import { expect, it } from 'vitest';
import { shorten, shortenCommand } from './shorten.ts';

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
