import { beforeAll, describe, expect, test } from 'vitest';
import { keysOf } from '../../model/facts.ts';
import type { Extracted, Extractor } from '../language.ts';
import { createExtractor } from './extractor.ts';
import { linesOf, placeIn, show } from '../shown.fixture.ts';
import { callsOf, definition } from './shown.fixture.ts';

let python: Extractor;
beforeAll(async () => {
  python = await createExtractor();
});

const read = (text: string): Extracted => python.extract({ path: 'a.py', language: 'python', text, lines: [0] });

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
  const lines = linesOf(text);
  expect(
    found.definitions.map(
      ({ kind, at, end }, n) => `${kind} ${keys[n]} ${placeIn(lines, at)} to ${placeIn(lines, end)}`,
    ),
  ).toEqual([
    'class Repo 4:7 to 13:27',
    'field Repo.limit 7:5 to 7:19',
    'method Repo.save 9:9 to 13:27',
    'field Repo.items 10:14 to 10:24',
    'function Repo.save.check 11:13 to 12:40',
    'function main 16:5 to 16:46',
  ]);
  expect(
    found.imports.map(({ local, module, name, at }) => `${local} = ${module} ${name} ${placeIn(lines, at)}`),
  ).toEqual(['S = .store Store 1:20', 'make = .store make 1:32', 'os = os.path * 2:8']);
  expect(
    found.references
      .filter(({ kind }) => kind === 'call')
      .map(
        ({ name, at, within, receiver }) => `${keys[within] ?? ''}: ${show(receiver)} ${name} ${placeIn(lines, at)}`,
      ),
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
      'z: - = [b]',
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
    expect(show(definition(found, 'Pair')?.type)).toBe('[int, B]');
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
    ['Union[A, "b.C", None]', '(A | b.C)'],
    ['typing.List[A]', 'list<A>'],
    ['dict[str, list["A"]]', 'dict<str, list<A>>'],
    ['Tuple[A, ...]', 'tuple<A>'],
    ['tuple[A, B]', '[A, B]'],
    ['Type[A]', 'typeof A'],
    ['Callable[[A, int], "B"]', '(A, int) => B'],
    ['Callable[..., B]', '() => B'],
    ['Annotated[A, Field(gt=1), "x]"]', 'A'],
    ['ClassVar[A]', 'A'],
    ['Literal["a", "b"]', '<str>'],
    ['Any', 'unknown'],
    ['Self', 'this'],
    ['f(x)', 'unknown'],
    ['"A[B"', 'A<B>'],
    ['"A[B)"', 'A<B>'],
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
