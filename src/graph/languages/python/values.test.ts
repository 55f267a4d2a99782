import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { keysOf } from '../../model/facts.ts';
import type { Extracted, Extractor } from '../language.ts';
import { createExtractor } from './extractor.ts';
import { show } from '../shown.fixture.ts';
import { bindingsOf, callsOf } from './shown.fixture.ts';

let python: Extractor;
beforeAll(async () => {
  python = await createExtractor();
});

const read = (text: string): Extracted => python.extract({ path: 'a.py', language: 'python', text, lines: [0] });

describe('values', () => {
  test.each([
    ['a.b(c)[0].d', 'a.b(c)[0].d'],
    ['a[i]', 'element(a)'],
    ['a[1:]', 'a'],
    ['await f()', 'await(f())'],
    ['a if b else C()', '(a | C())'],
    ['a or None or B()', '(a | B())'],
    ['a and b.c', 'b.c'],
    ['(x := f())', 'f()'],
    ['not a', '<bool>'],
    ['a / "x"', 'a.__truediv__(<str>)'],
    ['"%s" % a', '<str>'],
    ['b"x"', '<bytes>'],
    ['f"{a}"', '<str>'],
    ['[A(), B()]', '[A(), B()]'],
    ['[f(x) for x in y]', 'as list<typeof f(x)>'],
    ['{"k": A()}', 'as dict<typeof <str>, typeof A()>'],
    ['{}', '<dict>'],
    ['[lambda x: x.y]', '[(x) => x.y]'],
    ['cast("A", b)', 'as A'],
    ['super().x', 'super.x'],
    ['f(1, *a, k=2)', 'f(<int>)'],
  ])('%s', (value, expected) => {
    expect(bindingsOf(read(`def f():\n  v = ${value}\n`), 'v')).toEqual([expected]);
  });

  test('a name that is set again: all values for the function, the nearest where one statement decides', () => {
    const found = read(
      'def f(p=None):\n  v = A()\n  v.a()\n  v = B()\n  v.b()\n  if p is None:\n    p = C()\n    p.c()\n  p.d()\n  w = None\n  for w in x: w.e()\n  for w in y: w.f()\n',
    );
    expect(bindingsOf(found, 'v')).toEqual(['(A() | B())', 'B()', 'A()']);
    expect(bindingsOf(found, 'p')).toEqual(['C()', 'C()']);
    expect(bindingsOf(found, 'w')).toEqual(['(each(x) | each(y))', 'each(x)', 'each(y)']);
  });

  test('with, for, comprehensions, unpacking, except, walrus, nonlocal', () => {
    const found = read(
      'def f():\n  with a() as b, c() as (d, e): pass\n  for i, (j, *k) in l: pass\n  m, n = o, p()\n  try: pass\n  except (q.R, S) as t: t.u()\n  if (z := y()): pass\n  g = {h: 1 for h, _ in w.items() if isinstance(h, A)}\n  def inner():\n    nonlocal z\n    z = x()\n',
    );
    const names = ['b', 'd', 'i', 'j', 'k', 'm', 'n', 't', 'z', 'h'];
    expect(Object.fromEntries(names.map((name) => [name, bindingsOf(found, name)]))).toEqual({
      b: ['entered(a())'],
      d: ['entered(c())[0]'],
      i: ['each(l)[0]'],
      j: ['each(l)[1][0]'],
      k: ['[each(each(l)[1])]'],
      m: ['o'],
      n: ['p()'],
      t: [': (q.R | S)'],
      z: ['(y() | x())', 'y()'],
      h: ['each(w.items())[0]', ': A'],
    });
  });

  test('isinstance decides inside the condition, the body, and after a way out', () => {
    const text =
      'def f(a, b, c, d):\n  if isinstance(a, A) and a.one():\n    a.two()\n  else: a.no()\n  if not isinstance(b, (B, m.C)):\n    raise X\n  b.three()\n  assert isinstance(c, C)\n  c.four()\n  return d.five() if isinstance(d, D) else d.no()\n';
    const found = read(text);
    const known = (call: string): string[] => {
      const at = text.indexOf(call);
      return found.bindings
        .filter(({ name, from, to, type }) => type && call.startsWith(`${name}.`) && from <= at && at < to)
        .map(({ type }) => show(type));
    };
    expect(['a.one', 'a.two', 'a.no', 'b.three', 'c.four', 'd.five', 'd.no'].map(known)).toEqual([
      ['A'],
      ['A'],
      [],
      ['(B | m.C)'],
      ['C'],
      ['D'],
      [],
    ]);
  });

  test('parameters of lambdas: what they will be called with', () => {
    const found = read(
      'sorted(xs, key=lambda a: a.b)\nmap(lambda c: c.d, ys)\nzs.sort(key=lambda e: e.f)\non(1, lambda g: g.h)\n',
    );
    expect(['a', 'c', 'e', 'g'].map((name) => bindingsOf(found, name)[0])).toEqual([
      'each(xs)',
      'each(ys)',
      'each(zs)',
      'parameter(expected(on(<int>, (g) => g.h), 1), 0)',
    ]);
  });

  test('match: classes in patterns are references, names are set, and the subject is narrowed', () => {
    const found = read(
      'from m import A, B\ndef f(x):\n  match x:\n    case A(p=B(q)) as r: x.one()\n    case [s, *t] | {"k": s}: pass\n    case other: pass\n    case m.C(): pass\n',
    );
    expect(callsOf(found)).toEqual(['x one']);
    expect(found.references.filter(({ kind }) => kind === 'reference').map(({ name }) => name)).toEqual(['A', 'B']);
    expect(bindingsOf(found, 'r')).toEqual([': A']);
    expect(bindingsOf(found, 'other')).toEqual(['x']);
    expect(bindingsOf(found, 'x')).toEqual(['-', ': A', ': m.C']);
  });
});

describe('references', () => {
  test('names of the module that are handed on, not those that only look like it', () => {
    const found = read(
      'from m import a, b\nimport n\ndef f(b):\n  g(a, b, n.c, self.d, k=a)\n  return n.e\nclass C:\n  def h(self): g(self.h, a=1)\n',
    );
    const values = found.references.filter(({ kind }) => kind === 'reference');
    expect(values.map(({ name, receiver }) => `${show(receiver)} ${name}`)).toEqual([
      '- a',
      '- n',
      'n c',
      '- a',
      '- n',
      'n e',
      'this h',
    ]);
  });

  test('imports: type checking, inside functions, stars, dynamic, fallbacks', () => {
    const found = read(
      'if TYPE_CHECKING:\n  from .a import B\ntry:\n  import json\nexcept ImportError:\n  json = None\nfrom .. import x\nfrom ..y . z import *\ndef f():\n  import p.q as r\n  importlib.import_module("s.t")\n',
    );
    expect(found.imports.map(({ local, module, name, kind, within }) => [local, module, name, kind, within])).toEqual([
      ['B', '.a', 'B', 'type', -1],
      ['json', 'json', '*', 'value', -1],
      ['x', '..', 'x', 'value', -1],
      ['*', '..y.z', '*', 'star', -1],
      ['r', 'p.q', '*', 'value', 0],
      ['', 's.t', '*', 'dynamic', 0],
    ]);
    expect(found.definitions.map(({ name }) => name)).toEqual(['f']);
  });

  test('arguments are counted unless some are spread, and calls in strings are calls', () => {
    const found = read('f(1, k=2)\ng(*a)\nh(x for x in y)\nf"{i(j())}"\n');
    expect(found.references.map(({ name, args }) => [name, args])).toEqual([
      ['f', 2],
      ['g', undefined],
      ['h', 1],
      ['i', 1],
      ['j', 0],
    ]);
  });
});

describe('damaged code', () => {
  test.each([
    [
      'a call that is not closed',
      'class A:\n  def m(self):\n    f(1,\n\n  def n(self):\n    g()\n\ndef z():\n  h()\n',
      ['A', 'A.m', 'A.n', 'z'],
    ],
    ['a head that is not closed', 'def a():\n  b()\n\ndef c(x\n\ndef d():\n  e()\n', ['a', 'c', 'd']],
    ['a head with a stray colon', 'def f(:\n  g()\ndef h(): i()\n', ['f', 'h']],
    ['half a member', 'def a():\n  x.\n\ndef d():\n  e()\n', ['a', 'd']],
    ['no colon', 'def a():\n  if x\n    b()\n  c()\n\ndef d(): e()\n', ['a', 'd']],
    ['a string without end', 'x = "abc\ndef g(): h()\n', ['x', 'g']],
  ])('%s', (_, text, keys) => {
    const found = read(text);
    expect(found.damaged).toBe(true);
    expect(keysOf(found)).toEqual(keys);
  });

  test('every beginning of a file gives something and never throws', () => {
    const text = readFileSync(new URL('./fixtures/every-syntax.py', import.meta.url), 'utf8');
    expect(read(text).damaged).toBe(false);
    for (let end = 0; end <= text.length; end += 11)
      expect(() => read(text.slice(0, end)), text.slice(0, end)).not.toThrow();
  });

  test('code that nests without end is read', () => {
    expect(callsOf(read(`x = ${'f('.repeat(3_000)}${')'.repeat(3_000)}\n`))).toHaveLength(3_000);
    expect(callsOf(read(`x = a${'.b()'.repeat(3_000)}\n`))).toHaveLength(3_000);
  });
});
