import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { nodeFiles } from '../../platform/files.ts';
import { sha256 } from '../../platform/hash.ts';
import { changedLines, memoryDrift } from './memory.ts';
import type { Drift } from './memory.ts';

const THEN = 1_700_000_000_000;
let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'fairlead-memory-'));
});
afterEach(() => rmSync(root, { recursive: true }));

const memory = (text: string, mtimeMs = THEN + 60_000) => ({ path: '/m', text, sha256: sha256(text), mtimeMs });

it.each<[string, string | undefined, string, string | undefined, number, Drift]>([
  ['no mirror', undefined, 'a\n', undefined, THEN, { state: 'first' }],
  ['no mirror any more', undefined, 'a\n', sha256('a\n'), THEN, { state: 'first' }],
  ['edited', 'a\n', 'a\nb\n', sha256('a\n'), THEN, { state: 'changed', added: 1, removed: 0 }],
  [
    'edited, though the file looks old',
    'a\nx\n',
    'a\nb\n',
    sha256('a\nx\n'),
    1,
    { state: 'changed', added: 1, removed: 1 },
  ],
  ['touched', 'a\n', 'a\n', sha256('a\n'), THEN + 60_000, { state: 'same' }],
  ['no hash, older', 'a\n', 'b\n', undefined, THEN - 60_000, { state: 'same' }],
  ['no hash, later', 'a\n', 'b\n', undefined, THEN + 60_000, { state: 'changed', added: 1, removed: 1 }],
  ['no hash, later, the same text', 'a\n', 'a\n', undefined, THEN + 60_000, { state: 'same' }],
])('%s', (_, mirror, text, hash, mtimeMs, expected) => {
  if (mirror !== undefined) {
    const path = join(root, '.context/memory/mirror.md');
    mkdirSync(join(root, '.context/memory'), { recursive: true });
    writeFileSync(path, mirror);
    utimesSync(path, THEN / 1_000, THEN / 1_000);
  }
  expect(memoryDrift(nodeFiles, root, memory(text, mtimeMs), hash)).toEqual(expected);
});

it.each<[string, string, readonly string[], readonly string[]]>([
  ['a\nb\n', 'b\na\n', [], []],
  ['a\na\n', 'a\n', [], ['a']],
  ['a\r\n', 'a\n\n\n', [], []],
  ['', 'a', ['a'], []],
])('%j → %j', (before, after, added, removed) => {
  expect(changedLines(before, after)).toEqual({ added, removed });
});
