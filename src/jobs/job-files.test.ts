import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openAttempt } from './job-files.ts';
import type { JobAttempt } from './job-files.ts';
import { createOwnWrites } from './own-writes.ts';
import type { OwnWrites } from './own-writes.ts';
import { nodeFiles } from '../platform/files.ts';

let home: string;
let root: string;
let now: number;
let mayWrite: boolean;
let own: OwnWrites;
let attempt: JobAttempt;

beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'fairlead-job-')));
  root = join(home, 'project');
  mkdirSync(root, { mode: 0o755 });
  now = 1_000_000;
  mayWrite = true;
  own = createOwnWrites(nodeFiles, () => now);
  attempt = openAttempt({ files: nodeFiles, root, ownWrites: own, mayWrite: () => mayWrite });
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const at = (name: string) => join(root, name);
const put = (name: string, text: string | Uint8Array) => (writeFileSync(at(name), text), at(name));
const write = (name: string, text: string, expected?: string) => attempt.files.write(at(name), text, expected);

describe('writing', () => {
  test('replaces the file, keeps its mode and leaves nothing else', () => {
    put('a.md', 'old');
    chmodSync(at('a.md'), 0o640);
    write('a.md', 'new', 'old');
    expect(readFileSync(at('a.md'), 'utf8')).toBe('new');
    expect(statSync(at('a.md')).mode & 0o777).toBe(0o640);
    expect(readdirSync(root)).toEqual(['a.md']);
  });

  test('a byte order mark and carriage returns come back as they were', () => {
    put('a.md', '\ufeffone\r\ntwo\r\n');
    const text = attempt.files.readText(at('a.md')) ?? '';
    write('a.md', text.replace('one', '1'), text);
    expect(readFileSync(at('a.md'), 'utf8')).toBe('\ufeff1\r\ntwo\r\n');
  });

  test('what is there already is not written again', () => {
    put('a.md', 'same');
    utimesSync(at('a.md'), 1, 1);
    write('a.md', 'same', 'same');
    expect(statSync(at('a.md')).mtimeMs).toBe(1_000);
  });

  test.each<[string, string | undefined, string | undefined]>([
    ['holds something else by now', 'theirs', 'read before'],
    ['is gone', undefined, 'read before'],
    ['is there by now', 'theirs', undefined],
  ])('is refused when the file %s', (_, holds, expected) => {
    if (holds !== undefined) put('a.md', holds);
    expect(() => write('a.md', 'ours', expected)).toThrow(/changed/);
    expect(attempt.refused()).toBe('moved');
    expect(existsSync(at('a.md')) ? readFileSync(at('a.md'), 'utf8') : undefined).toBe(holds);
    expect(readdirSync(root).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  test('a change after the first look is not lost', () => {
    put('a.md', 'old');
    const files = {
      ...nodeFiles,
      replace: (...args: Parameters<typeof nodeFiles.replace>) => {
        put('a.md', 'theirs');
        return nodeFiles.replace(...args);
      },
    };
    attempt = openAttempt({ files, root, ownWrites: own, mayWrite: () => true });
    expect(() => write('a.md', 'ours', 'old')).toThrow(/changed/);
    expect(attempt.refused()).toBe('moved');
    expect(readFileSync(at('a.md'), 'utf8')).toBe('theirs');
    expect(readdirSync(root)).toEqual(['a.md']);
  });

  test('what is write-protected stays as it is', () => {
    put('a.md', 'theirs');
    chmodSync(at('a.md'), 0o444);
    expect(() => write('a.md', 'ours', 'theirs')).toThrow('write-protected');
    expect(attempt.refused()).toBeUndefined();
    expect(readFileSync(at('a.md'), 'utf8')).toBe('theirs');
  });

  test.each<[string, () => void, RegExp, 'moved' | 'stopped' | undefined]>([
    ['is off', () => (mayWrite = false), /off/, 'stopped'],
    ['protects the file', () => chmodSync(at('a.md'), 0o444), /write-protected/, undefined],
    ['has it changed', () => put('a.md', 'theirs'), /changed/, 'moved'],
    ['has it in Latin-1', () => put('a.md', new Uint8Array([0xe9])), /UTF-8/, undefined],
  ])('can be checked before it is done: one who %s', (_, spoil, problem, refused) => {
    put('a.md', 'old');
    expect(() => attempt.files.check(at('a.md'), 'old')).not.toThrow();
    spoil();
    const expected = attempt.files.readText(at('a.md')) === '\ufffd' ? '\ufffd' : 'old';
    expect(() => attempt.files.check(at('a.md'), expected)).toThrow(problem);
    expect(attempt.refused()).toBe(refused);
  });

  test('an update is made on what is there, also when that changes', () => {
    put('a.md', '1');
    let changes = 0;
    const files = {
      ...nodeFiles,
      replace: (...args: Parameters<typeof nodeFiles.replace>) => {
        if ((changes += 1) < 3) put('a.md', `${readFileSync(at('a.md'), 'utf8')}${changes}`);
        return nodeFiles.replace(...args);
      },
    };
    attempt = openAttempt({ files, root, ownWrites: own, mayWrite: () => true });
    attempt.files.update(at('a.md'), (text) => `${text}!`);
    expect(readFileSync(at('a.md'), 'utf8')).toBe('112!');
    expect(attempt.refused()).toBeUndefined();
    changes = Number.NEGATIVE_INFINITY;
    expect(() => attempt.files.update(at('a.md'), (text) => `${text}!`)).toThrow('kept changing');
    expect(attempt.refused()).toBeUndefined();
    expect(() => attempt.files.update(at('none'), (text) => text)).toThrow('cannot be read');
  });

  test('nothing is written while it may not be', () => {
    mayWrite = false;
    expect(() => write('a.md', 'new')).toThrow('Fairlead is off');
    expect(() => attempt.files.makeDir(at('dir'))).toThrow('Fairlead is off');
    expect(attempt.refused()).toBe('stopped');
    expect(readdirSync(root)).toEqual([]);
  });

  test('a file that is not UTF-8 can be read and stays as it is', () => {
    put('a.md', new Uint8Array([0x61, 0xe9, 0x62]));
    const text = attempt.files.readText(at('a.md'));
    expect(text).toBe('a\ufffdb');
    expect(() => write('a.md', `${text}!`, text)).toThrow(/UTF-8/);
    expect(attempt.refused()).toBeUndefined();
    expect([...readFileSync(at('a.md'))]).toEqual([0x61, 0xe9, 0x62]);
  });

  test.each(['file', 'directory', 'word'])('a %s that leads out of the workspace is not followed', (what) => {
    writeFileSync(join(home, 'theirs'), 'theirs');
    mkdirSync(join(home, 'elsewhere'));
    symlinkSync('../theirs', at('link'));
    symlinkSync('../elsewhere', at('dir'));
    const path = { file: at('link'), directory: at('dir/new.md'), word: at('../new.md') }[what] as string;
    expect(() => attempt.files.write(path, 'ours', what === 'file' ? 'theirs' : undefined)).toThrow(/outside/);
    expect(() => attempt.files.makeDir(at('dir/deep'))).toThrow(/outside/);
    expect(readFileSync(join(home, 'theirs'), 'utf8')).toBe('theirs');
    expect(readdirSync(home).sort()).toEqual(['elsewhere', 'project', 'theirs']);
    expect(readdirSync(join(home, 'elsewhere'))).toEqual([]);
  });

  test('new files and directories are as open as where they lie, whatever this process keeps to itself', () => {
    const before = process.umask(0o077);
    try {
      attempt.files.makeDir(at('docs/deep'));
      write('docs/deep/a.md', 'new');
    } finally {
      process.umask(before);
    }
    const mode = (name: string) => statSync(at(name)).mode & 0o777;
    expect([mode('docs'), mode('docs/deep'), mode('docs/deep/a.md')]).toEqual([0o755, 0o755, 0o644]);
  });
});

describe('own writes', () => {
  const mtime = (name: string) => statSync(at(name)).mtimeMs;

  test('are known for ten seconds', () => {
    write('a.md', 'ours');
    expect(own.has(at('a.md'), mtime('a.md'))).toBe(true);
    expect(own.has(at('b.md'), mtime('a.md'))).toBe(false);
    now += 9_999;
    expect(own.has(at('a.md'), mtime('a.md'))).toBe(true);
    now += 1;
    expect(own.has(at('a.md'), mtime('a.md'))).toBe(false);
  });

  test('a file that was only touched is still ours, one that was changed is not', () => {
    write('a.md', 'ours');
    utimesSync(at('a.md'), 5, 5);
    expect(own.has(at('a.md'), 5_000)).toBe(true);
    put('a.md', 'theirs');
    expect(own.has(at('a.md'), mtime('a.md'))).toBe(false);
  });
});
