import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, it } from 'vitest';
import { cases } from '../../../test/cases.ts';
import { unifiedDiff } from './diff.ts';

const dir = mkdtempSync(join(tmpdir(), 'fairlead-diff-'));
afterAll(() => rmSync(dir, { recursive: true }));

const text = fc
  .array(fc.constantFrom('a', 'b', 'c', '', '{', '}'), { maxLength: 30 })
  .chain((lines) => fc.constantFrom(lines.join('\n'), `${lines.join('\n')}\n`));

it('is what git applies', () => {
  fc.assert(
    fc.property(text, text, (before, after) => {
      fc.pre(before !== after && before !== '' && after !== '');
      writeFileSync(join(dir, 'file'), before);
      execFileSync('git', ['apply', '-p0', '-'], {
        cwd: dir,
        input: unifiedDiff('file', before, after),
        stdio: 'pipe',
        env: { PATH: process.env['PATH'], GIT_CEILING_DIRECTORIES: tmpdir() },
      });
      expect(readFileSync(join(dir, 'file'), 'utf8')).toBe(after);
    }),
    cases(60),
  );
});

it('shows a new file, a file that goes, and colours for a terminal', () => {
  expect(unifiedDiff('f', undefined, 'x\r\n')).toBe('--- /dev/null\n+++ f\n@@ -0,0 +1,1 @@\n+x\n');
  expect(unifiedDiff('f', 'x', undefined)).toBe(
    '--- f\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-x\n\\ No newline at end of file\n',
  );
  expect(unifiedDiff('f', 'a\n', 'b\n', true)).toContain('\u001B[31m-a\u001B[0m\n\u001B[32m+b\u001B[0m\n');
});

it('shows changed parts of long files apart, with three lines around each', () => {
  const lines = Array.from({ length: 40 }, (_, at) => `${at}\n`);
  const after = lines.toSpliced(5, 1, 'x\n').toSpliced(30, 0, 'y\n');
  const diff = unifiedDiff('f', lines.join(''), after.join(''));
  expect(diff.match(/^@@.*$/gm)).toEqual(['@@ -3,7 +3,7 @@', '@@ -28,6 +28,7 @@']);
  expect(diff.split('\n')).toHaveLength(2 + 1 + 8 + 1 + 7 + 1);
});
