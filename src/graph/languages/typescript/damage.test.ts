import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, test } from 'vitest';
import { keysOf } from '../../model/facts.ts';
import type { Extracted, Extractor, Source } from '../language.ts';
import { createTolerant, createExtractor } from './extractor.ts';
import { callsOf, definitionsOf, sourceOf } from './extractor.fixture.ts';
import { readProgram } from './visit.ts';

const OWN = ['extractor.ts', 'classes.ts', 'expressions.ts', 'extractor.test.ts'];
const own = (name: string): string => readFileSync(join(import.meta.dirname, name), 'utf8');

let extractor: Extractor;
let tolerant: (source: Source) => Extracted;
beforeAll(async () => {
  extractor = await createExtractor();
  await extractor.repair?.(sourceOf(''));
  await extractor.repair?.(sourceOf('', 'a.tsx'));
  const [plain, elements] = await Promise.all([createTolerant('typescript'), createTolerant('tsx')]);
  tolerant = (source) => {
    const body = (source.path === 'a.ts' ? plain : elements)(source.text) as never;
    const program = { type: 'Program', start: 0, end: source.text.length, body, sourceType: 'module' } as const;
    return readProgram({ ...program, hashbang: null }, source, true);
  };
});

const SAMPLES: [what: string, text: string, path?: string][] = [
  [
    'classes',
    '@a() export abstract class K<A extends B = C> extends n.D<A> implements E, n.F { static #x = 1; @b() private readonly y?: Y; constructor(private z: Z, readonly w = 1) { super(z); } get g() { return this.y; } static async *h<T>(a: T, { b, c: [d] }: O, ...e: E[]): AsyncGenerator<T> { yield* f(d); } o(a: string): void; o(a: any) {} abstract p(): void; [Symbol.iterator]() {} run = (e: Event) => this.o(e); static { f(); } }',
  ],
  [
    'types',
    "export type S = B & { a: 'x'; m(c: C): void; (x: number): K; new (y: string): K; [k: string]: V }; interface I<T> extends A, n.J<K> { m?(a: K): typeof v; readonly f: import('./t').T; get g(): G } type M = { [P in keyof T]: T[P] }; type Q = A | B | readonly C[] | [D, E?] | F['g'] | (new () => H) | keyof I | null;",
  ],
  [
    'modules',
    "import a, { b as c, type D } from './x'; import * as n from 'n'; import type E from 'e'; import 's'; import q = require('q'); import r = n.s; export { a, c as d }; export * from './y'; export * as z from './z'; export { default as f } from './f'; export default g; const l = await import('./l');",
  ],
  [
    'CommonJS',
    "const a = require('x'), { b, c: d } = require('y'); exports.f = function () {}; module.exports = { a, e() {} }; F.prototype.m = function () { return this.x; };",
    'a.js',
  ],
  [
    'functions',
    'export default async function f<T>(x: T, y?: number, z = new Z()): Promise<T> { let v; v = new K(); const { p, ...o } = x.get<string>(1); [1].map((n, i) => n.f(i)); function g() { return v; } const h = async (a) => await g(a); for (const k of o) k.l(); for (const i in o) {} try { t(); } catch (e) { e.m(); } finally { u(); } switch (x) { case 1: w(); break; default: return h; } return x instanceof K ? x.q`a${b()}` : (x as any as L).m!(...o); }',
  ],
  [
    'declarations',
    "declare module 'm' { interface W { x: K } } declare global { var g: G } declare function f(): void; namespace A.B { export const c = 1 } enum E { A = 1, B = f(), 'c' } export const o = { a: (u: string) => g(u), b() { return this.a; }, get c() { return 1; }, d, ...e } satisfies O, p: P = (x) => x.y();",
  ],
  [
    'elements',
    'const V = (p: P) => <div a="b" {...p}><Foo on={(e) => e.stop()}>{f(p)}</Foo><n.Bar x={c} /></div>;',
    'a.tsx',
  ],
];

const partsOf = (source: Source, found: Extracted) => ({
  definitions: definitionsOf(source, found),
  calls: callsOf(source, found),
  imports: found.imports,
  exports: found.exports,
  bindings: found.bindings,
});

describe('both parsers say the same', () => {
  test.each(SAMPLES)('%s', (_, text, path) => {
    const source = sourceOf(text, path);
    const whole = extractor.extract(source);
    expect(whole.damaged).toBe(false);
    expect(whole.definitions.length + whole.imports.length).toBeGreaterThan(0);
    expect(partsOf(source, tolerant(source))).toEqual(partsOf(source, whole));
  });

  test.each(OWN)('%s', (name) => {
    const source = sourceOf(own(name));
    expect(partsOf(source, tolerant(source))).toEqual(partsOf(source, extractor.extract(source)));
  });
});

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
    for (let n = 1; n <= 200; n++) {
      const cut = Math.floor((text.length * n) / 200);
      const keys = new Set(keysOf(extractor.extract(sourceOf(text.slice(0, cut)))));
      // Parts of the statement that is cut may be lost.
      const start = text.lastIndexOf('\n\n', cut);
      const before = wholeKeys.filter((_, index) => (whole.definitions[index]?.end ?? 0) < start);
      expect(before.filter((key) => !keys.has(key))).toEqual([]);
    }
  });

  it('survives anything, also before the grammar is loaded', async () => {
    const bare = await createExtractor();
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
        expect(() => bare.extract(sourceOf(text, path))).not.toThrow();
      }
    }
    expect(bare.extract(sourceOf('function a() {}\nfunction b( {\n')).definitions.map(({ name }) => name)).toEqual([
      'a',
      'b',
    ]);
    const loading = bare.repair?.(sourceOf(''));
    expect(loading).toBeInstanceOf(Promise);
    await loading;
    expect(bare.repair?.(sourceOf(''))).toBeUndefined();
  });

  it('says nothing about code that is nested beyond all measure', () => {
    const nested = (depth: number): string => `f(${'['.repeat(depth)}g()${']'.repeat(depth)});`;
    expect(extractor.extract(sourceOf(nested(200))).references).toHaveLength(2);
    expect(extractor.extract(sourceOf(nested(50_000)))).toMatchObject({ references: [], damaged: true });
    expect(extractor.extract(sourceOf(`f(${'!'.repeat(5_000)}g());`)).definitions).toEqual([]);
  });
});
