import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { nodeFiles } from '../platform/files.ts';
import { aboutLaunched, forgetGone, goneDir, launchDir, mustRefresh, readLaunched } from './launch-place.ts';

let dir: string;
let state: string;
let root: string;
let node: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'fairlead-place-'));
  [state, root, node] = [join(dir, 'state'), join(dir, 'copy'), join(dir, 'node')];
  for (const path of ['bin/fairlead', 'dist/hook.js']) put(join(root, path));
  put(node);
});
afterEach(() => rmSync(dir, { recursive: true }));

function put(path: string, text = ''): void {
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, text);
}

function launch(stamp: string): void {
  const { name, text } = aboutLaunched({ stamp, root, node });
  put(join(launchDir(state), name), text);
}

it.each<[string, () => void, boolean]>([
  ['the copy as it was installed', () => launch('1.0.0+1.a'), false],
  ['another version in the same place', () => launch('2.0.0+2.b'), true],
  ['nothing, where no hooks were installed', () => {}, false],
  ['a text that says nothing', () => put(join(launchDir(state), 'about.json'), '{"stamp":1}'), false],
  ['a copy whose Node is gone', () => (launch('1.0.0+1.a'), rmSync(node)), true],
])('hooks start %s: refresh %s', (_, prepare, expected) => {
  prepare();
  expect(mustRefresh(nodeFiles, state, { stamp: '1.0.0+1.a', root })).toBe(expected);
});

it.each<[string, () => void, boolean]>([
  ['works', () => {}, false],
  ['is gone', () => rmSync(root, { recursive: true }), true],
  ['is half there', () => rmSync(join(root, 'dist'), { recursive: true }), true],
])('another copy takes over where the one that hooks start %s: %s', (_, prepare, expected) => {
  launch('1.0.0+1.a');
  prepare();
  expect(mustRefresh(nodeFiles, state, { stamp: '3.0.0+3.c', root: '/elsewhere' })).toBe(expected);
});

it('reads back what it says', () => {
  launch('1.0.0+1.a');
  expect(readLaunched(nodeFiles, launchDir(state))).toEqual({ stamp: '1.0.0+1.a', root, node });
});

it('forgets who was told that the package is gone', () => {
  const run = join(state, 'run');
  put(join(goneDir(run), 'since'));
  put(join(goneDir(run), 'session-a'));
  forgetGone(nodeFiles, run);
  expect(nodeFiles.list(goneDir(run))).toEqual([]);
});
