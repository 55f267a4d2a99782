import { expect, it } from 'vitest';
import { hasName, isNameAt, plain } from './plain.ts';

it.each([
  ['as it is', 'src/a b.ts#Ünïcode', 'src/a b.ts#Ünïcode'],
  ['escapes', 'a\u001b[31mb', 'a[31mb'],
  ['lines', 'a\nb\r\u2028c', 'abc'],
  ['what turns text around', 'a\u202eb\u2066c', 'abc'],
])('plain text: %s', (_, text, expected) => {
  expect(plain(text)).toBe(expected);
});

it.each([
  ['load(x)', 'load', true],
  ['reload(x); load', 'load', true],
  ['reload(x)', 'load', false],
  ['loader()', 'load', false],
  ['$load()', 'load', false],
  ['', 'load', false],
])('a name in %j: %s', (text, name, expected) => {
  expect(hasName(text, name)).toBe(expected);
});

it.each([
  ['  load(x)', 3, true],
  ['  load(x)', 2, false],
  ['reload(x)', 3, false],
  ['loader(x)', 1, false],
  ['x', 9, false],
])('a name in %j at %i: %s', (text, column, expected) => {
  expect(isNameAt(text, column, 'load')).toBe(expected);
});
