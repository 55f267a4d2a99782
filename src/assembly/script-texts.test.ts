import { mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { nodeFiles } from '../platform/files.ts';
import { createScriptTexts } from './script-texts.ts';

const base = mkdtempSync(join(tmpdir(), 'fairlead-scripts-'));
afterAll(() => rmSync(base, { recursive: true }));
const at = (name: string) => join(base, name);

function counted() {
  let reads = 0;
  const files = {
    ...nodeFiles,
    readText(path: string, max?: number) {
      reads += 1;
      return nodeFiles.readText(path, max);
    },
  };
  return { textOf: createScriptTexts(files), reads: () => reads };
}

it('reads a file once, and again when it has changed', () => {
  const { textOf, reads } = counted();
  writeFileSync(at('x.sh'), 'ls');
  expect([textOf(at('x.sh')), textOf(at('x.sh')), reads()]).toEqual(['ls', 'ls', 1]);
  writeFileSync(at('x.sh'), 'rm');
  utimesSync(at('x.sh'), 1, 1);
  expect([textOf(at('x.sh')), reads()]).toEqual(['rm', 2]);
});

it('follows links', () => {
  const { textOf } = counted();
  writeFileSync(at('real.sh'), 'ls');
  symlinkSync(at('real.sh'), at('link.sh'));
  expect(textOf(at('link.sh'))).toBe('ls');
});

it('leaves out what is no script: directories, programs, what is too long, what is not there', () => {
  const { textOf } = counted();
  writeFileSync(at('program'), '\u007fELF\0\0');
  writeFileSync(at('long.sh'), 'x'.repeat(70_000));
  expect([base, at('program'), at('long.sh'), at('none.sh')].map(textOf)).toEqual(Array(4).fill(undefined));
});

it('keeps a bounded number', () => {
  const { textOf, reads } = counted();
  for (let number = 0; number < 70; number += 1) {
    writeFileSync(at(`${number}.sh`), String(number));
    textOf(at(`${number}.sh`));
  }
  textOf(at('69.sh'));
  textOf(at('0.sh'));
  expect(reads()).toBe(71);
});
