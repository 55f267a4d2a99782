import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cases } from '../../test/cases.ts';
import { compileGlob, keysOfPath, matchGlob, matchGlobPath, requiredKeys } from './glob.ts';

const split = (path: string) => path.split('/').filter((part) => part !== '');
/** `path` counts from the workspace root, which is /w. */
const matches = (glob: string, path: string) => matchGlob(compileGlob(glob), split(path), ['w', ...split(path)]);

describe('matchGlob', () => {
  it.each([
    ['*.ts', 'a.ts', true],
    ['*.ts', 'src/deep/a.ts', true],
    ['*.ts', 'a.tsx', false],
    ['package.json', 'packages/a/package.json', true],
    ['./package.json', 'package.json', true],
    ['./package.json', 'packages/a/package.json', false],
    ['src/*.ts', 'src/a.ts', true],
    ['src/*.ts', 'src/deep/a.ts', false],
    ['src/*.ts', 'lib/src/a.ts', false],
    ['src/**', 'src/deep/a.ts', true],
    ['src/**', 'src', true],
    ['src/', 'src/deep/a.ts', true],
    ['src/', 'lib/src/a.ts', false],
    ['**/test/**', 'a/test/b', true],
    ['**/test/**', 'a/tests/b', false],
    ['**/*.{md,mdx}', 'docs/a.mdx', true],
    ['{a,b/{c,d}}/x', 'b/d/x', true],
    ['{a}', '{a}', true],
    ['file?.ts', 'file1.ts', true],
    ['file?.ts', 'file12.ts', false],
    ['[a-c].ts', 'b.ts', true],
    ['[!a-c].ts', 'b.ts', false],
    ['[^a-c].ts', 'd.ts', true],
    ['[ab', '[ab', true],
    ['a*b*c', 'axxbyyc', true],
    ['a*b*c', 'axxc', false],
    ['a*a', 'a', false],
    ['\\*.ts', '*.ts', true],
    ['\\*.ts', 'a.ts', false],
    ['/w/src/a.ts', 'src/a.ts', true],
    ['/src/a.ts', 'src/a.ts', false],
    ['**', 'anything/at/all', true],
    ['', 'a', false],
  ])('%s on %s: %s', (glob, path, expected) => {
    expect(matches(glob, path)).toBe(expected);
  });

  it.each([
    ['*.ts', true],
    ['**/a.ts', true],
    ['/else/a.ts', true],
    ['else/a.ts', false],
  ])('%s on a path outside every workspace: %s', (glob, expected) => {
    expect(matchGlob(compileGlob(glob), undefined, ['else', 'a.ts'])).toBe(expected);
  });
});

/** Small alphabets, so that matches happen. */
const part = fc.constantFrom('a', 'b', '*', '?', '[ab]', '[!a]', '.', '.a');
const segment = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .array(part, { minLength: 1, maxLength: 5 })
      .map((parts) => parts.join(''))
      .filter((text) => text !== '.'),
  },
  { weight: 1, arbitrary: fc.constant('**') },
);
const globText = fc.array(segment, { minLength: 1, maxLength: 4 }).map((segments) => segments.join('/'));
const braced = fc.tuple(globText, globText, globText).map(([head, one, other]) => `${head}/{${one},${other}}`);
const pathSegment = fc.string({ unit: fc.constantFrom('a', 'b', 'c', '.'), minLength: 1, maxLength: 6 });
const path = fc.array(pathSegment, { minLength: 1, maxLength: 5 });

/** The definition, with all the backtracking a definition may have. */
function isMatch(pattern: readonly string[], segments: readonly string[]): boolean {
  const [first, ...rest] = pattern;
  if (first === undefined) return segments.length === 0;
  if (first === '**') return isMatch(rest, segments) || (segments.length > 0 && isMatch(pattern, segments.slice(1)));
  const [text, ...others] = segments;
  if (text === undefined) return false;
  const source = first.replaceAll('.', '\\.').replaceAll('[!', '[^').replaceAll('*', '.*').replaceAll('?', '.');
  return new RegExp(`^(?:${source})$`).test(text) && isMatch(rest, others);
}

function reference(glob: string, segments: readonly string[]): boolean {
  const group = /^(.*)\{(.*),(.*)\}$/.exec(glob);
  if (group) return [group[2], group[3]].some((body) => reference(`${group[1]}${body}`, segments));
  return isMatch(split(glob.includes('/') ? glob : `**/${glob}`), segments);
}

describe('for any glob and path', () => {
  it('agrees with the definition', () => {
    fc.assert(
      fc.property(fc.oneof(globText, braced), path, (glob, segments) => {
        expect(matchGlob(compileGlob(glob), segments, ['w', ...segments])).toBe(reference(glob, segments));
      }),
      cases(3_000),
    );
  });

  it('has no match without one of its required keys', () => {
    fc.assert(
      fc.property(fc.oneof(globText, braced), path, (glob, segments) => {
        const keys = new Set(keysOfPath(['w', ...segments]));
        for (const alternative of compileGlob(glob).alternatives) {
          if (!matchGlobPath(alternative, segments, ['w', ...segments])) continue;
          for (const key of requiredKeys(alternative)) expect(keys).toContain(key);
        }
      }),
      cases(3_000),
    );
  });
});

describe('work is bounded', () => {
  /** Counts how often the matcher looks at a path's segments. */
  function counted(segments: readonly string[]): { segments: readonly string[]; looks: () => number } {
    let looks = 0;
    const watched = new Proxy(segments, {
      get(target, key, receiver) {
        if (typeof key === 'string' && /^\d+$/.test(key)) looks += 1;
        return Reflect.get(target, key, receiver) as unknown;
      },
    });
    return { segments: watched, looks: () => looks };
  }

  it('grows with pattern times path, however many ** there are', () => {
    const glob = compileGlob(`${'**/a/'.repeat(20)}b`);
    const { segments, looks } = counted(Array.from({ length: 400 }, () => 'a'));
    expect(matchGlob(glob, segments, segments)).toBe(false);
    expect(looks()).toBeLessThan(400 * 42);
  });

  it('does not expand braces without end', () => {
    const glob = compileGlob('{a,b}'.repeat(40));
    expect(glob.alternatives.length).toBeLessThanOrEqual(256);
  });

  it('matches a segment of many stars against a long name', () => {
    expect(matches(`${'*a'.repeat(30)}b`, 'a'.repeat(5_000))).toBe(false);
  });
});
