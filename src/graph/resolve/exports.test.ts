import { describe, expect, it } from 'vitest';
import { keysOf } from '../model/facts.ts';
import { exportsNamed, importMeanings, starMeanings } from './exports.ts';
import type { Meaning } from './meaning.ts';
import { worldOf } from './world.fixture.ts';

function show(meaning: Meaning): string {
  switch (meaning.is) {
    case 'definition':
      return `${meaning.file.path}#${keysOf(meaning.file)[meaning.index]}`;
    case 'module':
      return `module ${meaning.files.map(({ path }) => path).join(' ')}`;
    case 'value':
      return `${meaning.file.path} ${meaning.value.is}`;
    case 'binding':
      return `${meaning.file.path} binding ${meaning.binding.name}`;
    case 'outside':
      return 'outside';
  }
}

async function ask(sources: Readonly<Record<string, string>>, path: string, name: string): Promise<string[]> {
  const world = await worldOf(sources);
  const file = world.file(path);
  return file === undefined ? ['no file'] : exportsNamed(world, file, name).map(show);
}

const TS = {
  'own.ts':
    'export function f() {}\nfunction hidden() {}\nexport default class Main {}\nfunction g() {}\nexport { g as h };',
  'over.ts': 'export function o(a: string): void;\nexport function o(a: number): void;\nexport function o(a: any) {}',
  'merged.ts': 'export interface M { a: string }\nexport const M = 1;',
  'made.ts': 'import { f } from "./own";\nexport default f();',
  'default-name.ts': 'const x = 1;\nexport default x;',
  'one.ts': 'export * from "./two";\nexport function near() {}',
  'two.ts': 'export * from "./three";\nexport * from "./one";\nexport { f as renamed, default as Main } from "./own";',
  'three.ts': 'export function deep() {}\nexport function near() {}\nexport default 1;',
  'spaces.ts': 'export * as ns from "./own";\nexport * from "some-package";',
  'passed.ts':
    'import { f } from "./own";\nimport * as all from "./own";\nimport Main from "./own";\nexport { f, all, Main };',
  'assigned.ts': 'namespace N { export function inner() {} }\nexport = N;',
  'common.js': 'function a() {}\nfunction b() {}\nmodule.exports = { a, c: b, d: 1 };',
  'single.js': 'module.exports = main;\nfunction main() {}',
  'named.js': 'exports.e = function () {};',
  'broken.ts': 'export * from "./nowhere";\nexport { x } from "./nowhere";',
};

describe('exportsNamed of TypeScript', () => {
  it.each([
    ['own.ts', 'f', ['own.ts#f']],
    ['own.ts', 'hidden', []],
    ['own.ts', 'default', ['own.ts#Main']],
    ['own.ts', 'h', ['own.ts#g']],
    ['own.ts', '*', ['module own.ts']],
    ['over.ts', 'o', ['over.ts#o', 'over.ts#o~2', 'over.ts#o~3']],
    ['merged.ts', 'M', ['merged.ts#M', 'merged.ts#M~2']],
    ['made.ts', 'default', ['made.ts call']],
    ['default-name.ts', 'default', ['default-name.ts#x']],
    ['one.ts', 'deep', ['three.ts#deep']],
    ['one.ts', 'near', ['one.ts#near']],
    ['two.ts', 'near', ['three.ts#near']],
    ['one.ts', 'renamed', ['own.ts#f']],
    ['one.ts', 'Main', ['own.ts#Main']],
    ['one.ts', 'default', []],
    ['one.ts', 'absent', []],
    ['spaces.ts', 'ns', ['module own.ts']],
    ['spaces.ts', 'absent', ['outside']],
    ['passed.ts', 'f', ['own.ts#f']],
    ['passed.ts', 'all', ['module own.ts']],
    ['passed.ts', 'Main', ['own.ts#Main']],
    ['assigned.ts', 'inner', ['assigned.ts#N.inner']],
    ['assigned.ts', '*', ['assigned.ts#N', 'module assigned.ts']],
    ['common.js', 'a', ['common.js#a']],
    ['common.js', 'c', ['common.js#b']],
    ['common.js', 'd', ['common.js literal']],
    ['common.js', 'b', []],
    ['single.js', 'default', ['single.js#main', 'module single.js']],
    ['single.js', '*', ['single.js#main', 'module single.js']],
    ['broken.ts', 'x', []],
  ])('%s: %s', async (path, name, expected) => {
    expect(await ask(TS, path, name)).toEqual(expected);
  });
});

const PYTHON = {
  'pkg/__init__.py': 'from .impl import make, Thing as Other\nfrom .stars import *\nfrom . import sub\nimport os\n',
  'pkg/impl.py': 'def make(): pass\nclass Thing: pass\n_private = 1\n',
  'pkg/stars.py': '__all__ = ["listed", "_odd"]\ndef listed(): pass\ndef unlisted(): pass\ndef _odd(): pass\n',
  'pkg/open_stars.py': 'def shown(): pass\ndef _kept(): pass\n',
  'pkg/later.py': 'from .open_stars import *\nfrom .last import *\nfrom numpy import *\n',
  'pkg/last.py': 'def shown(): pass\n',
  'pkg/sub.py': 'def inside(): pass\n',
  'pkg/choice.py': 'try:\n    from fast import run\nexcept ImportError:\n    def run(): pass\n',
  'pkg/ring_a.py': 'from .ring_b import *\n',
  'pkg/ring_b.py': 'from .ring_a import *\ndef ringed(): pass\n',
  'space/mod.py': 'def spaced(): pass\n',
  'user.py':
    'import pkg.sub\nimport pkg.impl as impl\nfrom space import mod\nfrom pkg import sub\nfrom pkg.nowhere import x\n',
};

describe('exportsNamed of Python', () => {
  it.each([
    ['pkg/__init__.py', 'make', ['pkg/impl.py#make']],
    ['pkg/__init__.py', 'Other', ['pkg/impl.py#Thing']],
    ['pkg/__init__.py', 'Thing', []],
    ['pkg/__init__.py', 'sub', ['module pkg/sub.py']],
    ['pkg/__init__.py', 'open_stars', ['module pkg/open_stars.py']],
    ['pkg/__init__.py', 'listed', ['pkg/stars.py#listed']],
    ['pkg/__init__.py', '_odd', ['pkg/stars.py#_odd']],
    ['pkg/__init__.py', 'unlisted', []],
    ['pkg/__init__.py', 'os', ['outside']],
    ['pkg/impl.py', '_private', ['pkg/impl.py#_private']],
    ['pkg/later.py', 'shown', ['pkg/last.py#shown']],
    ['pkg/later.py', '_kept', ['outside']],
    ['pkg/choice.py', 'run', ['pkg/choice.py#run', 'outside']],
    ['pkg/ring_a.py', 'ringed', ['pkg/ring_b.py#ringed']],
    ['pkg/ring_a.py', 'absent', []],
  ])('%s: %s', async (path, name, expected) => {
    expect(await ask(PYTHON, path, name)).toEqual(expected);
  });

  it('binds what an import names', async () => {
    const world = await worldOf(PYTHON);
    const file = world.file('user.py');
    expect(file?.imports.map((entry) => [entry.local, ...importMeanings(world, file, entry).map(show)])).toEqual([
      ['pkg', 'module pkg/__init__.py'],
      ['impl', 'module pkg/impl.py'],
      ['mod', 'module space/mod.py'],
      ['sub', 'module pkg/sub.py'],
      ['x'],
    ]);
  });

  it('looks for a free name in star imports', async () => {
    const world = await worldOf(PYTHON);
    const file = world.file('pkg/later.py');
    expect(file && starMeanings(world, file, 'shown').map(show)).toEqual(['pkg/last.py#shown']);
  });
});
