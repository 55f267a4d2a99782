import { existsSync, lstatSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openScratch } from './undo.fixture.ts';
import type { Scratch } from './undo.fixture.ts';

let scratch: Scratch;
let outside: string;
beforeEach(() => {
  scratch = openScratch();
  outside = join(scratch.home, 'outside');
  mkdirSync(join(outside, 'q'), { recursive: true });
  writeFileSync(join(outside, 'q', 'f'), 'not of the project\n');
});
afterEach(() => scratch.remove());

const at = (path: string) => join(scratch.dir, path);
const foreign = () => readFileSync(join(outside, 'q', 'f'), 'utf8');

async function keep(command: string): Promise<number> {
  const result = await scratch.keep(command);
  if (!('kept' in result)) throw new Error(JSON.stringify(result));
  scratch.run(command);
  return result.kept.number;
}

it('writes through no link that came after the copy, and names what it leaves', async () => {
  scratch.put('p/q/f', 'mine\n');
  const number = await keep('rm -rf p/q');
  scratch.run(`rm -rf p; ln -s ${outside} p`);
  const { left, files } = await scratch.undo(number);
  expect(left).toEqual(['p/q', 'p/q/f'].map((path) => `${at(path)}: a link on the way leads elsewhere now`));
  expect([files, foreign(), lstatSync(at('p')).isSymbolicLink()]).toEqual([0, 'not of the project\n', true]);
});

it('changes no rights and takes nothing away through such a link', async () => {
  scratch.put('p/q/f', 'mine\n', 0o600);
  const number = await keep('mkdir -p p/q && cp p/q/f p/q/g && rm -rf p/q');
  scratch.run(`rm -rf p; ln -s ${outside} p`);
  const mode = () => lstatSync(join(outside, 'q', 'f')).mode;
  const before = mode();
  await scratch.undo(number);
  expect([mode(), existsSync(join(outside, 'q', 'g'))]).toEqual([before, false]);
});

it('puts a directory of the copy in the place of a link, and leaves what that led to', async () => {
  scratch.put('p/q/f', 'mine\n');
  const number = await keep('rm -rf p');
  symlinkSync(outside, at('p'));
  const { left, saved } = await scratch.undo(number);
  expect([left, saved?.names]).toEqual([[], ['p']]);
  expect([readFileSync(at('p/q/f'), 'utf8'), foreign()]).toEqual(['mine\n', 'not of the project\n']);
  expect(lstatSync(at('p')).isDirectory()).toBe(true);
});

it('brings back what was reached through a link that is still the same', async () => {
  symlinkSync(outside, at('way'));
  const number = await keep('rm way/q/f');
  expect(existsSync(join(outside, 'q', 'f'))).toBe(false);
  expect((await scratch.undo(number)).left).toEqual([]);
  expect(foreign()).toBe('not of the project\n');
});

it('follows a link to the directory that it is told to put files into', async () => {
  scratch.put('p/f', 'mine\n');
  const number = await keep('rm -rf p');
  symlinkSync(outside, at('to'));
  await scratch.undo(number, { to: at('to') });
  expect(readFileSync(join(outside, 'p', 'f'), 'utf8')).toBe('mine\n');
});
