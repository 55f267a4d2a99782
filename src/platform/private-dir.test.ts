import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { lacks } from '../../test/lacking.ts';
import { openDatabase, openDerived } from './database.ts';
import { nodeFiles } from './files.ts';
import { tryLock } from './lock.ts';
import { makePrivate, narrow, openToOthers, userId } from './private-dir.ts';

const isRoot = process.getuid?.() === 0;
const NOBODY = 65_534;

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'fl-private-'));
});
afterEach(() => {
  chmodSync(dir, 0o700);
  rmSync(dir, { recursive: true });
});

const mode = (path: string) => statSync(path).mode & 0o777;

it('makes a directory, and those above it, for its owner alone', () => {
  const path = join(dir, 'a/b');
  const before = process.umask(0);
  try {
    expect(makePrivate(path)).toBe(true);
  } finally {
    process.umask(before);
  }
  expect([mode(path), mode(join(dir, 'a'))]).toEqual([0o700, 0o700]);
  expect(makePrivate(path), 'a second time').toBe(true);
});

it.each([0o755, 0o777, 0o710])('narrows one of ours with mode %o', (wide) => {
  const path = join(dir, 'wide');
  mkdirSync(path);
  chmodSync(path, wide);
  expect([makePrivate(path), mode(path)]).toEqual([true, 0o700]);
});

it('uses no file, no link, and nothing below a file', () => {
  const [file, target, link] = ['file', 'target', 'link'].map((name) => join(dir, name)) as [string, string, string];
  writeFileSync(file, '');
  mkdirSync(target);
  chmodSync(target, 0o755);
  symlinkSync(target, link);
  symlinkSync(join(dir, 'nowhere'), join(dir, 'dangling'));
  for (const path of [file, link, join(file, 'x'), join(dir, 'dangling'), '/proc/nothing/here'])
    expect(makePrivate(path), path).toBe(false);
  expect([mode(target), existsSync(join(dir, 'nowhere'))], 'and changes nothing through a link').toEqual([
    0o755,
    false,
  ]);
});

it.skipIf(lacks('root'))("uses no directory of somebody else's, not even an open one", () => {
  const path = join(dir, 'theirs');
  mkdirSync(path);
  chownSync(path, NOBODY, NOBODY);
  chmodSync(path, 0o777);
  expect([makePrivate(path), mode(path)]).toEqual([false, 0o777]);
});

// The administrator can write everywhere, so this row is for everybody else.
const others = isRoot ? [] : ['fixed'];
it.each(others)('uses none that cannot be written', () => {
  const path = join(dir, 'fixed');
  mkdirSync(path, { mode: 0o500 });
  expect(makePrivate(path)).toBe(false);
  chmodSync(dir, 0o500);
  expect(makePrivate(join(dir, 'new'))).toBe(false);
});

it('knows whose process this is', () => {
  expect(userId()).toBe(statSync(dir).uid);
});

const OPENERS: readonly (readonly [string, (path: string) => { close(): void }])[] = [
  ['the state file', (path) => openDatabase(path, 'CREATE TABLE IF NOT EXISTS t (a);', 100).db],
  [
    'an index',
    (path) =>
      openDerived(path, { schema: 'CREATE TABLE IF NOT EXISTS t (a);', format: 3, busyMs: 100, pageBytes: 4096 }).db,
  ],
  [
    'a lock',
    (path) => {
      const lock = tryLock(path);
      return { close: () => lock?.release() };
    },
  ],
  ['a log', (path) => (nodeFiles.append(path, 'x'), { close() {} })],
];

describe.each(OPENERS)('%s', (what, open) => {
  it('is made for its owner alone, whatever the umask', () => {
    const path = join(dir, 'state/file');
    const before = process.umask(0);
    try {
      mkdirSync(join(dir, 'state'), { mode: 0o700 });
      const opened = open(path);
      expect(openToOthers(dir)).toEqual([]);
      opened.close();
    } finally {
      process.umask(before);
    }
    expect(mode(path)).toBe(0o600);
  });

  it.each([0o644, 0o666, 0o640])('is narrowed from mode %o when it is opened', (wide) => {
    const path = join(dir, 'state/file');
    mkdirSync(join(dir, 'state'));
    const first = open(path);
    for (const ending of ['', '-wal', '-shm']) if (existsSync(path + ending)) chmodSync(path + ending, wide);
    chmodSync(join(dir, 'state'), 0o775);
    first.close();
    const again = open(path);
    // The directory of a log is that of a database which is opened before it.
    expect(openToOthers(join(dir, 'state'))).toEqual(what === 'a log' ? expect.any(Array) : []);
    again.close();
    expect(mode(path)).toBe(0o600);
  });
});

it('leaves alone where anybody may make files, and follows no link', () => {
  const [shared, file] = [join(dir, 'shared'), join(dir, 'file')];
  mkdirSync(shared);
  chmodSync(shared, 0o1777);
  writeFileSync(file, '');
  chmodSync(file, 0o644);
  symlinkSync('/etc', join(dir, 'link'));
  expect([narrow(shared), mode(shared)]).toEqual([false, 0o777]);
  expect(openToOthers(dir)).toEqual([file, shared]);
});
