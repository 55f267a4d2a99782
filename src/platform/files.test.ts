import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { canonicalPath, nodeFiles } from './files.ts';

let dir: string;
beforeEach(() => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), 'fairlead-files-')));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));
const at = (name: string) => join(dir, name);

describe('reading', () => {
  test('tells files, directories and the rest apart', () => {
    writeFileSync(at('f'), 'abc');
    symlinkSync('f', at('l'));
    expect(nodeFiles.stat(at('f'))).toMatchObject({ kind: 'file', size: 3, ino: statSync(at('f')).ino });
    expect(nodeFiles.stat(dir)?.kind).toBe('dir');
    expect(nodeFiles.stat(at('l'))?.kind).toBe('file');
    expect(nodeFiles.lstat(at('l'))?.kind).toBe('other');
  });

  test('answers undefined instead of throwing', () => {
    for (const path of [at('none'), at('none/x'), '\0', '']) {
      expect(nodeFiles.stat(path)).toBeUndefined();
      expect(nodeFiles.lstat(path)).toBeUndefined();
      expect(nodeFiles.readText(path)).toBeUndefined();
      expect(nodeFiles.readLink(path)).toBeUndefined();
      expect(nodeFiles.list(path)).toEqual([]);
      expect(nodeFiles.exists(path)).toBe(false);
    }
    expect(nodeFiles.realpath(at('none'))).toBeUndefined();
    expect(nodeFiles.readBytes(dir)).toBeUndefined();
  });

  test('stops at the limit', () => {
    writeFileSync(at('f'), 'äbcdef');
    expect(nodeFiles.readText(at('f'))).toBe('äbcdef');
    expect(nodeFiles.readText(at('f'), 4)).toBe('äbc');
    expect(nodeFiles.readText(at('f'), 400)).toBe('äbcdef');
  });

  test.each<[from: number, bytes: number, read: string]>([
    [0, 3, 'abc'],
    [2, 3, 'cde'],
    [4, 100, 'ef'],
    [6, 3, ''],
    [60, 3, ''],
    [0, 0, ''],
  ])('reads a part: from %d, %d bytes', (from, bytes, read) => {
    writeFileSync(at('f'), 'abcdef');
    expect(Buffer.from(nodeFiles.readRange(at('f'), from, bytes) ?? [0]).toString()).toBe(read);
  });

  test('reads no part of what is no file', () => {
    for (const path of [dir, at('none'), '\0']) expect(nodeFiles.readRange(path, 0, 1)).toBeUndefined();
  });

  test.skipIf(process.platform === 'win32')('does not wait for a pipe', () => {
    execFileSync('mkfifo', [at('pipe')]);
    expect(nodeFiles.readRange(at('pipe'), 0, 10)).toBeUndefined();
    expect(nodeFiles.readText(at('pipe'))).toBeUndefined();
    expect(nodeFiles.readText(at('pipe'), 10)).toBeUndefined();
  });

  test('lists in order, or no more than asked for', () => {
    for (const name of ['c', 'a', 'b']) writeFileSync(at(name), '');
    expect(nodeFiles.list(dir)).toEqual(['a', 'b', 'c']);
    expect(nodeFiles.list(dir, 9)).toEqual(['a', 'b', 'c']);
    expect(nodeFiles.list(dir, 2)).toHaveLength(2);
  });
});

describe('writing', () => {
  test('keeps the mode it finds, takes the one it is given', () => {
    writeFileSync(at('f'), 'old');
    chmodSync(at('f'), 0o640);
    nodeFiles.writeAtomic(at('f'), 'new');
    expect(readFileSync(at('f'), 'utf8')).toBe('new');
    expect(statSync(at('f')).mode & 0o777).toBe(0o640);
    nodeFiles.writeAtomic(at('f'), new Uint8Array([65]), 0o600);
    expect(readFileSync(at('f'), 'utf8')).toBe('A');
    expect(statSync(at('f')).mode & 0o777).toBe(0o600);
  });

  test('replaces the file, so that a reader has the old bytes or the new ones', () => {
    writeFileSync(at('f'), 'old');
    const before = statSync(at('f')).ino;
    nodeFiles.writeAtomic(at('f'), 'new');
    expect(statSync(at('f')).ino).not.toBe(before);
    expect(readdirSync(dir)).toEqual(['f']);
  });

  test('writes through a link', () => {
    mkdirSync(at('real'));
    symlinkSync('real/f', at('l'));
    nodeFiles.writeAtomic(at('l'), 'x');
    expect(lstatSync(at('l')).isSymbolicLink()).toBe(true);
    expect(readFileSync(at('real/f'), 'utf8')).toBe('x');
  });

  test('leaves nothing behind when it fails', () => {
    mkdirSync(at('d'));
    expect(() => nodeFiles.writeAtomic(at('d'), 'x')).toThrow('EISDIR');
    expect(() => nodeFiles.writeAtomic(at('none/f'), 'x')).toThrow('ENOENT');
    expect(readdirSync(dir)).toEqual(['d']);
  });

  test('directories, appending and removing', () => {
    nodeFiles.makeDir(at('x/y'), 0o700);
    expect(statSync(at('x/y')).mode & 0o777).toBe(0o700);
    nodeFiles.append(at('x/log'), 'a\n');
    nodeFiles.append(at('x/log'), 'b\n');
    expect(readFileSync(at('x/log'), 'utf8')).toBe('a\nb\n');
    expect(statSync(at('x/log')).mode & 0o777).toBe(0o600);
    nodeFiles.remove(at('x/log'));
    nodeFiles.remove(at('x/log'));
    expect(nodeFiles.exists(at('x/log'))).toBe(false);
    expect(() => nodeFiles.remove(at('x'))).toThrow('directory');
  });
});

test('the canonical path follows every link, also to what does not exist', () => {
  mkdirSync(at('real'));
  symlinkSync('real', at('alias'));
  symlinkSync('alias/new', at('dangling'));
  symlinkSync('loop', at('loop'));
  const rows: Record<string, string> = {
    alias: 'real',
    'alias/a/b': 'real/a/b',
    dangling: 'real/new',
    'dangling/x': 'real/new/x',
    'real/../q': 'q',
    loop: 'loop',
  };
  for (const [path, expected] of Object.entries(rows))
    expect(canonicalPath(nodeFiles, `${dir}/${path}`), path).toBe(at(expected));
});
