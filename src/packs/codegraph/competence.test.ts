import { describe, expect, it } from 'vitest';
import { competence } from './search-nudge.ts';
import type { Search } from './search.ts';

const SEARCH: Search = {
  tool: 'search',
  patterns: ['parseConfig'],
  places: ['/p'],
  globs: [],
  types: [],
  listing: false,
};
const LISTING: Search = { ...SEARCH, patterns: [], listing: true };

const why = (search: Search, languages?: readonly string[], place = '/p') =>
  competence(search, place, {
    root: '/p',
    ignored: (path) => path.startsWith('/p/generated'),
    ...(languages ? { languages: new Set(languages) } : {}),
  });

describe('where it searches', () => {
  it.each([
    ['/p', undefined],
    ['/p/src', undefined],
    ['/p/..data', undefined],
    ['/', 'outside'],
    ['/other', 'outside'],
    ['/p2', 'outside'],
    ['/p/node_modules', 'dependency'],
    ['/p/packages/x/node_modules/y', 'dependency'],
    ['/p/vendor/lib', 'dependency'],
    ['/p/.venv', 'dependency'],
    ['/p/dist', 'dependency'],
    ['/p/target/debug', 'dependency'],
    ['/p/generated/api', 'dependency'],
    ['/p/src/vendors', undefined],
    ['/p/docs', 'other-languages'],
    ['/p/packages/x/doc/images', 'other-languages'],
    ['/p/.github', 'other-languages'],
    ['/p/src/docstrings', undefined],
  ])('%s: %s', (place, expected) => {
    expect(why(SEARCH, undefined, place)).toBe(expected);
  });

  it('code among texts, where its language is named', () => {
    expect(why({ ...SEARCH, types: ['ts'] }, undefined, '/p/docs')).toBeUndefined();
    expect(why({ ...LISTING, globs: ['docs/**/*.py'] })).toBeUndefined();
    expect(why({ ...LISTING, globs: ['./docs/*'] })).toBe('other-languages');
  });

  it('asks nothing about the root itself', () => {
    expect(competence(SEARCH, '/p', { root: '/p', ignored: () => true })).toBeUndefined();
  });

  it('a root below a directory of such a name is a root like others', () => {
    expect(competence(SEARCH, '/x/vendor/p/src', { root: '/x/vendor/p', ignored: () => false })).toBeUndefined();
  });
});

describe('which files it searches', () => {
  it.each([
    [{ globs: ['*.md'] }, 'other-languages'],
    [{ globs: ['*.ts'] }, undefined],
    [{ globs: ['*.md', '*.ts'] }, undefined],
    [{ globs: ['*.{json,yaml}'] }, 'other-languages'],
    [{ globs: ['**/*.{md,tsx}'] }, undefined],
    [{ globs: ['src/**'] }, undefined],
    [{ globs: ['*.lock'] }, 'other-languages'],
    [{ globs: ['*.TS'] }, undefined],
    [{ types: ['json'] }, 'other-languages'],
    [{ types: ['ts'] }, undefined],
    [{ types: ['py', 'md'] }, undefined],
    [{ types: ['mine'] }, undefined],
    [{ types: ['ts'], globs: ['*.md'] }, 'other-languages'],
    [{ globs: ['**/node_modules/**/*.ts'] }, 'dependency'],
    [{ globs: ['**/node_modules/**', 'src/**'] }, undefined],
  ])('%j: %s', (more, expected) => {
    expect(why({ ...SEARCH, ...more })).toBe(expected);
  });

  it('knows only the languages the index has', () => {
    expect(why({ ...SEARCH, types: ['rust'] }, ['python'])).toBe('other-languages');
    expect(why({ ...SEARCH, globs: ['*.py'] }, ['python'])).toBeUndefined();
    expect(why({ ...LISTING, patterns: ['\\.rs$'] }, ['python'])).toBe('other-languages');
  });
});

describe('what it asks for', () => {
  it.each([
    [{ patterns: ['[0-9]+'] }, 'no-term'],
    [{ patterns: [] }, 'no-term'],
    [{ patterns: ['"\\)'], types: ['ts'] }, 'no-term'],
    [{ patterns: ['function'] }, 'no-term'],
  ])('content %j: %s', (more, expected) => {
    expect(why({ ...SEARCH, ...more })).toBe(expected);
  });

  it.each([
    [{}, undefined],
    [{ globs: ['**/*.ts'] }, undefined],
    [{ globs: ['**/*Config*'] }, undefined],
    [{ globs: ['*[0-9]*'] }, 'no-term'],
    [{ patterns: ['[0-9]'] }, 'no-term'],
    [{ globs: ['**/*.md'] }, 'other-languages'],
    [{ globs: ['*readme*'] }, 'other-languages'],
    [{ globs: ['[Rr]eadme*'] }, 'other-languages'],
    [{ globs: ['**/Dockerfile*'] }, 'other-languages'],
    [{ globs: ['.env*'] }, 'other-languages'],
    [{ globs: ['*.env*'] }, 'other-languages'],
    [{ globs: ['**/.eslintrc*'] }, 'other-languages'],
    [{ globs: ['tsconfig*'] }, 'other-languages'],
    [{ globs: ['*LICENSE*', '*Config*'] }, undefined],
    [{ globs: ['*licenseKey*'] }, undefined],
    [{ globs: ['.storybook/*.ts'] }, undefined],
    [{ globs: ['*environment*'] }, undefined],
    [{ patterns: ['readme'] }, 'other-languages'],
    [{ patterns: ['^\\.env.*'] }, 'other-languages'],
    [{ patterns: ['.parse.*'] }, undefined],
    [{ facts: true as const }, 'facts'],
    [{ globs: ['**/*.ts'], facts: true as const }, 'facts'],
  ])('files %j: %s', (more, expected) => {
    expect(why({ ...LISTING, ...more })).toBe(expected);
  });
});
