import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openProject } from '../indexer/project.fixture.ts';
import type { Project } from '../indexer/project.fixture.ts';
import type { CallsAnswer, SearchAnswer } from './answer.ts';
import { askGraph } from './ask-graph.ts';
import type { Ask } from './ask-graph.ts';
import { definitionOf } from './declared.ts';
import type { GraphReader } from './graph-reader.ts';
import { nameSymbol } from './name-symbol.ts';
import { plannedReader } from './reader.fixture.ts';

const FILES = {
  'area.h': 'int area(int a);\nint left(void);\nextern int count;\n',
  'area.c': '#include "area.h"\nint count = 1;\nint area(int a) { return a; }\n',
  'use.c': '#include "area.h"\nint use(void) { return area(1) + left(); }\n',
  'geo/shape.hpp': `namespace geo {
class Shape {
 public:
  int size(int a);
  int size(int a, int b);
  void draw();
  virtual void open() = 0;
};
int total(int a);
}
namespace other {
class Shape { public: void draw(); };
}
`,
  'geo/shape.cpp': `#include "shape.hpp"
namespace geo {
int Shape::size(int a) { return a; }
int Shape::size(int a, int b) { return size(a + b); }
int total(int a) { return a; }
}
void geo::Shape::draw() { size(1); geo::total(2); }
`,
  'geo/main.cpp': '#include "shape.hpp"\nint main(geo::Shape& s) { s.draw(); return s.size(1, 2) + geo::total(1); }\n',
  'store.ts':
    'export interface Store {\n  save(): void;\n}\nexport abstract class Base {\n  abstract save(): void;\n}\nexport class File {\n  save(): void {}\n}\n',
};

let project: Project;
let graph: GraphReader;
beforeAll(async () => {
  project = openProject(FILES);
  await project.indexer().indexAll();
  graph = project.graph();
});
afterAll(() => project.close());

const ask = (question: Ask) => askGraph(graph, question, () => undefined);

function named(words: string, file?: string): string[] {
  const naming = nameSymbol(graph, words, { file });
  const ids = naming.is === 'one' ? [naming.id, ...naming.others] : naming.is === 'several' ? naming.ids : [];
  return ids.map((id) => graph.symbol(id).key);
}

describe('a declaration and its definition in another file are one symbol', () => {
  it.each<[words: string, keys: string[]]>([
    ['area', ['area.c#area']],
    ['area.h#area', ['area.c#area']],
    ['area.h:1', ['area.c#area']],
    ['AREA', ['area.c#area']],
    ['count', ['area.c#count']],
    ['geo/shape.hpp#geo.Shape.draw', ['geo/shape.cpp#draw']],
    ['geo.Shape.draw', ['geo/shape.cpp#draw']],
    ['geo::total', ['geo/shape.cpp#geo.total']],
    ['geo/shape.hpp#geo.Shape.size~2', ['geo/shape.cpp#geo.size~2']],
    // Not defined, or only for another class.
    ['left', ['area.h#left']],
    ['other.Shape.draw', ['geo/shape.hpp#other.Shape.draw']],
    ['geo.Shape.open', ['geo/shape.hpp#geo.Shape.open']],
  ])('%s: %j', (words, keys) => {
    expect(named(words)).toEqual(keys);
  });

  it('that is in both files', () => {
    expect([named('area', 'area.h'), named('area', 'area.c')]).toEqual([['area.c#area'], ['area.c#area']]);
  });

  it.each<[query: string, keys: string[]]>([
    ['area', ['area.c#area']],
    ['total', ['geo/shape.cpp#geo.total']],
    ['Shape.draw', ['geo/shape.cpp#draw', 'geo/shape.hpp#other.Shape.draw']],
  ])('search %s: %j', (query, keys) => {
    const { symbols } = ask({ action: 'search', query, kinds: ['function', 'method'] }) as SearchAnswer;
    expect(symbols.items.map(({ key }) => key)).toEqual(keys);
  });

  it.each<[symbol: string, name: string, callers: string[]]>([
    ['area.h#area', 'area', ['use']],
    ['geo/shape.hpp#geo.Shape.draw', 'geo.Shape.draw', ['main']],
    ['geo/shape.hpp#geo.total', 'geo.total', ['main', 'geo.Shape.draw']],
    ['geo.Shape', 'geo.Shape', ['main']],
  ])('callers of %s', (symbol, name, callers) => {
    const { symbol: found, calls } = ask({ action: 'callers', symbol }) as CallsAnswer;
    expect([found.name, calls.items.map((each) => each.symbol.name)]).toEqual([name, callers]);
  });

  it('what a class calls is called by its methods, wherever they stand', () => {
    const { calls } = ask({ action: 'callees', symbol: 'geo.Shape' }) as CallsAnswer;
    expect(calls.items.map(({ sites }) => sites.map(({ path, line }) => `${path}:${line}`))).toEqual([
      ['geo/shape.cpp:7'],
    ]);
  });

  it('members of interfaces and abstract methods stay symbols of their own', () => {
    expect(named('save').sort()).toEqual(['store.ts#Base.save', 'store.ts#File.save', 'store.ts#Store.save']);
  });
});

it('of definitions in several files the one beside the header is meant, else none', () => {
  const several = plannedReader({
    symbols: {
      'a.h#open': { declared: true },
      'a.h#close': { declared: true },
      'a.c#open': {},
      'b.c#open': {},
      'b.c#close': {},
      'c.c#close': {},
      'd.h#hide': { declared: true },
      'd.c#hide': { exported: false },
    },
  });
  const key = (declared: string) => several.symbol(definitionOf(several, several.byKey(declared) ?? -1)).key;
  expect(['a.h#open', 'a.h#close', 'd.h#hide'].map(key)).toEqual(['a.c#open', 'a.h#close', 'd.h#hide']);
});

it('thousands of one name are looked at a few times each', () => {
  const count = 4_000;
  const symbols = Array.from({ length: count }, (_, n) =>
    n % 2 === 0 ? ([`a${n}.h#run`, { declared: true }] as const) : ([`a${n - 1}.c#run`, {}] as const),
  );
  const hub = plannedReader({ symbols: Object.fromEntries(symbols) });
  hub.asked.symbol = 0;
  const naming = nameSymbol(hub, 'run');
  expect(naming.is === 'several' && naming.ids).toHaveLength(count / 2);
  expect(hub.asked.symbol).toBeLessThan(40 * count);
});
