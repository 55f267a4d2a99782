import { beforeAll, describe, expect, it, test } from 'vitest';
import type { Extracted, Extractor } from '../language.ts';
import { createExtractor } from './extractor.ts';
import { show } from '../shown.fixture.ts';
import { callsOf, sourceOf } from './extractor.fixture.ts';

let extractor: Extractor;
beforeAll(async () => {
  extractor = await createExtractor();
});

const read = (text: string, path?: string): Extracted => extractor.extract(sourceOf(text, path));
const bindingsOf = ({ bindings }: Extracted): string[] =>
  bindings.map(({ name, type, value }) => `${name}${type ? `: ${show(type)}` : ''}${value ? ` = ${show(value)}` : ''}`);
const referencesOf = ({ references }: Extracted, kind: string): string[] =>
  references
    .filter((one) => one.kind === kind)
    .map(({ name, receiver }) => (receiver ? `${show(receiver)}.${name}` : name));

describe('values', () => {
  test.each<[code: string, expected: string]>([
    ['a?.b!.c', 'a.b.c'],
    ["a['b'][0][i]", 'element(a.b[0])'],
    ['new A<B>(c, ...d)', 'new A<B>(c)'],
    ['await f()', 'await(f())'],
    ['(x as unknown as T)', 'as T'],
    ['<T>x', 'as T'],
    ['x satisfies T', 'x'],
    ['a ?? b', '(a | b)'],
    ['a && b', 'b'],
    ['c ? a : b', '(a | b)'],
    ['[a, 1, "x"]', '[a, <number>, <string>]'],
    ['[...a, b]', 'as Array<(typeof each(a) | typeof b)>'],
    ['f({ ...a, b })', 'f((a & {b: b}))'],
    ['Object.assign(a, { b })', '(a & {b: b})'],
    ['f(async (x: X) => x.y)', 'f(async (x: X) => x.y)'],
    ['f(function (x) { return x; })', 'f((x) => x)'],
    ['tag`x`', 'tag()'],
    ['!a', '<boolean>'],
    ['a + "b"', '<string>'],
    ['a - b', '<number>'],
    ['/x/', '<RegExp>'],
    ["await import('./m')", "await(as Promise<typeof import('./m')>)"],
    ["require('./m').x()", "import('./m').x()"],
    ['f(class B {})', 'f(B)'],
  ])('%s', (code, expected) => {
    const [first] = bindingsOf(read(`function f() { const v = ${code}; }`));
    expect(first).toBe(`v = ${expected}`);
  });

  test.each<[type: string, expected: string]>([
    ['A.B<C>', 'A.B<C>'],
    ['readonly A[]', 'Array<A>'],
    ['A | undefined', '(A | <undefined>)'],
    ['[a: A, b?: B]', '[A, B]'],
    ["A['b'][number]", 'element(A.b)'],
    ['typeof a.b', 'typeof a.b'],
    ["import('./m').A", "import('./m').A"],
    ['(a: A) => B', '(a: A) => B'],
    ['new () => B', '{new: () => B}'],
    ['{ a: A; m(): B; [k: string]: C }', '{a: A, m: () => B, []: C}'],
    ['Record<string, A>', 'Record<<string>, A>'],
    ["'x'", "'x'"],
    ['keyof A', 'unknown'],
  ])('type %s', (type, expected) => {
    expect(bindingsOf(read(`function f(v: ${type}) {}`))).toEqual([`v: ${expected}`]);
  });

  it('cuts what is too deep, from the inside', () => {
    const chain = `a${'.b()'.repeat(20)}`;
    const depth = (text: string): number => text.split('.b').length - 1;
    const [value = ''] = bindingsOf(read(`function f() { const v = ${chain}; }`));
    expect(depth(value)).toBeLessThan(8);
    expect(bindingsOf(read(`function f() { const v = a${'.b()'.repeat(5)}; }`))).toEqual([`v = a${'.b()'.repeat(5)}`]);
  });
});

describe('names that are no definitions', () => {
  test.each<[what: string, text: string, expected: string[]]>([
    [
      'parameters and local variables',
      'function f(a: A, b = new B()) { const c = a.d, e: E = g; }',
      ['a: A', 'b = new B()', 'c = a.d', 'e: E'],
    ],
    [
      'patterns',
      'function f({ a, b: { c = d }, ...e }: T, [g, , h]) {}',
      ['a = as T.a', 'c = (as T.b.c | d)', 'e = as T', 'g', 'h'],
    ],
    [
      'loops',
      'function f(x) { for (const a of x) {} for (const [k, v] of x.entries()) {} for (const i in x) {} }',
      ['x', 'a = each(x)', 'k = each(x.entries())[0]', 'v = each(x.entries())[1]', 'i = <string>'],
    ],
    ['catch', 'try {} catch (e) {}', ['e']],
    [
      'a variable that gets its value later',
      'function f() { let a; let b = null; a = new A(); b = new B(); a = c; }',
      ['a = new A()', 'b = new B()'],
    ],
    [
      'what instanceof says',
      'function f(x) { if (x instanceof A && x.b) x.c(); if (!(x instanceof B)) return; x.d(); }',
      ['x', 'x: A', 'x: A', 'x: B'],
    ],
    [
      'parameters of a function that is passed',
      'f(1, (a, { b }) => a)',
      [
        'a = parameter(expected(f(<number>, (a, ) => a), 1), 0)',
        'b = parameter(expected(f(<number>, (a, ) => a), 1), 1).b',
      ],
    ],
    ['the same inside an object', 'f({ on: (e) => e.x })', ['e = parameter(expected(f({on: (e) => e.x}), 0).on, 0)']],
    ['of one with an annotation', 'const h: H = (a) => a;', ['a = parameter(as H, 0)']],
    ['of one that is returned', 'function f(): H { return (a) => a; }', ['a = parameter(as H, 0)']],
    ['of one that is assigned', 'x.on = (e) => e;', ['e = parameter(x.on, 0)']],
    ['of an attribute', 'const v = <Foo on={(e) => e} />;', ['e = parameter(parameter(Foo, 0).on, 0)']],
    ['this as a parameter', 'function f(this: T) {}', ['this: T']],
    ['local definitions, for where they are seen', 'function f() { { const g = () => 1; } }', ['g']],
  ])('%s', (_, text, expected) => {
    expect(bindingsOf(read(text, 'a.tsx'))).toEqual(expected);
  });

  it('says where they are seen', () => {
    const text = 'function f(a) { if (a) { const b = 1; var c = 2; } x.map((d) => d); }';
    const seen = read(text).bindings.map(({ name, from, to }) => [name, text.slice(from, to)]);
    expect(Object.fromEntries(seen)).toEqual({
      a: text,
      b: '{ const b = 1; var c = 2; }',
      c: text,
      d: '(d) => d',
    });
  });
});

describe('references', () => {
  const calls = (text: string, path?: string): string[] => {
    const source = sourceOf(text, path);
    return callsOf(source, extractor.extract(source));
  };

  test.each<[what: string, text: string, expected: string[], path?: string]>([
    [
      'calls inside arrows belong to the method',
      'class A { m() { x.map(() => f()); } }',
      ['call x.map 1:19 in A.m', 'call f 1:29 in A.m'],
    ],
    [
      'super',
      'class A extends B { constructor() { super(1); super.m(); } }',
      ['call super.constructor 1:37 in A.constructor', 'call super.m 1:53 in A.constructor'],
    ],
    [
      'new and its like',
      'new A.B(c); new (f())();',
      ['new A.B 1:7 in module', 'call f 1:18 in module', 'new f(). 1:18 in module'],
    ],
    ['tagged templates', 'a.b`x${f()}`', ['call a.b 1:3 in module', 'call f 1:8 in module']],
    [
      'what cannot be named',
      'a[i](); f()(); (() => g())();',
      [
        'call element(a). 1:3 in module',
        'call f 1:9 in module',
        'call f(). 1:9 in module',
        'call unknown. 1:17 in module',
        'call g 1:23 in module',
      ],
    ],
    [
      'elements',
      'const v = <div><Foo a={f()} /><n.Bar /></div>;',
      ['call Foo 1:17 in v', 'call f 1:24 in v', 'call n.Bar 1:34 in v'],
      'a.tsx',
    ],
    [
      'decorators',
      '@a @b.c(1) class K { @d() m() {} }',
      ['decorator a 1:2 in K', 'decorator b.c 1:7 in K', 'decorator d 1:23 in K.m'],
    ],
    [
      'initialisers belong to what they initialise',
      'const a = f(); class K { b = g(); }',
      ['call f 1:11 in a', 'call g 1:30 in K.b'],
    ],
  ])('%s', (_, text, expected, path) => {
    expect(calls(text, path)).toEqual(expected);
  });

  it('counts arguments where that is plain', () => {
    expect(read('f(); f(a, b); f(...c); new K;').references.map(({ args }) => args)).toEqual([0, 2, undefined, 0]);
  });

  it('has types, values and members that the file knows', () => {
    const text = `
      import { A, b } from './x';
      import * as n from 'n';
      interface Own { a: A; other: Unknown; q: n.T }
      function f<T>(x: T): typeof b { return g(b, this.h, n.i, unknown, b.j.k); }
      const list = [f]; const o = { A };`;
    const found = read(text);
    expect(referencesOf(found, 'type')).toEqual(['A', 'n.T']);
    expect(referencesOf(found, 'reference')).toEqual(['b', 'b', 'this.h', 'n', 'n.i', 'b', 'f', 'A']);
  });
});

describe('modules', () => {
  test.each<[text: string, expected: string[], path?: string]>([
    ["import 'x';", ['effect  * of x']],
    ["import d, * as n from 'x';", ['value d default of x', 'value n * of x']],
    [
      "import type { A } from 'x'; import { type B, c as d } from 'y';",
      ['type A A of x', 'type B B of y', 'value d c of y'],
    ],
    ["import a = require('x');", ['value a * of x']],
    [
      "const a = require('x'), { b, c: d } = require('y'), e = require('z').f;",
      ['value a * of x', 'value b b of y', 'value d c of y', 'value e f of z'],
      'a.js',
    ],
    [
      "require('x').y(); import('z').then((m) => m.a());",
      ["value import('x') * of x", "dynamic import('z') * of z"],
      'a.js',
    ],
    ["let a: import('x').A;", ["type import('x') * of x"]],
  ])('%s', (text, expected, path) => {
    expect(
      read(text, path).imports.map(({ kind, local, name, module }) => `${kind} ${local} ${name} of ${module}`),
    ).toEqual(expected);
  });

  test.each<[text: string, expected: string[], path?: string]>([
    [
      "export * from 'a'; export * as b from 'b'; export { c, d as e, default as f } from 'c';",
      ['* * of a', 'b * of b', 'c c of c', 'e d of c', 'f default of c'],
    ],
    ['export default function f() {}', ['default f']],
    ['export default class {}', ['default default']],
    ['export default make();', ['default  = make()']],
    ['export default x; export { y as z };', ['default x', 'z y']],
    ['export = x;', ['= x']],
    ['module.exports = { a, b: c, d() {}, e: f() };', ['=  = {a: a, b: c, d: d, e: f()}'], 'a.js'],
    ['module.exports = class K {};', ['= K'], 'a.js'],
    ['exports.a = b; exports.c = 1; exports.d = void 0;', ['a b', 'c  = <number>'], 'a.js'],
  ])('%s', (text, expected, path) => {
    const said = read(text, path).exports.map(
      ({ name, local, module, value }) =>
        `${name} ${local}${module === undefined ? '' : ` of ${module}`}${value ? ` = ${show(value)}` : ''}`,
    );
    expect(said).toEqual(expected);
  });
});
