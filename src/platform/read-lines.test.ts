import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { cases } from '../../test/cases.ts';
import { nodeFiles } from './files.ts';
import { readLines } from './read-lines.ts';

let dir: string;
let path: string;
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'fairlead-lines-'));
  path = join(dir, 'file');
});
afterAll(() => rmSync(dir, { recursive: true }));

function linesOf(text: string, longest = 1 << 20, size = Buffer.byteLength(text)) {
  writeFileSync(path, text);
  const skipped: number[] = [];
  const lines = [...readLines(nodeFiles, path, { size, longest, onSkip: (bytes) => void skipped.push(bytes) })];
  return { lines, skipped };
}

it.each<[string, readonly string[]]>([
  ['', []],
  ['a', ['a']],
  ['a\n', ['a']],
  ['a\n\nb', ['a', '', 'b']],
  ['\n', ['']],
  ['é\n漢字\n', ['é', '漢字']],
])('%j', (text, lines) => {
  expect(linesOf(text).lines).toEqual(lines);
});

it('joins what chunks cut, also inside a character', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(200_000), { minLength: 1, maxLength: 6 }), (lengths) => {
      const text = lengths.map((length) => `${'漢'.repeat(length)}\n`).join('');
      expect(linesOf(text).lines).toEqual(text.split('\n').slice(0, -1));
    }),
    cases(15),
  );
});

it('passes over what is too long, and says how much that was', () => {
  const { lines, skipped } = linesOf(`a\n${'x'.repeat(600_000)}\nb\n${'y'.repeat(11)}`, 10);
  expect(lines).toEqual(['a', 'b']);
  expect(skipped).toEqual([600_000, 11]);
});

it('ends where the file ended when it was looked at', () => {
  expect(linesOf('one\ntwo\n', 100, 4).lines).toEqual(['one']);
});

it('reads nothing of what is not there', () => {
  expect([...readLines(nodeFiles, join(dir, 'none'), { size: 10, longest: 10 })]).toEqual([]);
});
