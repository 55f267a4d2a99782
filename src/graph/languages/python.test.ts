import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Expression } from '../expression.ts';
import { keysOf } from '../facts.ts';
import type { Extracted, Extractor } from './language.ts';
import { createPythonExtractor } from './python.ts';

let python: Extractor;
beforeAll(async () => {
  python = await createPythonExtractor();
});

const read = (text: string): Extracted => python.extract({ path: 'a.py', language: 'python', text, lines: [0] });
/** Line and column, both from 1. */
function place(text: string, at: number): string {
  const before = text.slice(0, at).split('\n');
  return `${before.length}:${(before.at(-1)?.length ?? 0) + 1}`;
}
/** An expression as somebody would write it. */
function show(e: Expression | undefined): string {
  if (e === undefined) return '-';
  switch (e.is) {
    case 'name':
      return e.name;
    case 'member':
      return `${show(e.of)}.${e.name}`;
    case 'call':
      return `${show(e.of)}(${e.args.map(show).join(', ')})`;
    case 'apply':
      return `${show(e.of)}[${e.types.map(show).join(', ')}]`;
    case 'either':
      return e.of.map(show).join(' | ');
    case 'tuple':
      return `(${e.of.map(show).join(', ')})`;
    case 'literal':
      return `<${e.type}>`;
    case 'part':
      return `part ${e.n} of ${show(e.of)}`;
    case 'each':
    case 'await':
    case 'entered':
    case 'element':
      return `${e.is} ${show(e.of)}`;
    case 'as':
      return `as ${show(e.type)}`;
    case 'typeof':
      return `typeof ${show(e.value)}`;
    case 'function':
      return `(${e.parameters.map(({ name, type }) => name || show(type)).join(', ')}) => ${show(e.type ?? e.values?.[0])}`;
    case 'parameter':
      return `parameter ${e.n} of ${show(e.of)}`;
    case 'expected':
      return `argument ${e.n} of ${show(e.call)}`;
    default:
      return e.is;
  }
}
const callsOf = (found: Extracted): string[] =>
  found.references.filter(({ kind }) => kind === 'call').map(({ name, receiver }) => `${show(receiver)} ${name}`);
/** What a local name is, by its binding; nearest last. */
const bindingsOf = (found: Extracted, name: string): string[] =>
  found.bindings
    .filter((binding) => binding.name === name)
    .toSorted((a, b) => b.to - b.from - (a.to - a.from))
    .map(({ type, value }) => (type ? `: ${show(type)}` : show(value)));
const definition = (found: Extracted, key: string) => found.definitions[keysOf(found).indexOf(key)];

test('definitions, imports and call sites with line and column', () => {
  const text = [
    'from .store import Store as S, make',
    'import os.path',
    '',
    'class Repo(S):',
    '    """Keeps things.',
    '    """',
    '    limit: int = 3',
    '',
    '    def save(self, item):',
    '        self.items = []',
    '        def check(x):',
    '            return make(x).run().done()',
    '        return check(item)',
    '',
    '@cached',
    'def main(): os.path.join("é", Repo().save(1))',
    '',
  ].join('\n');
  const found = read(text);
  const keys = keysOf(found);
  expect(
    found.definitions.map(({ kind, at, end }, n) => `${kind} ${keys[n]} ${place(text, at)} to ${place(text, end)}`),
  ).toEqual([
    'class Repo 4:7 to 13:27',
    'field Repo.limit 7:5 to 7:19',
    'method Repo.save 9:9 to 13:27',
    'field Repo.items 10:14 to 10:24',
    'function Repo.save.check 11:13 to 12:40',
    'function main 16:5 to 16:46',
  ]);
  expect(found.imports.map(({ local, module, name, at }) => `${local} = ${module} ${name} ${place(text, at)}`)).toEqual(
    ['S = .store Store 1:20', 'make = .store make 1:32', 'os = os.path * 2:8'],
  );
  expect(
    found.references
      .filter(({ kind }) => kind === 'call')
      .map(({ name, at, within, receiver }) => `${keys[within] ?? ''}: ${show(receiver)} ${name} ${place(text, at)}`),
  ).toEqual([
    'Repo.save.check: - make 12:20',
    'Repo.save.check: make(x) run 12:28',
    'Repo.save.check: make(x).run() done 12:34',
    'Repo.save: - check 13:16',
    'main: os.path join 16:21',
    'main: - Repo 16:31',
    'main: Repo() save 16:38',
  ]);
  const [repo, , save, , check, main] = found.definitions;
  expect(repo).toMatchObject({ doc: 'Keeps things.', signature: 'class Repo(S)', exported: true });
  expect(repo?.bases.map(({ how, type }) => `${how} ${show(type)}`)).toEqual(['extends S']);
  expect(save).toMatchObject({
    signature: 'def save(self, item)',
    parameters: [{ name: 'item' }],
    visibility: 'public',
  });
  expect(check).toMatchObject({ traits: ['local'], exported: false });
  expect(main).toMatchObject({ traits: ['wrapped'], signature: 'def main()' });
});

describe('definitions', () => {
  test('what decorators and names say', () => {
    const found = read(
      [
        'class A:',
        '    def __init__(self): pass',
        '    @property',
        '    def size(self): return 1',
        '    @size.setter',
        '    def size(self, value): pass',
        '    @classmethod',
        '    def make(cls): return cls()',
        '    @staticmethod',
        '    def help(x): pass',
        '    @abc.abstractmethod',
        '    def must(self): ...',
        '    @typing.overload',
        '    def _one(self): ...',
        '    @functools.lru_cache(None)',
        '    async def __wait(me): return me.size',
        '    @route("/")',
        '    def all(self): yield 1',
      ].join('\n'),
    );
    expect(
      found.definitions.map(({ name, traits, visibility }) => `${name} ${visibility} ${traits.join(' ')}`.trim()),
    ).toEqual([
      'A public',
      '__init__ special constructor',
      'size public getter',
      'size public setter',
      'make public static',
      'help public static',
      'must public abstract',
      '_one private declared',
      '__wait private async',
      'all public wrapped generator',
    ]);
    expect(definition(found, 'A.help')?.parameters).toEqual([{ name: 'x' }]);
    expect(show(definition(found, 'A.make')?.values[0])).toBe('this()');
    expect(show(definition(found, 'A.__wait')?.values[0])).toBe('this.size');
    const decorators = found.references.filter(({ kind }) => kind === 'decorator');
    expect(decorators.map(({ name, receiver }) => `${show(receiver)} ${name}`)).toEqual([
      '- property',
      'size setter',
      '- classmethod',
      '- staticmethod',
      'abc abstractmethod',
      'typing overload',
      'functools lru_cache',
      '- route',
    ]);
    expect(callsOf(found)).toEqual(['- cls', 'functools lru_cache', '- route']);
  });

  test('fields come from the class body and from every method, once', () => {
    const found = read(
      'class A:\n  x: int\n  def a(self):\n    self.x = 1\n    self.y, self.z = f(), [b]\n    other.w = 2\n  def b(me):\n    me.y = g()\n    me.y = None\n    def c(): me.deep = 1\n',
    );
    const fields = found.definitions.filter(({ kind }) => kind === 'field');
    expect(fields.map(({ name, type, values }) => `${name}: ${show(type)} = ${values.map(show).join(' | ')}`)).toEqual([
      'x: int = <int>',
      'y: - = f() | g()',
      'z: - = (b)',
      'deep: - = <int>',
    ]);
  });

  test('enums, aliases, named tuples, lambdas, globals and what is defined twice', () => {
    const found = read(
      'class Color(enum.Enum):\n  RED = 1\nPair = Tuple[int, "B"]\nPoint = namedtuple("Point", "x y")\nadd = lambda a, b: a.plus(b)\nLIMIT = 3\nname = None\nif x:\n  def f(): pass\nelse:\n  def f():\n    global hits\n    hits = g()\ntype Alias[T] = list[T]\n',
    );
    expect(keysOf(found).map((key, n) => `${found.definitions[n]?.kind} ${key}`)).toEqual([
      'enum Color',
      'constant Color.RED',
      'type Pair',
      'class Point',
      'function add',
      'constant LIMIT',
      'variable name',
      'function f',
      'function f~2',
      'variable hits',
      'type Alias',
    ]);
    expect(show(definition(found, 'Pair')?.type)).toBe('(int, B)');
    expect(definition(found, 'Alias')?.generics).toEqual([{ name: 'T' }]);
    expect(show(definition(found, 'add')?.values[0])).toBe('a.plus(b)');
    expect(callsOf(found)).toContain('a plus');
  });

  test('exports: __all__ when there is one, else what has no underscore', () => {
    const open = read('def a(): pass\ndef _b(): pass\nclass C:\n  def d(self): pass\n  def _e(self): pass\n');
    expect(open.definitions.filter(({ exported }) => exported).map(({ name }) => name)).toEqual(['a', 'C', 'd']);
    const listed = read(
      '__all__ = ["_b", "c"]\n__all__ += other.__all__\n__all__ += ["d"]\ndef a(): pass\ndef _b(): pass\n',
    );
    expect(listed.exports.map(({ name }) => name)).toEqual(['_b', 'c', 'd']);
    expect(listed.definitions.filter(({ exported }) => exported).map(({ name }) => name)).toEqual(['_b']);
  });
});

describe('types', () => {
  test.each([
    ['Optional[A]', 'A'],
    ['A | None', 'A'],
    ['None', '<None>'],
    ['Union[A, "b.C", None]', 'A | b.C'],
    ['typing.List[A]', 'list[A]'],
    ['dict[str, list["A"]]', 'dict[str, list[A]]'],
    ['Tuple[A, ...]', 'tuple[A]'],
    ['tuple[A, B]', '(A, B)'],
    ['Type[A]', 'typeof A'],
    ['Callable[[A, int], "B"]', '(A, int) => B'],
    ['Callable[..., B]', '() => B'],
    ['Annotated[A, Field(gt=1), "x]"]', 'A'],
    ['ClassVar[A]', 'A'],
    ['Literal["a", "b"]', '<str>'],
    ['Any', 'unknown'],
    ['Self', 'this'],
    ['f(x)', 'unknown'],
    ['"A[B"', 'A[B]'],
    ["'''A'''", 'A'],
  ])('%s', (annotation, expected) => {
    const text = `x: ${annotation}\n`;
    expect(show(read(text).definitions[0]?.type ?? { is: 'unknown' })).toBe(expected);
  });

  test('names in types are references when the module knows them, and type variables are generics', () => {
    const found = read(
      'from m import A, B as C\nimport n\nT = TypeVar("T", bound=A)\nclass D(Base[A], Generic[T]):\n  def f(self, x: T, y: "C") -> n.E: pass\ndef g(x: T, z: unknown) -> list[T]: pass\ndef h[S: A](s: S) -> S: pass\n',
    );
    const types = found.references.filter(({ kind }) => kind === 'type');
    expect(types.map(({ name, receiver }) => `${show(receiver)} ${name}`)).toEqual(['- A', '- C', 'n E', '- A']);
    expect(definition(found, 'D')?.generics.map(({ name, bound }) => `${name}: ${show(bound)}`)).toEqual(['T: A']);
    expect(definition(found, 'D.f')?.generics).toEqual([]);
    expect(definition(found, 'g')?.generics.map(({ name }) => name)).toEqual(['T']);
    expect(definition(found, 'h')?.generics.map(({ name, bound }) => `${name}: ${show(bound)}`)).toEqual(['S: A']);
  });
});

describe('values', () => {
  test.each([
    ['a.b(c)[0].d', 'part 0 of a.b(c).d'],
    ['a[i]', 'element a'],
    ['a[1:]', 'a'],
    ['await f()', 'await f()'],
    ['a if b else C()', 'a | C()'],
    ['a or None or B()', 'a | B()'],
    ['a and b.c', 'b.c'],
    ['(x := f())', 'f()'],
    ['not a', '<bool>'],
    ['a / "x"', 'a.__truediv__(<str>)'],
    ['"%s" % a', '<str>'],
    ['b"x"', '<bytes>'],
    ['f"{a}"', '<str>'],
    ['[A(), B()]', '(A(), B())'],
    ['[f(x) for x in y]', 'as list[typeof f(x)]'],
    ['{"k": A()}', 'as dict[typeof <str>, typeof A()]'],
    ['{}', '<dict>'],
    ['[lambda x: x.y]', '((x) => x.y)'],
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
    expect(bindingsOf(found, 'v')).toEqual(['A() | B()', 'B()', 'A()']);
    expect(bindingsOf(found, 'p')).toEqual(['C()', 'C()']);
    expect(bindingsOf(found, 'w')).toEqual(['each x | each y', 'each x', 'each y']);
  });

  test('with, for, comprehensions, unpacking, except, walrus, nonlocal', () => {
    const found = read(
      'def f():\n  with a() as b, c() as (d, e): pass\n  for i, (j, *k) in l: pass\n  m, n = o, p()\n  try: pass\n  except (q.R, S) as t: t.u()\n  if (z := y()): pass\n  g = {h: 1 for h, _ in w.items() if isinstance(h, A)}\n  def inner():\n    nonlocal z\n    z = x()\n',
    );
    const names = ['b', 'd', 'i', 'j', 'k', 'm', 'n', 't', 'z', 'h'];
    expect(Object.fromEntries(names.map((name) => [name, bindingsOf(found, name)]))).toEqual({
      b: ['entered a()'],
      d: ['part 0 of entered c()'],
      i: ['part 0 of each l'],
      j: ['part 0 of part 1 of each l'],
      k: ['(each part 1 of each l)'],
      m: ['o'],
      n: ['p()'],
      t: [': q.R | S'],
      z: ['y() | x()', 'y()'],
      h: ['part 0 of each w.items()', ': A'],
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
      ['B | m.C'],
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
      'each xs',
      'each ys',
      'each zs',
      'parameter 0 of argument 1 of on(<int>, (g) => g.h)',
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
