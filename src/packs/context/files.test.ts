import { mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { nodeFiles } from '../../platform/files.ts';
import { backupMarkers } from './backup.ts';
import { isDate } from './dates.ts';
import { contextFileTimes, isInitialised, newestJournal, REQUIRED_FILES } from './files.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'fairlead-context-'));
  mkdirSync(join(root, '.context/journal'), { recursive: true });
});
afterEach(() => rmSync(root, { recursive: true }));
const put = (name: string, at = 1_000) => {
  const path = join(root, '.context', name);
  writeFileSync(path, 'x');
  utimesSync(path, at, at);
};

it('is initialised with all of the required files and not with fewer', () => {
  for (const name of REQUIRED_FILES) {
    expect(isInitialised(nodeFiles, root)).toBe(false);
    put(name);
  }
  expect(isInitialised(nodeFiles, root)).toBe(true);
  rmSync(join(root, '.context/TASKS.md'));
  mkdirSync(join(root, '.context/TASKS.md'));
  expect(isInitialised(nodeFiles, root)).toBe(false);
  expect(isInitialised(nodeFiles, join(root, 'elsewhere'))).toBe(false);
});

it('tells which files changed last', () => {
  put('b.md', 2_000);
  put('a.md', 2_000);
  put('new.md', 3_000);
  put('reminders.json', 9_000);
  mkdirSync(join(root, '.context/dir.md'));
  symlinkSync(join(root, 'nowhere'), join(root, '.context/dangling.md'));
  expect(contextFileTimes(nodeFiles, root).map(({ name }) => name)).toEqual(['new.md', 'a.md', 'b.md']);
  expect(contextFileTimes(nodeFiles, root)[0]?.mtimeMs).toBe(3_000_000);
  expect(contextFileTimes(nodeFiles, join(root, 'elsewhere'))).toEqual([]);
});

it('takes the newest of the journal by name', () => {
  for (const name of ['2026-03-02-1000-b.md', '2026-03-01-1000-c.md', '2026-03-02-0900-a.md', '.draft.md', 'x.json'])
    put(`journal/${name}`);
  expect(newestJournal(nodeFiles, root, 2)).toEqual(['2026-03-02-1000-b.md', '2026-03-02-0900-a.md']);
});

it.each<[unknown, readonly string[]]>([
  [undefined, ['/home/u/.local/state/fairlead/last-backup', '/home/u/.local/state/ctx-last-backup']],
  ['~/mark', ['/home/u/mark']],
  ['/var/mark', ['/var/mark']],
  ['mark', ['/home/u/.local/state/fairlead/last-backup', '/home/u/.local/state/ctx-last-backup']],
  [7, ['/home/u/.local/state/fairlead/last-backup', '/home/u/.local/state/ctx-last-backup']],
])('marker of backups %j', (option, expected) => {
  expect(backupMarkers('/home/u', option)).toEqual(expected);
});

it.each<[string, boolean]>([
  ['2026-03-10', true],
  ['2024-02-29', true],
  ['2026-02-29', false],
  ['2026-13-01', false],
  ['2026-3-1', false],
  ['', false],
])('date %s', (text, expected) => {
  expect(isDate(text)).toBe(expected);
});
