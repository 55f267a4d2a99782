import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, test } from 'vitest';
import { isLong } from '../../../../test/cases.ts';
import { keysOf } from '../../model/facts.ts';
import type { Extracted, Extractor } from '../language.ts';
import { createExtractor } from './extractor.ts';
import { sourceOf } from './extractor.fixture.ts';

const own = (name: string): string => readFileSync(join(import.meta.dirname, name), 'utf8');

let extractor: Extractor;
beforeAll(async () => {
  extractor = await createExtractor();
});

/** As many beginnings of a file are read. */
const CUTS = isLong ? 200 : 23;

describe('damaged code', () => {
  test.each<[what: string, text: string, keys: string[], calls: string[]]>([
    [
      'a block that is not closed',
      'import { x } from "y";\nfunction a() { x(); }\nfunction b() {\n  if (q) {\n  a();\nfunction c() { b(); }\nclass D { m() { c(); } }\n',
      ['a', 'b', 'c', 'D', 'D.m'],
      ['x', 'a', 'b', 'c'],
    ],
    [
      'a method that is not closed',
      'class A {\n  one() { f(); }\n  two() {\n    if (x) { g();\n  }\n  three() { h(); }\n}\nfunction after() { i(); }\n',
      ['A', 'A.one', 'A.two', 'A.three', 'after'],
      ['f', 'g', 'h', 'i'],
    ],
    [
      'half a call',
      'class A {\n  one() { f(); }\n  two() {\n    g(); this.one(\n  }\n  three() { h(); }\n}\n',
      ['A', 'A.one', 'A.two', 'A.three'],
      ['f', 'g', 'h'],
    ],
    [
      'half a member',
      'function a() { x(); y. }\nclass C { m() { this. } n() { k(); } }\n',
      ['a', 'C', 'C.m', 'C.n'],
      ['x', 'k'],
    ],
    ['a bracket too many', 'function a() { x(); }\n)\nfunction b() { y(); }\n', ['a', 'b'], ['x', 'y']],
    [
      'half a parameter',
      'function a() { x(); }\nexport function b(p: string, { return y(p); }\nfunction c() { z(); }\n',
      ['a', 'b', 'c'],
      ['x', 'z'],
    ],
    ['half an import', 'import { a, \nimport { b } from "b";\nfunction c() { b(); }\n', ['c'], ['b']],
    ['a text that is not closed', "function a() { x('abc); }\nfunction b() { y(); }\n", ['a', 'b'], ['y']],
    [
      'a class that is not closed',
      'class A {\n  one() { f(); }\n  two() { g(); }\n\nfunction after() { i(); }\n',
      ['A', 'A.one', 'A.two', 'after'],
      ['f', 'g', 'i'],
    ],
    [
      'half an object',
      'const o = { a: 1, b( , c() { return f(); } };\nfunction g() { h(); }\n',
      ['o', 'o.a', 'o.c', 'g'],
      ['f', 'h'],
    ],
    [
      'a text with several lines at their start',
      'const t = `\nfunction no() {}\n`;\nfunction a() { x(); }\nfunction b( {\n',
      ['t', 'a', 'b'],
      ['x'],
    ],
  ])('%s', (_, text, keys, calls) => {
    const found = extractor.extract(sourceOf(text));
    expect(found.damaged).toBe(true);
    expect(keysOf(found)).toEqual(keys);
    const names = found.references.filter(({ kind }) => kind === 'call').map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(calls));
  });

  it('keeps keys and places of everything else', () => {
    const text = own('classes.ts');
    const whole = extractor.extract(sourceOf(text));
    const at = text.indexOf('if (node.computed)');
    const damaged = extractor.extract(sourceOf(`${text.slice(0, at)}if ((${text.slice(at)}`));
    expect(damaged.damaged).toBe(true);
    expect(keysOf(damaged)).toEqual(keysOf(whole));
    const later = (found: Extracted, from: number): number[] =>
      found.references.filter((one) => one.at > from).map((one) => one.at - from);
    const end = text.indexOf('\nfunction visitDecorators');
    expect(later(damaged, end + 'if (('.length)).toEqual(later(whole, end));
  });

  it('finds what stands before the place where a file is cut, and never throws', () => {
    const text = own('expressions.ts');
    const whole = extractor.extract(sourceOf(text));
    const wholeKeys = keysOf(whole);
    for (let n = 1; n <= CUTS; n++) {
      const cut = Math.floor((text.length * n) / CUTS);
      const keys = new Set(keysOf(extractor.extract(sourceOf(text.slice(0, cut)))));
      // Parts of the statement that is cut may be lost.
      const start = text.lastIndexOf('\n\n', cut);
      const before = wholeKeys.filter((_, index) => (whole.definitions[index]?.end ?? 0) < start);
      expect(before.filter((key) => !keys.has(key))).toEqual([]);
    }
  });

  it('survives anything', () => {
    for (const text of [
      '',
      '}',
      '{',
      '<',
      'class',
      'class {',
      '`',
      '/*',
      '@',
      '=>',
      'a?.',
      '\u0000',
      '🙂(',
      '('.repeat(900),
    ]) {
      for (const path of ['a.ts', 'a.tsx', 'a.js', 'a.d.ts', 'a.cjs']) {
        expect(() => extractor.extract(sourceOf(text, path))).not.toThrow();
      }
    }
  });

  it('says nothing about code that is nested beyond all measure', () => {
    const nested = (depth: number): string => `f(${'['.repeat(depth)}g()${']'.repeat(depth)});`;
    expect(extractor.extract(sourceOf(nested(200))).references).toHaveLength(2);
    expect(extractor.extract(sourceOf(nested(50_000)))).toMatchObject({ references: [], damaged: true });
    expect(extractor.extract(sourceOf(`f(${'!'.repeat(5_000)}g());`)).definitions).toEqual([]);
  });
});
