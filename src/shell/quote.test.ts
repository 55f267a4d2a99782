import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { quote } from './quote.ts';

it.each([
  ['plain', 'plain'],
  ['src/a-b.ts:12', 'src/a-b.ts:12'],
  ['--language=c', '--language=c'],
  ['', "''"],
  ['two words', "'two words'"],
  ['src/a.ts#f~2', "'src/a.ts#f~2'"],
  ["it's", `'it'\\''s'`],
  ['a=~/b', "'a=~/b'"],
  ['$(rm -rf /)', "'$(rm -rf /)'"],
  ['a\nb', "'a\nb'"],
])('a shell takes %j as one word', (word, quoted) => {
  expect(quote(word)).toBe(quoted);
  expect(spawnSync('sh', ['-c', `printf %s ${quoted}`], { encoding: 'utf8' }).stdout).toBe(word);
});
