import { buildSync } from 'esbuild';
import fc from 'fast-check';
import { spawnSync } from 'node:child_process';
import type { SpawnSyncReturns } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cases } from '../../test/cases.ts';
import { compilePattern } from './pattern.ts';
import { PatternError } from './pattern-syntax.ts';

const exact = (source: string) => compilePattern(source, { ignoreCase: false });

describe('matching', () => {
  it.each([
    ['rm\\s+-rf', 'sudo rm   -rf /', 'rm   -rf'],
    ['a|ab', 'xab', 'a'],
    ['ab|a', 'xab', 'ab'],
    ['a+?', 'aaa', 'a'],
    ['<.+>', '<a><b>', '<a><b>'],
    ['<.+?>', '<a><b>', '<a>'],
    ['\\bgit\\b', 'legit git', 'git'],
    ['^b', 'a\nb', undefined],
    ['(?m)^b', 'a\nb', 'b'],
    ['a.c', 'a\nc', undefined],
    ['(?s)a.c', 'a\nc', 'a\nc'],
    ['(?i)KEY', 'my key', 'key'],
    ['(?i:k)ey', 'KEy Key', 'Key'],
    ['\\Aab\\Z', 'ab', 'ab'],
    ['\\Aab\\Z', 'cab', undefined],
    ['(?P<word>\\w+)!', 'hi there!', 'there!'],
    ['ghp_[A-Za-z0-9]{36}', `x ghp_${'a'.repeat(40)}`, `ghp_${'a'.repeat(36)}`],
    ['a{2,3}', 'aaaa', 'aaa'],
    ['{x}', 'a{x}', '{x}'],
    ['[]x]+', 'a]x]', ']x]'],
    ['[^a-c\\d]+', 'ab1-_2', '-_'],
    ['[\\w-]+', '!a-b', 'a-b'],
    ['\\x41\\u0042\\.', 'AB.', 'AB.'],
    ['😀+', 'x😀😀', '😀😀'],
    ['é', 'É', undefined],
    ['(?i)é', 'É', 'É'],
    ['a(?#note)b', 'ab', 'ab'],
    ['', 'abc', ''],
    ['$', 'abc', ''],
  ])('%s in %j finds %j', (source, text, found) => {
    expect(exact(source).find(text)).toBe(found);
    expect(exact(source).test(text)).toBe(found !== undefined);
  });
});

describe('what is refused', () => {
  it.each([
    ['a(?!b)', 1, /not_regex_match/],
    ['(?<=a)b', 0, /not_regex_match/],
    ['(a)\\1', 3, /linear time/],
    ['(?P<x>a)(?P=x)', 8, /linear time/],
    ['(a', 0, /never closed/],
    ['a)', 1, /never opened/],
    ['[a', 0, /never closed/],
    ['*a', 0, /nothing to repeat/],
    ['a**', 2, /repeats a repetition/],
    ['a++', 2, /possessive/],
    ['a{3,1}', 1, /counts down/],
    ['[z-a]', 1, /counts down/],
    ['a{2000}', 1, /over 1000/],
    ['((a{90}){90}){90}', 0, /too large/],
    ['\\p{L}', 0, /not supported/],
    ['a\\', 1, /lone/],
    ['(?x)a', 0, /flag `x`/],
    ['('.repeat(100), 60, /nested/],
  ])('%s at %i', (source, at, message) => {
    const refuse = () => exact(source);
    expect(refuse).toThrow(PatternError);
    expect(refuse).toThrow(message);
    try {
      refuse();
    } catch (error) {
      expect((error as PatternError).at).toBe(at);
    }
  });
});

describe('agreement with the built-in engine', () => {
  const atom = fc.constantFrom(
    'a',
    'b',
    'c',
    '.',
    '\\w',
    '\\s',
    '[ab]',
    '[^a]',
    'x',
    '-',
    '\\b',
    '^',
    '$',
    '\\d',
    'B',
    '\\.',
  );
  const { pattern } = fc.letrec<{ pattern: string }>((tie) => ({
    pattern: fc.oneof(
      { maxDepth: 4, depthSize: 'small' },
      atom,
      fc.tuple(tie('pattern'), tie('pattern')).map(([a, b]) => a + b),
      fc.tuple(tie('pattern'), tie('pattern')).map(([a, b]) => `(?:${a}|${b})`),
      fc
        .tuple(tie('pattern'), fc.constantFrom('*', '+', '?', '{2}', '{1,3}', '{2,}', '*?', '+?'))
        .map(([a, sign]) => `(${a})${sign}`),
    ),
  }));
  const text = fc.string({
    unit: fc.constantFrom('a', 'b', 'c', 'A', 'B', '-', ' ', '.', '1', '\n', 'é'),
    maxLength: 14,
  });

  it('finds a match exactly when the built-in engine does', () => {
    fc.assert(
      fc.property(pattern, text, fc.boolean(), (source, sample, ignoreCase) => {
        const expected = new RegExp(source, ignoreCase ? 'i' : '').test(sample);
        expect(compilePattern(source, { ignoreCase }).test(sample)).toBe(expected);
      }),
      cases(3_000),
    );
  });

  it('finds the same text where no repetition can be empty', () => {
    const solid = fc.array(
      fc.tuple(
        fc.constantFrom('a', 'b', '.', '\\w', '(?:a|ab)', '(?:ab|a|b)', '[^b]'),
        fc.constantFrom('', '*', '+', '?', '*?', '+?', '??', '{1,2}'),
      ),
      { minLength: 1, maxLength: 6 },
    );
    fc.assert(
      fc.property(solid, text, (parts, sample) => {
        const source = parts.map(([item, sign]) => item + sign).join('');
        expect(exact(source).find(sample)).toBe(new RegExp(source).exec(sample)?.[0]);
      }),
      cases(2_000),
    );
  });
});

describe('time', () => {
  const NOISE = Array.from({ length: 50_000 }, (_, at) => ((at * at * 7919) % 13 < 6 ? 'a' : 'b')).join('');
  const CASES: readonly (readonly [source: string, text: string])[] = [
    ['(a+)+$', `${'a'.repeat(50_000)}!`],
    ['(x+x+)+y', 'x'.repeat(50_000)],
    ['(.*a){20}', 'b'.repeat(50_000)],
    ['(.*a){20}$', 'ab'.repeat(25_000)],
    ['(a|aa)+$', `${'a'.repeat(50_000)}!`],
    ['(a?){25}a{25}b', 'a'.repeat(50_000)],
    ['.*.*.*=.*', 'x'.repeat(50_000)],
    // These need a new state for every character; the second is as large as a pattern may be.
    ['a[ab]{200}c', NOISE],
    ['((a|b)*a[ab]{480}){4}c', NOISE],
    // Linear is not enough when both are big: it gives up.
    ['a[ab]{900}c', NOISE.repeat(100)],
  ];
  const dir = mkdtempSync(join(tmpdir(), 'fairlead-pattern-'));
  afterAll(() => rmSync(dir, { recursive: true }));

  /** The processor time of each, in a process of its own, which can be ended when one hangs: all in one, since a start is dear. */
  let child: SpawnSyncReturns<string>;
  beforeAll(() => {
    const bundle = join(dir, 'pattern.mjs');
    buildSync({
      entryPoints: [fileURLToPath(new URL('pattern.ts', import.meta.url))],
      bundle: true,
      format: 'esm',
      outfile: bundle,
    });
    const script = `
      import { compilePattern } from ${JSON.stringify(pathToFileURL(bundle).href)};
      const chunks = []; for await (const chunk of process.stdin) chunks.push(chunk);
      for (const [source, text] of JSON.parse(Buffer.concat(chunks).toString())) {
        const pattern = compilePattern(source, { ignoreCase: true });
        const from = process.cpuUsage().user; let found;
        try { found = pattern.find(text) !== undefined; } catch (error) { found = error.message; }
        console.log((process.cpuUsage().user - from) / 1_000);
      }`;
    child = spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
      input: JSON.stringify(CASES),
      killSignal: 'SIGKILL',
      encoding: 'utf8',
    });
  });

  it.each(CASES.map(([source], at) => [source, at] as const))('%s ends', (_, at) => {
    expect(child.signal).toBeNull();
    expect(child.stderr).toBe('');
    expect(Number(child.stdout.split('\n')[at] || NaN)).toBeLessThan(5_000);
  });
});
