import { expect, it } from 'vitest';
import { applyEdits } from './apply-edits.ts';
import type { Edit } from './event.ts';

const replace = (old: string, after: string): Edit => ({ path: '/a', operation: 'replace', old, new: after });
const write = (text: string): Edit => ({ path: '/a', operation: 'write', new: text });

it.each<[string, string | undefined, Edit[], string | undefined]>([
  ['a new file', undefined, [write('x')], 'x'],
  ['a file that is written over', 'a', [write('x')], 'x'],
  ['the first of two places', 'a a', [replace('a', 'b')], 'b a'],
  ['text that looks like a pattern', 'a', [replace('a', "$& $'")], "$& $'"],
  ['one edit on top of the other', 'ab', [replace('a', 'bb'), replace('bbb', 'c')], 'c'],
  ['an edit that makes a file', undefined, [replace('', 'x')], 'x'],
  ['an edit that makes a file that is there', 'a', [replace('', 'x')], undefined],
  ['text that is not there', 'a', [replace('b', 'c')], undefined],
  ['no file', undefined, [replace('b', 'c')], undefined],
  ['the second cannot apply', 'a', [replace('a', 'b'), replace('a', 'c')], undefined],
])('%s', (_name, before, edits, after) => {
  expect(applyEdits(before, edits)).toBe(after);
});
