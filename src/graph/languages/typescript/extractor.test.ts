import { beforeAll, describe, expect, it, test } from 'vitest';
import { keysOf } from '../../model/facts.ts';
import type { Definition } from '../../model/facts.ts';
import type { Extracted, Extractor } from '../language.ts';
import { createExtractor } from './extractor.ts';
import { show } from '../shown.fixture.ts';
import { callsOf, definitionsOf, sourceOf } from './extractor.fixture.ts';

let extractor: Extractor;
beforeAll(async () => {
  extractor = await createExtractor();
});

const read = (text: string, path?: string): Extracted => extractor.extract(sourceOf(text, path));
const definition = (found: Extracted, key: string): Definition =>
  found.definitions[keysOf(found).indexOf(key)] ?? expect.fail(`no ${key} among ${keysOf(found).join(', ')}`);
const referencesOf = ({ references }: Extracted, kind: string): string[] =>
  references
    .filter((one) => one.kind === kind)
    .map(({ name, receiver }) => (receiver ? `${show(receiver)}.${name}` : name));

test('a class, a method, a nested function, an import and a chained call', () => {
  const source = sourceOf(
    [
      "import { open, type Options as Opt } from '../open.ts';",
      '',
      'export class Store {',
      '  constructor(private readonly path: string) {}',
      '  save(options: Opt): number {',
      '    function retry() {',
      '      return open(this.path).write(options).then((done) => done.count());',
      '    }',
      '    return retry();',
      '  }',
      '}',
      '',
    ].join('\n'),
    'store.ts',
  );
  const found = extractor.extract(source);
  expect(definitionsOf(source, found)).toEqual([
    'class Store 3:14',
    'method Store.constructor 4:3',
    'field Store.path 4:32',
    'method Store.save 5:3',
    'function Store.save.retry 6:14',
  ]);
  expect(found.imports).toEqual([
    { local: 'open', module: '../open.ts', name: 'open', kind: 'value', within: -1, at: 9 },
    { local: 'Opt', module: '../open.ts', name: 'Options', kind: 'type', within: -1, at: 31 },
  ]);
  expect(callsOf(source, found)).toEqual([
    'call open 7:14 in Store.save.retry',
    'call open(this.path).write 7:30 in Store.save.retry',
    'call open(this.path).write(options).then 7:45 in Store.save.retry',
    'call done.count 7:65 in Store.save.retry',
    'call retry 9:12 in Store.save',
  ]);
  expect(referencesOf(found, 'type')).toEqual(['Opt']);
  expect(definition(found, 'Store')).toMatchObject({ exported: true, signature: 'export class Store', container: -1 });
  expect(definition(found, 'Store.path')).toMatchObject({ visibility: 'private', type: { type: 'string' } });
  expect(definition(found, 'Store.save.retry').traits).toEqual(['local']);
  expect(found.damaged).toBe(false);
});

describe('definitions', () => {
  test.each<[what: string, text: string, kinds: string[], path?: string]>([
    [
      'overloads',
      'function f(a: string): void;\nfunction f(a: number): void;\nfunction f(a: any) {}',
      ['function f 1:10', 'function f~2 2:10', 'function f~3 3:10'],
    ],
    [
      'declared functions',
      'declare function f(): void; declare const x: number;',
      ['function f 1:18', 'constant x 1:43'],
    ],
    [
      'accessors',
      'class A { get b() { return 1 } set b(v) {} }',
      ['class A 1:7', 'method A.b 1:15', 'method A.b~2 1:36'],
    ],
    [
      'private and static members',
      'class A { static #n = 0; #m() {} static { f(); } }',
      ['class A 1:7', 'field A.#n 1:18', 'method A.#m 1:26'],
    ],
    [
      'arrow functions in fields',
      'class A { run = () => {}; on = function () {}; }',
      ['class A 1:7', 'method A.run 1:11', 'method A.on 1:27'],
    ],
    [
      'computed names',
      "class A { [Symbol.iterator]() {} ['a-b']() {} [x]() {} 1() {} }",
      ['class A 1:7', 'method A.[Symbol.iterator] 1:12', 'method A.a-b 1:35', 'method A.1 1:56'],
    ],
    [
      'abstract members',
      'abstract class A { abstract f(): void; abstract g: number; }',
      ['class A 1:16', 'method A.f 1:29', 'field A.g 1:49'],
    ],
    [
      'members of an object with a name',
      'const o = { a: 1, b() {}, c: () => 1, get d() { return 1 }, ...e };',
      ['constant o 1:7', 'field o.a 1:13', 'method o.b 1:19', 'method o.c 1:27', 'method o.d 1:43'],
    ],
    [
      'the same behind satisfies, as const and freeze',
      'const a = { x() {} } as const, b = { y() {} } satisfies T, c = Object.freeze({ z() {} });',
      ['constant a 1:7', 'method a.x 1:13', 'constant b 1:32', 'method b.y 1:38', 'constant c 1:60', 'method c.z 1:80'],
    ],
    ['members of objects one level deep', 'const o = { a: { b() {} } };', ['constant o 1:7', 'field o.a 1:13']],
    [
      'interfaces',
      'interface I { a: A; m?(): void; (x: X): Y; new (): I; [k: string]: V }',
      [
        'interface I 1:11',
        'field I.a 1:15',
        'method I.m 1:21',
        'method I.() 1:33',
        'method I.new 1:44',
        'field I.[] 1:55',
      ],
    ],
    [
      'literal types',
      'type T = B & { a: A; m(): void }; type U = A | B;',
      ['type T 1:6', 'field T.a 1:16', 'method T.m 1:22', 'type U 1:40'],
    ],
    [
      'enums',
      "enum E { A, B = 1, 'c d' }",
      ['enum E 1:6', 'constant E.A 1:10', 'constant E.B 1:13', 'constant E.c d 1:20'],
    ],
    [
      'namespaces',
      "namespace A.B { export const c = 1; function d() {} } declare module 'm' { interface I {} } declare global { var g: G }",
      [
        'namespace A 1:11',
        'namespace A.B 1:13',
        'constant A.B.c 1:30',
        'function A.B.d 1:46',
        'namespace m 1:70',
        'interface m.I 1:86',
        'namespace global 1:101',
        'variable global.g 1:114',
      ],
    ],
    ['default exports without a name', 'export default function () {}', ['function default 1:16']],
    [
      'classes in expressions',
      'const A = class { m() {} }; function f() { return class B extends C { n() {} } }',
      ['class A 1:7', 'method A.m 1:19', 'function f 1:38', 'class f.B 1:57', 'method f.B.n 1:71'],
    ],
    [
      'variables taken apart',
      'export const { a, b: [c], ...d } = x, e = 1; let f;',
      ['constant a 1:16', 'constant c 1:23', 'constant d 1:30', 'constant e 1:39', 'variable f 1:50'],
    ],
    [
      'local functions and no local variables',
      'function f() { const g = () => 1; const x = 1; class K {} }',
      ['function f 1:10', 'function f.g 1:22', 'class f.K 1:54'],
    ],
    [
      'members set later',
      'function F() {}\nF.prototype.m = function () {};\nF.s = () => 1;\nconst o = {};\no.p = function () {};\nnew X().q = () => 1;',
      ['function F 1:10', 'method F.m 2:13', 'method F.s 3:3', 'constant o 4:7', 'method o.p 5:3'],
    ],
    [
      'prototypes',
      'function F() {}\nF.prototype = { m() {} };\nG.prototype.n = function () {};',
      ['function F 1:10', 'method F.m 2:17', 'method G.n 3:13'],
      'a.js',
    ],
    [
      'what CommonJS exports',
      'exports.f = function () {};\nmodule.exports.g = class {};',
      ['function f 1:9', 'class g 2:16'],
      'a.js',
    ],
    [
      'fields set in methods of JavaScript',
      'class A { constructor() { this.x = new B(); this.m = this.m.bind(this); } m() {} }',
      ['class A 1:7', 'method A.constructor 1:11', 'field A.x 1:32', 'method A.m 1:75'],
      'a.js',
    ],
    ['no such fields in TypeScript', 'class A { f() { this.x = 1; } }', ['class A 1:7', 'method A.f 1:11']],
    ['import = of a namespace', 'import a = b.c;', ['constant a 1:8']],
  ])('%s', (_, text, expected, path) => {
    const source = sourceOf(text, path);
    const found = extractor.extract(source);
    expect(definitionsOf(source, found)).toEqual(expected);
    expect(found.damaged).toBe(false);
  });

  test.each<[what: string, text: string, key: string, expected: object]>([
    [
      'signature and doc',
      '/**\n * Saves it.\n * @param a x\n */\nexport async function save<T>(\n  a: T,\n): Promise<void> {}',
      'save',
      {
        doc: 'Saves it.',
        signature: 'export async function save<T>( a: T, ): Promise<void>',
        traits: ['async'],
        exported: true,
      },
    ],
    [
      'decorators stand outside',
      '/** Doc */\n@a()\nexport class K {}',
      'K',
      { doc: 'Doc', start: 16, signature: 'export class K' },
    ],
    [
      'a short value is shown',
      'export const LIMIT = 12;',
      'LIMIT',
      { signature: 'export const LIMIT = 12', kind: 'constant' },
    ],
    [
      'generics',
      'class K<A extends B = C> {}',
      'K',
      { generics: [{ name: 'A', bound: { name: 'B' }, preset: { name: 'C' } }] },
    ],
    [
      'bases',
      'class K extends n.B<C> implements D, E<F> {}',
      'K',
      {
        bases: [
          { how: 'extends', at: 18, type: { is: 'apply', of: { is: 'member', name: 'B' } } },
          { how: 'implements', at: 34 },
          { how: 'implements', at: 37 },
        ],
      },
    ],
    [
      'a base that is a value',
      'class K extends mix(A, B) {}',
      'K',
      { bases: [{ type: { is: 'call', of: { name: 'mix' } } }] },
    ],
    [
      'traits of members',
      'class K { static async *f?() {} }',
      'K.f',
      { traits: ['async', 'generator', 'static', 'optional'] },
    ],
    [
      'constructors',
      'class K { private constructor() {} }',
      'K.constructor',
      { visibility: 'special', traits: ['constructor'] },
    ],
    ['private by keyword', 'class K { private f() {} }', 'K.f', { visibility: 'private' }],
    [
      'fields that hold functions',
      'interface I { f: (a: A) => B }',
      'I.f',
      { traits: ['declared', 'callable'], type: { is: 'function' } },
    ],
    ['exported by a list', 'function f() {}\nexport { f as g };', 'f', { exported: true }],
    [
      'a method for what is defined elsewhere',
      'G.prototype.n = function () {};',
      'G.n',
      { container: -1, bases: [{ how: 'adds', type: { name: 'G' } }] },
    ],
    [
      'only what a type has besides its own members',
      'type T = B & { a: A };',
      'T',
      { type: { is: 'name', name: 'B' } },
    ],
    [
      'fields without a type are what is assigned',
      'class K { x; constructor() { this.x = new A(); } }',
      'K.x',
      { values: [{ is: 'new' }] },
    ],
    [
      'variables are what is assigned first',
      'let x = null; function f() { x = new A(); }',
      'x',
      { values: [{ is: 'new' }] },
    ],
    [
      'parameters',
      'function f(this: T, a?: A, { b } = {}, ...c: C[]) {}',
      'f',
      {
        parameters: [
          { name: 'a', optional: true, type: { name: 'A' } },
          { name: '', optional: true, value: { is: 'record' } },
          { name: 'c', rest: true },
        ],
      },
    ],
  ])('%s', (_, text, key, expected) => {
    expect(definition(read(text), key)).toMatchObject(expected);
  });

  it('gives what functions return, if they do not say it themselves', () => {
    const text = `
      function a(x) { if (x) return x; for (;;) { try { return new A(); } catch { return null; } } return x; }
      const b = (y) => y.z;
      function* c() { yield 1; yield* d(); }
      const e: Handler = () => 1;
      function f(): F { return g(); }`;
    const found = read(text);
    const values = (key: string): string[] => definition(found, key).values.map(show);
    expect(values('a')).toEqual(['x', 'new A()']);
    expect(values('b')).toEqual(['y.z']);
    expect(values('c')).toEqual(['<number>', 'each(d())']);
    expect(values('e')).toEqual(['as Handler()']);
    expect(values('f')).toEqual([]);
  });
});
