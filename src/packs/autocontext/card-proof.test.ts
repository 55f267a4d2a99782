import { mkdtempSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { CallLink, Impact } from '../../engine/rule.ts';
import { nodeFiles } from '../../platform/files.ts';
import { prove } from './card-proof.ts';

let dir: string;
let read: string[];
beforeEach(() => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), 'fairlead-proof-')));
  read = [];
});
afterEach(() => rmSync(dir, { recursive: true }));

const files = {
  ...nodeFiles,
  readText: (path: string, most?: number) => {
    read.push(path);
    return nodeFiles.readText(path, most);
  },
};

/** A call of `f` at the third column of the second line, in a file that is as it was, or was changed to `now`. */
function call(name: string, now?: string): CallLink {
  const path = join(dir, name);
  writeFileSync(path, '\n  f();\n');
  const { size, mtimeMs } = statSync(path);
  if (now !== undefined) writeFileSync(path, now);
  return { name: 'g', called: 'f', sites: 1, path, line: 2, column: 3, size, mtimeMs };
}

function impact(symbol: CallLink, callers: readonly CallLink[] = [], tests: readonly CallLink[] = []): Impact {
  return {
    key: 'a#f',
    symbol: { ...symbol, name: 'f', qualified: 'f', kind: 'function' },
    callers: { total: callers.length, roles: {}, items: callers },
    use: { places: {}, implementers: 0, unresolved: 0 },
    callees: { total: 0, items: [] },
    tests: { total: tests.length, items: tests },
    possible: 0,
    unresolved: 0,
    calleeDoubt: { possible: 0, unresolved: 0 },
  };
}

it('what did not change is not read', () => {
  const caller = call('b');
  expect(prove(impact(call('a'), [caller]), files)?.callers).toEqual([caller]);
  expect(read).toEqual([]);
});

it.each([
  ['more behind it', '\n  f();\nmore\n', true],
  ['more before it', '\n\n  f();\n', false],
  ['another name', '\n  g();\n', false],
  ['a longer name', '\n  ff();\n', false],
  ['another column', '\n f();   \n', false],
  ['a shorter file', 'x', false],
  ['nothing', '', false],
  ['the end of the file right behind it', '\n  f', true],
])('a place that is now %s', (_, now, stands) => {
  expect(prove(impact(call('a'), [call('b', now)]), files)?.callers).toHaveLength(stands ? 1 : 0);
  expect(prove(impact(call('a', now)), files) !== undefined).toBe(stands);
});

it('a file that is gone, and a path that cannot be shown', () => {
  const gone = call('gone');
  rmSync(gone.path);
  expect(prove(impact(call('a'), [gone, call('b\u202ec')]), files)?.callers).toEqual([]);
});

it('no more than eight files are looked at; those it has looked at are free', () => {
  const callers = Array.from({ length: 7 }, (_, n) => call(`c${n}`));
  const proven = prove(impact(call('a'), callers, [call('ninth'), call('c0')]), files);
  expect([proven?.callers.length, proven?.tests.map(({ path }) => path)]).toEqual([7, [join(dir, 'c0')]]);
});
