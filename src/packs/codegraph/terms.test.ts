import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cpuTimeOf } from '../../../test/cpu-time.ts';
import { languageOf } from './languages.ts';
import type { Search } from './search.ts';
import { termsOf } from './terms.ts';

const NOTHING: Search = { tool: 'search', patterns: [], places: ['/p'], globs: [], types: [], listing: false };
const content = (...patterns: readonly string[]): Search => ({ ...NOTHING, patterns });
const files = (more: Partial<Search>): Search => ({ ...NOTHING, tool: 'glob', listing: true, ...more });

describe('the words of a pattern', () => {
  it.each([
    ['white space and brackets', 'function\\s+parseConfig\\(', 'parseConfig'],
    ['a name', 'parseConfig', 'parseConfig'],
    ['alternatives', 'loadConfig|saveConfig', 'loadConfig saveConfig'],
    ['alternatives of basic expressions', 'loadConfig\\|saveConfig', 'loadConfig saveConfig'],
    ['anchors and boundaries', '^\\bhandle\\b$', 'handle'],
    ['boundaries of basic expressions', '\\<handle\\>', 'handle'],
    ['groups', '(?:get|set)(?<what>User)(?i)Name', 'get User Name'],
    ['classes', '[A-Z]parse[a-z_]*Config[]x]Tail', 'parse Config Tail'],
    ['named classes', '[[:space:]]parse[[:alpha:]_]+', 'parse'],
    ['quantifiers', 'parse{2,3}Config+', 'parse Config'],
    ['escapes', '\\w+Config\\.load\\(\\d+\\)\\u0041bcd\\p{Letter}', 'Config load bcd'],
    ['dots part names', 'app.router.use', 'app router'],
    ['keywords', 'export const class import return async function while', ''],
    ['keywords only as written', 'Class|Import', 'Class Import'],
    ['duplicates', 'User|user|User', 'User user'],
    ['short words', 'ab a1b2 abc x_y_z _id', 'abc x_y_z'],
    ['digits and punctuation', '[0-9]+', ''],
    ['a number with letters', '0xdeadbeef 3com', ''],
    ['no more than four', 'alpha|beta|gamma|delta|epsilon', 'alpha beta gamma delta'],
    ['names of other scripts', 'größe|数据库|имя', 'größe 数据库 имя'],
    ['a literal brace', 'import { useStore } from', 'useStore'],
    ['an open class', '[abc', 'abc'],
    ['nothing', '', ''],
    ['colours', '\u001b[31mparseConfig\u001b[0m', 'parseConfig'],
    ['direction marks', '\u202eparse\u202cConfig\u0000tail', 'parse Config tail'],
  ])('%s: %j', (_name, pattern, words) => {
    expect(termsOf(content(pattern))).toEqual(words === '' ? [] : words.split(' '));
  });

  it('takes words from all patterns, and none from what limits the files', () => {
    expect(termsOf({ ...content('alpha', 'beta'), globs: ['*Store*'], types: ['json'] })).toEqual(['alpha', 'beta']);
  });

  it('leaves out a word that does not fit', () => {
    expect(termsOf(content(`${'a'.repeat(81)}|${'b'.repeat(70)}|${'c'.repeat(10)}|dddd`))).toEqual([
      'b'.repeat(70),
      'dddd',
    ]);
  });
});

describe('a sentence is no name', () => {
  it.each([
    ['could not open file', ''],
    ['failed to parse', ''],
    ['Error: cannot find module', ''],
    ['Warning: deprecated', ''],
    ['not implemented', ''],
    ['File not found', ''],
    ['fix this later', ''],
    ['connection refused', ''],
    ['unknown option', ''],
    ["don't use", ''],
    ['could\\s+not\\s+open', ''],
    ['access[[:space:]]denied', ''],
    ['"use strict"', ''],
    ['git reset --hard', ''],
    ['npm run build', ''],
    [`it\\('parses all'`, ''],
    ['(could not|cannot) parseConfig', 'parseConfig'],
    ['TODO', ''],
    ['TODO: remove this', ''],
    ['parseConfig has failed', 'parseConfig'],
    ['cannot read max_depth of undefined', 'max_depth'],
    ['parseConfig|could not open file', 'parseConfig'],
    ['open|could not open file', 'open'],
  ])('%s: %j', (pattern, words) => {
    expect(termsOf(content(pattern))).toEqual(words === '' ? [] : words.split(' '));
  });

  it.each([
    ['class Config extends Base', 'Config Base'],
    ['private String name', 'String name'],
    ['User user', 'User user'],
    ['user: User', 'user User'],
    ['opts Options', 'opts Options'],
    ['impl Display for Config', 'Display Config'],
    ['Foo extends Bar', 'Foo Bar'],
    ['def parse', 'parse'],
    ['return config', 'config'],
    ['new Error', 'Error'],
    ['for item in cart', 'item cart'],
    ['if not config', 'config'],
    ['throw new TypeError', 'TypeError'],
    ['parse{2,3}Config', 'parse Config'],
    ['config = load', 'config load'],
    ['handle\\(request, reply', 'handle'],
  ])('and this is code: %s', (pattern, words) => {
    expect(termsOf(content(pattern))).toEqual(expect.arrayContaining(words.split(' ')));
  });

  const prose = fc.constantFrom('open', 'Found', 'module', 'denied', 'request', 'server', 'missing', 'closed');
  const glue = fc.constantFrom('the', 'to', 'cannot', 'was', 'your', 'no', 'must');
  const name = fc.constantFrom('parseConfig', 'max_depth', 'HttpServer', 'load2', 'readFileSync');

  it('whatever it is made of; a name in it stays one', () => {
    fc.assert(
      fc.property(fc.array(prose), glue, fc.array(prose, { minLength: 1 }), name, (before, link, after, known) => {
        const sentence = [...before, link, ...after];
        expect(termsOf(content(sentence.join(' ')))).toEqual([]);
        expect(termsOf(content([...sentence, known].join(' ')))).toEqual([known]);
        expect(termsOf(content(`${known}|${sentence.join(' ')}`))).toEqual([known]);
      }),
    );
  });
});

describe('what looks like a secret is no word', () => {
  it.each([
    ['between quotes in classes', `password\\s*=\\s*['"]hunter2secret['"]`, 'password'],
    ['of a token', 'token.*=.*d8e8fca2dc0f896fd7cb4cb0031ba249', 'token'],
    ['in hexadecimal, wherever it stands', 'd8e8fca2dc0f896fd7cb4cb0031ba249|parseConfig', 'parseConfig'],
    ['in base 64', 'aGVsbG8gd29ybGQ1Zm9vYmFy/x9s8d7f6g5+abc|parseConfig', 'parseConfig'],
    ['after a class that may be an assignment', '(password|user)\\s*[:=]\\s*swordfish', 'password user'],
    ['in alternatives', 'password\\s*=\\s*(swordfish|correcthorse)|loadConfig', 'password loadConfig'],
    ['in alternatives of basic expressions', 'password=\\(foo1\\|swordfish\\)\\|loadConfig', 'password loadConfig'],
    ['of a name in parts', `api[_-]?key["']?\\s*[:=]\\s*["'](swordfish)`, 'api key'],
    ['in parts', `password\\s*=\\s*["']correct[-_]horse["']`, 'password'],
    ['after anything but a letter', 'password\\W+swordfish', 'password'],
    ['after a gap, with digits', 'password.*hunter2secret', 'password'],
    ['after a word for tokens', 'Bearer\\s+abcdefghijkl|parseConfig', 'parseConfig'],
    ['in an address', 'https://bob:sword\\$fish@host', 'https bob host'],
    ['as a key of known shape', 'AKIA0123456789ABCDEF|parseConfig', 'parseConfig'],
  ])('%s: %s', (_name, pattern, words) => {
    expect(termsOf(content(pattern))).toEqual(words.split(' '));
    expect(termsOf(files({ patterns: [pattern] }))).toEqual(words.split(' '));
  });

  it.each([
    ['password.*Reset', 'password Reset'],
    ['resetPassword|validateToken', 'resetPassword validateToken'],
    ['parseBase64UrlEncodedStringV2', 'parseBase64UrlEncodedStringV2'],
    ['tokenize\\(|sha256', 'tokenize sha256'],
  ])('and these are words: %s', (pattern, words) => {
    expect(termsOf(content(pattern))).toEqual(words.split(' '));
  });
});

describe('the words of a listing', () => {
  it.each([
    ['**/*Config*.ts', 'Config', 'typescript'],
    ['src/components/**/use*Store.tsx', 'Store', 'typescript'],
    ['**/auth/*.go', 'auth', 'go'],
    ['src/auth/*.py', '', 'python'],
    ['*.{ts,tsx}', '', 'typescript'],
    ['**/*.{md,rs}', '', 'rust'],
    ['**/*.test.*', '', undefined],
    ['**/*.test.ts', '', 'typescript'],
    ['src/**/userProfile.service.ts', 'userProfile', 'typescript'],
    ['**/index.{ts,js}', '', 'typescript'],
    ['**/__tests__/**/*.py', '', 'python'],
    ['*.d.ts', '', 'typescript'],
    ['**/*.md', '', undefined],
    ['**/{Alpha,Beta}*.java', 'Alpha Beta', 'java'],
    ['*[0-9]*', '', undefined],
  ])('%s', (glob, words, language) => {
    const search = files({ globs: [glob] });
    expect(termsOf(search)).toEqual(words === '' ? [] : words.split(' '));
    expect(languageOf(search)).toBe(language);
  });

  it('come from the filter before the glob', () => {
    expect(termsOf(files({ patterns: ['auth'], globs: ['*Store*'] }))).toEqual(['auth']);
  });

  it('do not take an ending for a name', () => {
    const search = files({ patterns: ['\\.java$'] });
    expect([termsOf(search), languageOf(search)]).toEqual([[], 'java']);
    expect(termsOf(content('\\.java$'))).toEqual(['java']);
  });
});

const anything = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc
    .array(
      fc.constantFrom(
        'foo',
        'parseConfig',
        '\\b',
        '\\',
        '[',
        ']',
        '(?',
        '(',
        ')',
        '|',
        '{1}',
        '*',
        'class',
        '\u001b[',
        '🙂',
        '/',
      ),
    )
    .map((parts) => parts.join('')),
);

it('never throws, keeps its limits, and makes no word up', () => {
  fc.assert(
    fc.property(
      fc.array(anything, { maxLength: 3 }),
      fc.array(anything, { maxLength: 3 }),
      fc.boolean(),
      (patterns, globs, listing) => {
        const words = termsOf({ ...NOTHING, patterns, globs, listing });
        expect(words.length).toBeLessThanOrEqual(4);
        expect(words.join(' ').length).toBeLessThanOrEqual(80);
        expect(new Set(words).size).toBe(words.length);
        for (const word of words) {
          expect([...patterns, ...globs].some((text) => text.includes(word))).toBe(true);
          expect(word).toMatch(
            /^[\p{L}\p{M}\p{N}\p{Pc}\p{Nl}\u00b7\u0387\u1369-\u1371\u19da\u2118\u212e\u309b\u309c\u30fb\uff65]+$/u,
          );
        }
      },
    ),
  );
});

it('takes no time to speak of for a pattern that is all brackets', () => {
  const brackets = content('['.repeat(100_000), '(?'.repeat(50_000), '[[:a:]'.repeat(20_000));
  expect(cpuTimeOf(() => termsOf(brackets))).toBeLessThan(500);
});
