import { expect, test } from 'vitest';
import { decodeText, startsOfLines, withoutConflicts } from './parse-file.ts';

const bytes = (...parts: (string | number[])[]) =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.from(part))));

test.each([
  ['plain', bytes('a = "é"'), { text: 'a = "é"' }],
  ['empty', bytes(), { text: '' }],
  ['with a byte order mark', bytes([0xef, 0xbb, 0xbf], 'a'), { text: 'a' }],
  ['UTF-16, little end first', Buffer.from('\uFEFFa = 1', 'utf16le'), { text: 'a = 1' }],
  ['UTF-16, big end first', Buffer.from('\uFEFFa = 1', 'utf16le').swap16(), { text: 'a = 1' }],
  ['with NUL', bytes('a', [0], 'b'), { text: '', flag: 'binary' }],
  ['UTF-16 with NUL', Buffer.from('\uFEFFa\0', 'utf16le'), { text: '', flag: 'binary' }],
  [
    'a name in an old encoding',
    bytes('/* Ren', [0xe9], ' */\n', 'int a;\n'.repeat(50)),
    { text: `/* Ren\uFFFD */\n${'int a;\n'.repeat(50)}`, flag: 'not-utf8' },
  ],
  [
    'no text at all',
    Buffer.from(Array.from({ length: 200 }, (_, at) => (1 + (at % 255)) | 0x80)),
    { text: '', flag: 'not-utf8' },
  ],
])('%s', (_, given, expected) => {
  expect(decodeText(given)).toEqual(expected);
});

test.each([
  ['', [0]],
  ['a', [0]],
  ['a\nb', [0, 2]],
  ['a\r\nb\n', [0, 3, 5]],
  ['a\rb', [0]],
  ['a\u2028b', [0]],
])('lines of %j start at %j', (text, lines) => {
  expect(startsOfLines(text)).toEqual(lines);
});

test.each([
  ['a\n<<<<<<< HEAD\nb\n=======\nc\n>>>>>>> other\nd\n', 'a\n            \nb\n       \nc\n             \nd\n'],
  [
    '<<<<<<< HEAD\r\nb\r\n||||||| base\r\n=======\r\nc\r\n>>>>>>> other\r\n',
    '            \r\nb\r\n            \r\n       \r\nc\r\n             \r\n',
  ],
  ['title\n=======\n', 'title\n=======\n'],
  ['x = "<<<<<<< a"\n', 'x = "<<<<<<< a"\n'],
])('conflict markers of %j', (text, expected) => {
  expect(withoutConflicts(text)).toBe(expected);
});
