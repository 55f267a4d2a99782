import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createProgramLookup, findOnPath } from './find-program.ts';

let bin: string;
beforeEach(() => {
  bin = realpathSync(mkdtempSync(join(tmpdir(), 'fairlead-path-')));
});
afterEach(() => rmSync(bin, { recursive: true }));

function put(name: string, mode = 0o755): string {
  writeFileSync(join(bin, name), '');
  chmodSync(join(bin, name), mode);
  return join(bin, name);
}

it('looks for programs in absolute directories only', () => {
  const program = put('graph');
  expect(findOnPath('graph', { PATH: `/none:${bin}` })).toBe(program);
  expect(findOnPath('graph', { PATH: 'bin:.' })).toBeUndefined();
  expect(findOnPath('graph', {})).toBeUndefined();
});

it.skipIf(process.platform === 'win32')('takes neither a directory nor a plain file for a program', () => {
  put('plain', 0o644);
  mkdirSync(join(bin, 'folder'));
  for (const name of ['plain', 'folder']) expect(findOnPath(name, { PATH: bin }), name).toBeUndefined();
});

it('keeps an answer for a minute', () => {
  let now = 0;
  const lookUp = createProgramLookup(() => now);
  const has = (name: string) => lookUp(name, bin);
  expect([has('graph'), has('../graph'), has('')]).toEqual([false, false, false]);
  const program = put('graph');
  now = 59_999;
  expect(has('graph')).toBe(false);
  now = 60_000;
  expect(has('graph')).toBe(true);
  expect(lookUp('graph', '/nowhere')).toBe(false);
  expect(lookUp('graph', undefined)).toBe(false);
  rmSync(program);
  now = 119_999;
  expect(has('graph')).toBe(true);
  now = 120_000;
  expect(has('graph')).toBe(false);
});
