import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { nodeFiles } from '../platform/files.ts';
import { countUnanswered, prepareUnanswered, readUnanswered } from './unanswered-count.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'fairlead-away-'));
});
afterEach(() => rmSync(dir, { recursive: true }));

it('counts both kinds, one byte each, and tells when the last was', () => {
  expect(readUnanswered(nodeFiles, [dir])).toEqual({ empty: 0, denied: 0, lastAt: 0, paths: [] });
  for (const how of ['empty', 'denied', 'empty'] as const) countUnanswered(nodeFiles, dir, how);
  const path = join(dir, 'turned-away');
  expect(readFileSync(path, 'utf8')).toBe('ede');
  expect(statSync(path).mode & 0o777).toBe(0o600);
  utimesSync(path, 1_000, 1_000);
  expect(readUnanswered(nodeFiles, [dir])).toEqual({ empty: 2, denied: 1, lastAt: 1_000_000, paths: [path] });
});

it('adds up the places, and counts none of them twice', () => {
  const other = join(dir, 'other');
  mkdirSync(other);
  writeFileSync(join(dir, 'turned-away'), 'e');
  writeFileSync(join(other, 'turned-away'), 'dd');
  expect(readUnanswered(nodeFiles, [dir, other, dir])).toMatchObject({ empty: 1, denied: 2 });
});

it('has its place from the start, which counts as nothing', () => {
  prepareUnanswered(nodeFiles, dir);
  expect(statSync(join(dir, 'turned-away')).size).toBe(18);
  expect(readUnanswered(nodeFiles, [dir])).toEqual({ empty: 0, denied: 0, lastAt: 0, paths: [] });
  countUnanswered(nodeFiles, dir, 'denied');
  prepareUnanswered(nodeFiles, dir);
  expect(readUnanswered(nodeFiles, [dir])).toMatchObject({ empty: 0, denied: 1 });
});

it('does not fail where nothing can be written', () => {
  const gone = join(dir, 'gone');
  expect(() => countUnanswered(nodeFiles, gone, 'empty')).not.toThrow();
  expect(() => prepareUnanswered(nodeFiles, gone)).not.toThrow();
  expect(existsSync(gone)).toBe(false);
});
