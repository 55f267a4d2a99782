import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { nodeFiles } from '../platform/files.ts';
import { countDenials, countUnanswered, prepareUnanswered, readUnanswered } from './unanswered-count.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'fairlead-away-'));
});
afterEach(() => rmSync(dir, { recursive: true }));

it('counts each kind, a line each, and tells when the last was', () => {
  expect(readUnanswered(nodeFiles, [dir])).toEqual({ empty: 0, denied: 0, asked: 0, lastAt: 0, paths: [] });
  for (const how of ['empty', 'denied', 'asked', 'empty'] as const) countUnanswered(nodeFiles, dir, how, 's1');
  const path = join(dir, 'turned-away');
  expect(readFileSync(path, 'utf8')).toMatch(/^(?:[eda][0-9a-f]{16}\n){4}$/);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  utimesSync(path, 1_000, 1_000);
  expect(readUnanswered(nodeFiles, [dir])).toEqual({ empty: 2, denied: 1, asked: 1, lastAt: 1_000_000, paths: [path] });
});

it('counts the denials of each session apart', () => {
  for (const session of ['s1', 's2', 's1']) countUnanswered(nodeFiles, dir, 'denied', session);
  countUnanswered(nodeFiles, dir, 'empty', 's2');
  expect(['s1', 's2', 's3'].map((session) => countDenials(nodeFiles, dir, session))).toEqual([2, 1, 0]);
});

it('adds up the places, and counts none of them twice', () => {
  const other = join(dir, 'other');
  mkdirSync(other);
  countUnanswered(nodeFiles, dir, 'empty', '');
  for (const _ of [1, 2]) countUnanswered(nodeFiles, other, 'denied', '');
  expect(readUnanswered(nodeFiles, [dir, other, dir])).toMatchObject({ empty: 1, denied: 2 });
});

it('has its place from the start, which counts as nothing', () => {
  prepareUnanswered(nodeFiles, dir);
  expect(readUnanswered(nodeFiles, [dir])).toMatchObject({ empty: 0, denied: 0, lastAt: 0, paths: [] });
  countUnanswered(nodeFiles, dir, 'denied', 's');
  expect(statSync(join(dir, 'turned-away')).size).toBe(36);
  prepareUnanswered(nodeFiles, dir);
  expect(readUnanswered(nodeFiles, [dir])).toMatchObject({ empty: 0, denied: 1 });
});

it('does not fail where nothing can be written', () => {
  const gone = join(dir, 'gone');
  expect(() => countUnanswered(nodeFiles, gone, 'empty', '')).not.toThrow();
  expect(() => prepareUnanswered(nodeFiles, gone)).not.toThrow();
  expect(existsSync(gone)).toBe(false);
});
