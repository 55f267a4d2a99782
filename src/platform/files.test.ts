import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import fs, {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { canonicalPath, nodeFiles } from './files.ts';

let dir: string;
beforeEach(() => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), 'fairlead-files-')));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));
const at = (name: string) => join(dir, name);

describe('reading', () => {
  test('misses a file where Node was told to freeze what all code shares', () => {
    const usual = Object.getOwnPropertyDescriptor(Error, 'stackTraceLimit') ?? {};
    Object.defineProperty(Error, 'stackTraceLimit', { ...usual, writable: false });
    try {
      expect(nodeFiles.realpath(at('none'))).toBeUndefined();
    } finally {
      Object.defineProperty(Error, 'stackTraceLimit', usual);
    }
    expect(nodeFiles.realpath(at('none'))).toBeUndefined();
    expect(new Error('shown').stack, 'after a miss').toContain('\n');
  });

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
    expect(() => nodeFiles.writeAtomic(at('none/f'), 'x')).toThrow(
      `ENOENT: no such file or directory, open '${at('none/f')}'`,
    );
    writeFileSync(at('f'), '');
    expect(() => nodeFiles.writeAtomic(at('f/g'), 'x')).toThrow(`ENOTDIR: not a directory, open '${at('f/g')}'`);
    expect(readdirSync(dir)).toEqual(['d', 'f']);
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

describe('replacing what others may write too', () => {
  const read = (name: string) => readFileSync(at(name), 'utf8');

  test('is done when the file holds what is expected, and not otherwise', () => {
    writeFileSync(at('f'), 'old');
    chmodSync(at('f'), 0o640);
    expect(nodeFiles.replace(at('f'), 'new', 'old')).toBe(true);
    expect([read('f'), statSync(at('f')).mode & 0o777]).toEqual(['new', 0o640]);
    expect(nodeFiles.replace(at('f'), 'newer', 'old')).toBe(false);
    expect(nodeFiles.replace(at('f'), 'newer', undefined)).toBe(false);
    expect(nodeFiles.replace(at('g'), 'newer', 'old')).toBe(false);
    expect(nodeFiles.replace(at('g'), 'first', undefined)).toBe(true);
    expect([read('f'), read('g'), statSync(at('g')).nlink]).toEqual(['new', 'first', 1]);
    expect(readdirSync(dir)).toEqual(['f', 'g']);
  });

  /** Somebody else does something right before a call that this process makes. */
  function before(call: 'renameSync' | 'linkSync', theirs: () => void): void {
    const original = fs[call];
    let isDone = false;
    fs[call] = (from, to) => {
      if (!isDone) {
        isDone = true;
        theirs();
      }
      original(from, to);
    };
    restore = () => void (fs[call] = original);
    syncBuiltinESMExports();
  }
  let restore = () => {};
  afterEach(() => {
    restore();
    restore = () => {};
    syncBuiltinESMExports();
  });

  test('text that is written between the comparison and the rename is put back', () => {
    writeFileSync(at('f'), 'old');
    before('renameSync', () => writeFileSync(at('f'), 'theirs'));
    expect(nodeFiles.replace(at('f'), 'new', 'old')).toBe(false);
    expect(read('f')).toBe('theirs');
    expect(readdirSync(dir)).toEqual(['f']);
  });

  test('so is text of which only the beginning is there at first', async () => {
    writeFileSync(at('f'), 'old');
    const shared = new Int32Array(new SharedArrayBuffer(4));
    const writer = new Worker(
      `const { writeSync } = require('node:fs'); const { workerData: { shared, descriptor } } = require('node:worker_threads');
       Atomics.wait(shared, 0, 0); Atomics.wait(shared, 0, 1, 12); writeSync(descriptor, 'theirs');`,
      { eval: true, workerData: { shared, descriptor: openSync(at('f'), 'r+') } },
    );
    await once(writer, 'online');
    before('renameSync', () => {
      truncateSync(at('f'));
      Atomics.store(shared, 0, 1);
      Atomics.notify(shared, 0);
    });
    expect(nodeFiles.replace(at('f'), 'new', 'old')).toBe(false);
    expect(read('f')).toBe('theirs');
    await once(writer, 'exit');
  });

  test('a file that appears at the last moment stays', () => {
    before('linkSync', () => writeFileSync(at('f'), 'theirs'));
    expect(nodeFiles.replace(at('f'), 'new', undefined)).toBe(false);
    expect(read('f')).toBe('theirs');
    expect(readdirSync(dir)).toEqual(['f']);
  });

  test('works where a file has one name only', () => {
    before('linkSync', () => {
      throw Object.assign(new Error('no'), { code: 'EPERM' });
    });
    expect(nodeFiles.replace(at('f'), 'new', undefined)).toBe(true);
    expect(read('f')).toBe('new');
  });

  test('tells what is protected', () => {
    writeFileSync(at('f'), '');
    expect([nodeFiles.isProtected(at('f')), nodeFiles.isProtected(at('none'))]).toEqual([false, false]);
    chmodSync(at('f'), 0o444);
    expect(nodeFiles.isProtected(at('f'))).toBe(true);
  });
});

test('the canonical path of what does not exist is found with few looks, however long it is', () => {
  let looks = 0;
  const counted = (name: 'exists' | 'lstat' | 'realpath' | 'readLink') => (path: string) => {
    looks += 1;
    return nodeFiles[name](path) as never;
  };
  const files = {
    ...nodeFiles,
    exists: counted('exists'),
    lstat: counted('lstat'),
    realpath: counted('realpath'),
    readLink: counted('readLink'),
  };
  const long = `${dir}/none${'/a'.repeat(15_000)}`;
  expect(canonicalPath(files, long)).toBe(long);
  expect(looks).toBeLessThan(50);
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
