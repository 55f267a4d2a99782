import { describe, expect, it } from 'vitest';
import { digestOfSettings, graphWanted, readGraphSettings } from './settings.ts';

const DEFAULT = { walk: {}, pictures: 'auto', force: false };

describe('the options of the pack', () => {
  it.each<[string, Readonly<Record<string, unknown>> | undefined, object]>([
    ['none', undefined, {}],
    ['empty', {}, {}],
    [
      'which files',
      { index: { include: ['src/**'], exclude: ['gen/**'], maxFiles: 100 } },
      {
        walk: { include: ['src/**'], exclude: ['gen/**'], maxFiles: 100 },
      },
    ],
    ['one glob without a list', { index: { exclude: 'gen/**' } }, { walk: { exclude: ['gen/**'] } }],
    ['a size in words', { index: { maxFile: '1MiB' } }, { maxFile: 1_048_576 }],
    ['a size with a blank', { index: { maxFile: '1.5 kB' } }, { maxFile: 1_500 }],
    ['a size in bytes', { index: { maxFile: 4_096 } }, { maxFile: 4_096 }],
    ['a size in bytes as text', { index: { maxFile: '4096' } }, { maxFile: 4_096 }],
    ['languages', { languages: ['python', 'go'] }, { walk: { languages: ['python', 'go'] } }],
    ['one language', { languages: 'rust' }, { walk: { languages: ['rust'] } }],
    ['pictures on request', { pictures: 'explicit' }, { pictures: 'explicit' }],
    ['a place for pictures', { pictures: { out: 'docs' } }, { picturesOut: 'docs' }],
    ['a place, and when', { pictures: { out: 'docs', when: 'off' } }, { picturesOut: 'docs', pictures: 'off' }],
    ['no pictures', { pictures: 'off' }, { pictures: 'off' }],
    ['no pictures, as YAML reads it', { pictures: false }, { pictures: 'off' }],
    ['any root', { roots: { force: true } }, { force: true }],
    ['any root, as a word', { roots: { force: 'on' } }, { force: true }],
    ['lists that are none', { index: { include: 3, exclude: [4, ''] }, languages: ['klingon', 5] }, {}],
    ['sizes that are none', { index: { maxFile: '1 parsec', maxFiles: '-3' } }, {}],
    ['sizes below one', { index: { maxFile: '0', maxFiles: 0 } }, {}],
    ['a list where a map belongs', { index: ['src'], roots: [true], pictures: 'never' }, {}],
  ])('%s', (_what, options, expected) => {
    expect(readGraphSettings(options)).toEqual({ ...DEFAULT, ...expected });
  });

  it.each([
    [undefined, false],
    [{}, false],
    [{ enabled: false }, false],
    [{ enabled: true }, true],
    [{ enabled: true, mode: 'off' }, false],
    [{ enabled: true, mode: 'shadow' }, true],
  ])('%j wants an index: %s', (pack, isWanted) => {
    expect(graphWanted(pack) !== undefined).toBe(isWanted);
  });

  it('an index depends on which files are in it, and on nothing else', () => {
    const digest = (options: Readonly<Record<string, unknown>>) => digestOfSettings(readGraphSettings(options));
    expect(digest({ pictures: 'off', roots: { force: true } })).toBe(digest({}));
    expect(digest({ languages: ['go'] })).not.toBe(digest({}));
    expect(digest({ index: { maxFile: '2MiB' } })).not.toBe(digest({}));
  });
});
