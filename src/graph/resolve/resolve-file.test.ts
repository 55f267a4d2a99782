import { describe, expect, it } from 'vitest';
import { resolveFile } from './resolve-file.ts';
import { callsOf, linksOf, showEdge, worldOf } from './world.fixture.ts';

const SAVE = 'export function save() {}';

describe('TypeScript names', () => {
  it.each<[string, Record<string, string>, string]>([
    ['relative', { 'a.ts': `import { save } from './b';\nsave();`, 'b.ts': SAVE }, '. -> b.ts#save import'],
    ['index', { 'a.ts': `import { save } from './b';\nsave();`, 'b/index.ts': SAVE }, '. -> b/index.ts#save import'],
    [
      'paths',
      {
        'a.ts': `import { save } from '~/b';\nsave();`,
        'lib/b.ts': SAVE,
        'tsconfig.json': '{"compilerOptions":{"paths":{"~/*":["./lib/*"]}}}',
      },
      '. -> lib/b.ts#save import',
    ],
    [
      'workspace package',
      {
        'package.json': '{"name":"top","workspaces":["packages/*"]}',
        'packages/b/package.json': '{"name":"@x/b","main":"src/index.ts"}',
        'packages/b/src/index.ts': SAVE,
        'a.ts': `import { save } from '@x/b';\nsave();`,
      },
      '. -> packages/b/src/index.ts#save import',
    ],
    [
      'exports map',
      {
        'package.json': '{"name":"top","workspaces":["packages/*"]}',
        'packages/b/package.json': '{"name":"b","exports":{"./store":"./src/store.ts"}}',
        'packages/b/src/store.ts': SAVE,
        'a.ts': `import { save } from 'b/store';\nsave();`,
      },
      '. -> packages/b/src/store.ts#save import',
    ],
    [
      'star re-export through two files',
      {
        'a.ts': `import { save } from './b';\nsave();`,
        'b.ts': `export * from './c';`,
        'c.ts': `export * from './d';`,
        'd.ts': SAVE,
      },
      '. -> d.ts#save import',
    ],
    [
      'default export',
      { 'a.ts': `import keep from './b';\nkeep();`, 'b.ts': 'export default function save() {}' },
      '. -> b.ts#save import',
    ],
    [
      'CommonJS',
      { 'a.js': `const { save } = require('./b');\nsave();`, 'b.js': 'function save() {}\nmodule.exports = { save };' },
      '. -> b.js#save import',
    ],
    ['same file', { 'a.ts': 'function save() {}\nsave();' }, '. -> a.ts#save scope'],
    ['namespace import', { 'a.ts': `import * as b from './b';\nb.save();`, 'b.ts': SAVE }, '. -> b.ts#save import'],
    [
      'local function before that of the module',
      { 'a.ts': 'function save() {}\nfunction f() {\n  function save() {}\n  save();\n}' },
      'f -> a.ts#f.save scope',
    ],
  ])('%s', async (_, sources, expected) => {
    const world = await worldOf(sources);
    expect(callsOf(world, sources['a.js'] === undefined ? 'a.ts' : 'a.js')).toContain(expected);
  });
});

const STORE = `
export class Base { save() {} self() { return this; } static make(): Store { return new Store(); } }
export class Store extends Base { key = ''; flush() {} }
export function open() { return new Store(); }
export function make<T>(type: new () => T): T { return new type(); }
export function each<T>(items: T[], visit: (item: T, n: number) => void) { for (const item of items) visit(item, 0); }
export interface Keep { store: Store; find(key: string): Store | undefined; all(): Promise<Store[]> }
export type Shelf<T> = { item: T };
`;
const NAMES = `import { Base, Store, open, make, each, Keep, Shelf } from './store';\n`;
const FLUSH = 'store.ts#Store.flush';

describe('TypeScript receivers', () => {
  it.each<[string, string, string]>([
    ['this', 'class A extends Store { run() { this.flush(); } }', `A.run -> ${FLUSH} class`],
    ['super', 'class A extends Store { flush() { super.flush(); } }', `A.flush -> ${FLUSH} class`],
    [
      'super constructor without one',
      'class A extends Store { constructor() { super(); } }',
      'A.constructor -> store.ts#Store class',
    ],
    ['new', 'function f() { new Store().flush(); }', `f -> ${FLUSH} receiver`],
    ['variable', 'function f() { const s = new Store(); s.flush(); }', `f -> ${FLUSH} receiver`],
    ['annotation', 'function f(s: Store) { s.flush(); }', `f -> ${FLUSH} receiver`],
    [
      'constructor parameter',
      'class A { constructor(private s: Store) {}\n run() { this.s.flush(); } }',
      `A.run -> ${FLUSH} receiver`,
    ],
    ['field', 'class A { s = new Store();\n run() { this.s.flush(); } }', `A.run -> ${FLUSH} receiver`],
    [
      'field set in the constructor',
      'class A { s;\n constructor() { this.s = new Store(); }\n run() { this.s.flush(); } }',
      `A.run -> ${FLUSH} receiver`,
    ],
    ['return type', 'function f() { open().flush(); }', `f -> ${FLUSH} return`],
    ['base class', 'function f(s: Store) { s.save(); }', 'f -> store.ts#Base.save receiver'],
    ['static', 'function f() { Store.make().flush(); }', `f -> ${FLUSH} return`],
    ['returned this', 'function f(s: Store) { s.self().flush(); }', `f -> ${FLUSH} return`],
    ['type argument', 'function f() { make(Store).flush(); }', `f -> ${FLUSH} return`],
    [
      'parameter of a callback',
      'function f(all: Store[]) { each(all, (one) => one.flush()); }',
      `f -> ${FLUSH} receiver`,
    ],
    [
      'array method',
      'function f(all: Store[]) { all.filter(Boolean).map((one) => one.flush()); }',
      `f -> ${FLUSH} return`,
    ],
    [
      'loop',
      'function f(all: Map<string, Store>) { for (const [, one] of all) one.flush(); }',
      `f -> ${FLUSH} receiver`,
    ],
    ['await', 'async function f(k: Keep) { const [one] = await k.all(); one.flush(); }', `f -> ${FLUSH} return`],
    ['union with undefined', `function f(k: Keep) { k.find('a')?.flush(); }`, `f -> ${FLUSH} return`],
    ['alias with a type argument', 'function f(s: Shelf<Store>) { s.item.flush(); }', `f -> ${FLUSH} receiver`],
    ['utility type', 'function f(k: Readonly<Partial<Keep>>) { k.store?.flush(); }', `f -> ${FLUSH} receiver`],
    ['indexed access', `function f(s: Keep['store']) { s.flush(); }`, `f -> ${FLUSH} receiver`],
    ['type of a value', 'const one = new Store();\nfunction f(s: typeof one) { s.flush(); }', `f -> ${FLUSH} receiver`],
    ['bound of a type parameter', 'function f<T extends Store>(s: T) { s.flush(); }', `f -> ${FLUSH} receiver`],
    ['cast', 'function f(s: unknown) { (s as Store).flush(); }', `f -> ${FLUSH} receiver`],
    [
      'constant with members',
      'const api = { run(s: Store) { s.flush(); } };\nfunction f() { api.run(new Store()); }',
      'f -> a.ts#api.run receiver',
    ],
  ])('%s', async (_, source, expected) => {
    const world = await worldOf({ 'a.ts': NAMES + source, 'store.ts': STORE });
    expect(callsOf(world, 'a.ts')).toContain(expected);
  });
});

describe('what is not known', () => {
  it('keeps two members of one name apart as possible when the receiver has no type', async () => {
    const world = await worldOf({
      'a.ts': 'export class A { saveAll() {} }\nexport class B { saveAll() {} }',
      'b.ts': 'export function f(x) { x.saveAll(); }',
    });
    const { edges, possible, unresolved } = linksOf(world, 'b.ts');
    expect(edges).toEqual([]);
    expect(possible.map((edge) => showEdge(world, 'b.ts', edge))).toEqual([
      'f -> a.ts#A.saveAll possible',
      'f -> a.ts#B.saveAll possible',
    ]);
    expect(unresolved).toEqual([]);
  });

  it('takes the only member of an uncommon name, and none of a common one', async () => {
    const world = await worldOf({
      'a.ts': 'export class A { saveAll() {} push() {} }',
      'b.ts': 'export function f(x) { x.saveAll(); x.push(); }',
    });
    expect(callsOf(world, 'b.ts')).toEqual(['f -> a.ts#A.saveAll only']);
    expect(linksOf(world, 'b.ts').unresolved).toEqual([['push', 1]]);
  });

  it('counts what leads out of the project', async () => {
    const world = await worldOf({
      'a.ts': `import { read } from 'node:fs';\nread(); console.log(''.trim()); parseInt('1'); [1].map(String);`,
    });
    expect(linksOf(world, 'a.ts')).toMatchObject({ edges: [], possible: [], unresolved: [], outside: 5 });
  });

  it('has no edges for calls of parameters', async () => {
    const world = await worldOf({ 'a.ts': 'export function f(run: () => void) { run(); }\nexport function run() {}' });
    expect(callsOf(world, 'a.ts')).toEqual([]);
  });
});

describe('sources and kinds', () => {
  it('gives a call inside an arrow to the method or named arrow around it', async () => {
    const world = await worldOf({
      'a.ts':
        'function g() {}\nclass A { run() { [1].forEach(() => g()); } }\nconst named = () => { [1].map(() => g()); };',
    });
    expect(callsOf(world, 'a.ts')).toEqual(['A.run -> a.ts#g scope', 'named -> a.ts#g scope']);
  });

  it('derives imports, exports, bases, overrides and type references', async () => {
    const world = await worldOf({
      'a.ts': `import { Base, Runs } from './b';\nexport { other } from './b';\nexport * from './c';\nexport class A extends Base implements Runs { run(x: Base) {} }`,
      'b.ts':
        'export class Base { run(x: Base) {} }\nexport interface Runs { run(x: Base): void }\nexport const other = 1;',
      'c.ts': '',
    });
    expect(
      linksOf(world, 'a.ts')
        .edges.map((edge) => showEdge(world, 'a.ts', edge))
        .toSorted(),
    ).toEqual([
      '. exports b.ts#other import',
      '. exports c.ts#. import',
      '. imports b.ts#. import',
      'A extends b.ts#Base import',
      'A implements b.ts#Runs import',
      'A.run overrides b.ts#Base.run class',
      'A.run overrides b.ts#Runs.run class',
      'A.run references b.ts#Base import',
    ]);
  });

  it('asks for every file it depends on, also for those that are missing', async () => {
    const world = await worldOf({ 'a.ts': `import { save } from './b';\nsave();` });
    expect(linksOf(world, 'a.ts').asked).toEqual(expect.arrayContaining(['file:b.ts', 'file:b/index.ts']));
  });
});

it('finds the same whatever was resolved before', async () => {
  const sources = {
    'a.ts': `${NAMES}function f() { open().flush(); }`,
    'store.ts': STORE,
    'b.ts': `export * from './store';`,
  };
  const alone = linksOf(await worldOf(sources), 'a.ts');
  const world = await worldOf(sources);
  for (const path of ['store.ts', 'b.ts', 'a.ts']) linksOf(world, path);
  expect(linksOf(world, 'a.ts')).toEqual(alone);
});

it('types that describe themselves end', async () => {
  const world = await worldOf({
    'a.ts': `interface A<T = A['next']> extends A<T[]> { next: A<A<T>> }
type L<T> = L<L<T>> | T;
function f(x: L<A>, y: A) { x.next.next.go(); y.next.next.go(); g().h(); }
function g() { return h(); }
function h() { return g(); }`,
  });
  expect(callsOf(world, 'a.ts')).toEqual(['f -> a.ts#g scope', 'g -> a.ts#h scope', 'h -> a.ts#g scope']);
});

it('takes no quadratic time for a name with 5,000 definitions', async () => {
  const sources: Record<string, string> = {};
  for (let n = 0; n < 500; n++) {
    sources[`f${n}.ts`] = Array.from({ length: 10 }, (_, k) => `class C${k} { handle() {} }`).join('\n');
  }
  sources['a.ts'] = `function f(x) {\n${'x.handle();\n'.repeat(2000)}}`;
  const world = await worldOf(sources);
  let asked = 0;
  const counting = { ...world, named: (name: string) => (asked++, world.named(name)) };
  const file = world.file('a.ts');
  const { possible, unresolved } = resolveFile(counting, file ?? expect.fail());
  expect({ possible, unresolved }).toEqual({ possible: [], unresolved: [['handle', 2000]] });
  expect(asked).toBeLessThan(5);
});

it.each(['a.ts', 'a.js', 'a.py'])(
  'two classes with save and a receiver that says nothing are possible: %s',
  async (path) => {
    const source = path.endsWith('py')
      ? 'class A:\n    def save(self): ...\nclass B:\n    def save(self): ...\ndef f(x): x.save()\ndef g(x=None): x.save()\n'
      : 'class A { save() {} }\nclass B { save() {} }\nfunction f(x) { x.save(); }\nfunction g(x = null) { x.save(); }\n';
    const world = await worldOf({ [path]: source });
    const { edges, possible, unresolved } = linksOf(world, path);
    expect(edges.filter(({ kind }) => kind === 'calls')).toEqual([]);
    expect(possible.map((edge) => showEdge(world, path, edge))).toEqual([
      `f -> ${path}#A.save possible`,
      `f -> ${path}#B.save possible`,
      `g -> ${path}#A.save possible`,
      `g -> ${path}#B.save possible`,
    ]);
    expect(unresolved).toEqual([]);
  },
);

it('imports CommonJS by default', async () => {
  const world = await worldOf({
    'all.cjs': 'module.exports = { a() {}, b };\nfunction b() {}\n',
    'one.cjs': 'module.exports = function main() {};\nmodule.exports.extra = () => {};\n',
    'each.cjs': 'exports.c = function () {};\n',
    'use.mjs': `import all from './all.cjs';
import one from './one.cjs';
import each from './each.cjs';
all.a(); all.b(); one(); one.extra(); each.c();`,
  });
  expect(callsOf(world, 'use.mjs')).toEqual([
    '. -> all.cjs#a receiver',
    '. -> all.cjs#b receiver',
    '. -> one.cjs#main import',
    '. -> one.cjs#extra receiver',
    '. -> each.cjs#c import',
  ]);
});

it('knows a package of Go by the name that its files say', async () => {
  const world = await worldOf({
    'go.mod': 'module example.com/app\n',
    'go-util/util.go': 'package utility\ntype T struct{}\nfunc New() *T { return nil }\nfunc (t *T) Close() {}\n',
    'main.go': 'package main\nimport "example.com/app/go-util"\nfunc main() { utility.New().Close() }\n',
  });
  expect(callsOf(world, 'main.go')).toEqual([
    'main -> go-util/util.go#New import',
    'main -> go-util/util.go#T.Close return',
  ]);
});

it('finds a module of Rust that is declared inside of a macro', async () => {
  const world = await worldOf({
    'Cargo.toml': '[package]\nname = "x"\n',
    'src/lib.rs': 'mod util;\nmod slab;\n',
    'src/util/mod.rs': 'macro_rules! cfg { ($($i:item)*) => { $($i)* } }\ncfg! {\n    pub(crate) mod bit;\n}\n',
    'src/util/bit.rs': 'pub(crate) fn width() {}\n',
    'src/slab.rs': 'use crate::util::bit;\nfn f() { bit::width(); }\n',
  });
  expect(callsOf(world, 'src/slab.rs')).toEqual(['f -> src/util/bit.rs#width import']);
});

it('exports nothing of the language itself', async () => {
  const world = await worldOf({
    'Cargo.toml': '[package]\nname = "x"\n',
    'src/lib.rs':
      'pub use std::clone::Clone;\npub use std::fmt::{self, Debug};\npub use std::option::Option::{None, Some};\n',
  });
  expect(linksOf(world, 'src/lib.rs').edges.filter(({ path }) => path === '')).toEqual([]);
});

it('calls static methods of interfaces in Java', async () => {
  const world = await worldOf({
    'p/Shape.java': 'package p;\npublic interface Shape { static Shape of() { return null; } void draw(); }\n',
    'q/Use.java': 'package q;\nimport p.Shape;\nclass Use { void f() { Shape.of().draw(); } }\n',
    'p/Near.java': 'package p;\nclass Near { void f() { Shape.of().draw(); } }\n',
  });
  const expected = ['receiver', 'return'].map((why, n) => ` -> p/Shape.java#Shape.${n === 0 ? 'of' : 'draw'} ${why}`);
  expect(callsOf(world, 'q/Use.java')).toEqual(expected.map((call) => `Use.f${call}`));
  expect(callsOf(world, 'p/Near.java')).toEqual(expected.map((call) => `Near.f${call}`));
});
