import { linkSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { isSamePlace } from './same-place.ts';

let base: string;
let own: string;
const isOwn = (path: string) => isSamePlace(join(base, path), [own, join(base, 'not-there')], join(base, 'project'));
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'fairlead-place-')));
  own = join(base, 'home/own');
  mkdirSync(join(own, 'rules/deep'), { recursive: true });
  mkdirSync(join(base, 'project'));
  writeFileSync(join(own, 'config.yaml'), '');
  writeFileSync(join(own, 'rules/deep/a.md'), '');
});
afterEach(() => rmSync(base, { recursive: true }));

it('finds what lies in a directory by its names, there or not', () => {
  for (const path of ['home/own', 'home/own/config.yaml', 'home/own/new/file', 'home/../home/own/x'])
    expect(isOwn(path), path).toBe(true);
  for (const path of ['home', 'home/other', 'project', 'project/src/new/file']) expect(isOwn(path), path).toBe(false);
});

it('finds it by links and by a second name of a file', () => {
  symlinkSync(join(base, 'home'), join(base, 'project/up'));
  symlinkSync(own, join(base, 'project/in'));
  linkSync(join(own, 'config.yaml'), join(base, 'project/twin'));
  linkSync(join(own, 'rules/deep/a.md'), join(base, 'project/deep-twin'));
  writeFileSync(join(base, 'project/a'), '');
  linkSync(join(base, 'project/a'), join(base, 'project/b'));
  for (const path of ['project/up/own/config.yaml', 'project/in/new', 'project/twin', 'project/deep-twin'])
    expect(isOwn(path), path).toBe(true);
  for (const path of ['project/up/other', 'project/b']) expect(isOwn(path), path).toBe(false);
});
