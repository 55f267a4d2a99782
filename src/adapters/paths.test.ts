import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { isAbsolute, resolvePath, stem } from './paths.ts';

const base = { cwd: '/home/dev/project/src', home: '/home/dev' };
const windows = { cwd: 'C:\\Users\\dev\\project', home: 'C:\\Users\\dev' };

describe('resolvePath', () => {
  it.each([
    ['/home/dev/a.ts', '/home/dev/a.ts'],
    ['a.ts', '/home/dev/project/src/a.ts'],
    ['../a.ts', '/home/dev/project/a.ts'],
    ['./x/./y//z', '/home/dev/project/src/x/y/z'],
    ['/a/../../b/', '/b'],
    ['/', '/'],
    ['.', '/home/dev/project/src'],
    ['', '/home/dev/project/src'],
    ['~', '/home/dev'],
    ['~/n.md', '/home/dev/n.md'],
    ['~other/n.md', '/home/dev/project/src/~other/n.md'],
    ['file:///home/dev/with%20space.md', '/home/dev/with space.md'],
    ['file://localhost/etc/hosts', '/etc/hosts'],
    ['file:///c:/Users/x.ts', 'c:/Users/x.ts'],
    ['file:///bad%zz', '/bad%zz'],
    ['a\\b', '/home/dev/project/src/a\\b'],
    ['.hidden', '/home/dev/project/src/.hidden'],
    ['/a/...', '/a/...'],
    ['/a//b', '/a/b'],
    ['C:\\x\\..\\y.ts', 'C:/y.ts'],
    ['C:/', 'C:/'],
    ['//etc/passwd', '/etc/passwd'],
    ['file://server/share/f', '//server/share/f'],
    ['\\\\server\\share\\f', '//server/share/f'],
  ])('%j', (path, expected) => {
    expect(resolvePath(path, base)).toBe(expected);
  });

  it.each([
    ['src\\a.ts', 'C:/Users/dev/project/src/a.ts'],
    ['..\\a.ts', 'C:/Users/dev/a.ts'],
    ['~\\a.ts', 'C:/Users/dev/a.ts'],
    ['D:\\a.ts', 'D:/a.ts'],
  ])('on Windows %j', (path, expected) => {
    expect(resolvePath(path, windows)).toBe(expected);
  });

  it('stays relative when the payload gave nothing to start from', () => {
    expect(resolvePath('../a/./b', { cwd: '', home: '' })).toBe('../a/b');
    expect(resolvePath('~/a', { cwd: '', home: '' })).toBe('~/a');
  });

  it('is absolute, free of dots and stable for every input', () => {
    const part = fc.oneof(fc.constantFrom('.', '..', '', '~', 'a', 'b.ts', 'C:', 'file:'), fc.string({ maxLength: 4 }));
    fc.assert(
      fc.property(fc.array(part, { maxLength: 6 }), (parts) => {
        const path = resolvePath(parts.join('/'), base);
        expect(isAbsolute(path)).toBe(true);
        expect(path.split('/').some((p) => p === '.' || p === '..')).toBe(false);
        if (!path.startsWith('//')) expect(resolvePath(path, base)).toBe(path);
      }),
    );
  });
});

it.each([
  ['/a/b/ccc.jsonl', 'ccc'],
  ['C:\\a\\ccc.jsonl', 'ccc'],
  ['ccc', 'ccc'],
  ['/a/.hidden', '.hidden'],
  ['/a/', ''],
])('stem of %j', (path, expected) => {
  expect(stem(path)).toBe(expected);
});
