import { describe, expect, it } from 'vitest';
import { nameSymbol } from './name-symbol.ts';
import type { NamingOptions } from './name-symbol.ts';
import { plannedReader } from './reader.fixture.ts';

const reader = plannedReader({
  symbols: {
    'src/store.ts#Store': { kind: 'class', lines: [1, 30] },
    'src/store.ts#Store.save': { lines: [3, 10] },
    'src/store.ts#Store.load': { lines: [12, 20] },
    'src/store.ts#Store.load.step': { kind: 'function', lines: [14, 16], local: true },
    'src/cart.ts#Cart': { kind: 'class', lines: [1, 20] },
    'src/cart.ts#Cart.save': { lines: [2, 5] },
    'src/cart.ts#open': { lines: [22, 25] },
    'src/cart.ts#Cart.open': { lines: [6, 9] },
    'src/over.ts#pick': { lines: [1, 1] },
    'src/over.ts#pick~2': { lines: [2, 2] },
    'src/over.ts#pick~3': { lines: [3, 9] },
    'src/twice.py#pick_one': { lines: [1, 2] },
    'src/twice.py#pick_one~2': { lines: [4, 5] },
    'src/app/main.ts#app': { kind: 'namespace', lines: [1, 50] },
    'src/app/main.ts#app.Shop': { kind: 'class', lines: [2, 40] },
    'src/app/main.ts#app.Shop.enter': { lines: [3, 9] },
    'lib/index.ts#start': { visibility: 'private', exported: false },
    'src/index.ts#start': {},
    'src/html.ts#parseHTMLPage': {},
    'src/render.ts#render': {},
    'types/render.d.ts#render': {},
    'test/render.ts#render': {},
  },
  links: ['src/cart.ts#open -> src/over.ts#pick~3', 'src/cart.ts#open -> src/store.ts#Store.save'],
});

function named(words: string, options?: NamingOptions): unknown {
  const naming = nameSymbol(reader, words, options);
  const keys = (ids: readonly number[]) => ids.map((id) => reader.symbol(id).key);
  if (naming.is === 'one')
    return naming.others.length === 0 ? keys([naming.id])[0] : [...keys([naming.id]), 'also', ...keys(naming.others)];
  return naming.is === 'several' ? keys(naming.ids) : { similar: keys(naming.similar) };
}

describe('a symbol is meant by', () => {
  it.each<[how: string, words: string, found: unknown]>([
    ['its key', 'src/store.ts#Store.save', 'src/store.ts#Store.save'],
    ['its key with a number', 'src/twice.py#pick_one~2', 'src/twice.py#pick_one~2'],
    ['the path of a module', 'src/store.ts', 'src/store.ts'],
    ['a path from here', './src/store.ts', 'src/store.ts'],
    ['a whole path', '/project/src/store.ts', 'src/store.ts'],
    ['a line of it', 'src/store.ts:5', 'src/store.ts#Store.save'],
    ['a line and column', 'src/store.ts:5:3', 'src/store.ts#Store.save'],
    ['a line of the innermost', 'src/store.ts:15', 'src/store.ts#Store.load.step'],
    ['a line between methods', 'src/store.ts:11', 'src/store.ts#Store'],
    ['a line outside of all', 'src/store.ts:99', 'src/store.ts'],
    ['a line of a path that is cut short', 'store.ts:5', 'src/store.ts#Store.save'],
    ['its qualified name', 'Store.save', 'src/store.ts#Store.save'],
    ['its qualified name, called', 'Store.save()', 'src/store.ts#Store.save'],
    ['the marks of other languages', 'Store::save', 'src/store.ts#Store.save'],
    ['the marks of documentation', 'Store#save', 'src/store.ts#Store.save'],
    ['its name', 'load', 'src/store.ts#Store.load'],
    ['its name inside a function', 'step', 'src/store.ts#Store.load.step'],
    ['its name in another case', 'LOAD', 'src/store.ts#Store.load'],
    ['its qualified name in another case', 'store.SAVE', 'src/store.ts#Store.save'],
    ['the end of its qualified name', 'Shop.enter', 'src/app/main.ts#app.Shop.enter'],
    ['the end of its key', 'cart.ts#Cart.save', 'src/cart.ts#Cart.save'],
    ['the end of a path', 'main.ts', 'src/app/main.ts'],
    ['a file without its ending', 'app/main', 'src/app/main.ts'],
    ['what all overloads are called', 'pick', 'src/over.ts#pick~3'],
  ])('%s: %s', (_how, words, found) => {
    expect(named(words)).toEqual(found);
  });
});

describe('several', () => {
  it('that fit equally well are all named, best first', () => {
    expect(named('save')).toEqual(['src/store.ts#Store.save', 'src/cart.ts#Cart.save']);
    expect(named('start')).toEqual(['src/index.ts#start', 'lib/index.ts#start']);
    expect(named('index.ts')).toEqual(['lib/index.ts', 'src/index.ts']);
  });

  it('where the best is asked for, it is taken and the others are named', () => {
    expect(named('save', { pickBest: true })).toEqual(['src/store.ts#Store.save', 'also', 'src/cart.ts#Cart.save']);
  });

  it('of which one is the product: it is taken before tests and files of declarations, and those are named', () => {
    expect(named('render')).toEqual([
      'src/render.ts#render',
      'also',
      'types/render.d.ts#render',
      'test/render.ts#render',
    ]);
  });

  it('of one function that is defined again, as overloads are, count as one', () => {
    expect(named('pick_one')).toBe('src/twice.py#pick_one');
  });

  it('of which one fits better: it is taken, and the others are named', () => {
    expect(named('open')).toEqual(['src/cart.ts#open', 'also', 'src/cart.ts#Cart.open']);
  });

  it.each([
    ['src/cart.ts', 'src/cart.ts#Cart.save'],
    ['cart.ts', 'src/cart.ts#Cart.save'],
    ['./src/cart.ts', 'src/cart.ts#Cart.save'],
  ])('of which one is in %s', (file, found) => {
    expect(named('save', { file })).toBe(found);
  });

  it('of which none is in the file: those elsewhere are named, none is taken', () => {
    expect(named('save', { file: 'src/html.ts' })).toEqual({
      similar: ['src/store.ts#Store.save', 'src/cart.ts#Cart.save'],
    });
  });
});

describe('what is not there', () => {
  it.each<[words: string, similar: string[]]>([
    ['sotre', ['src/store.ts#Store']],
    ['parseHtmlPages', ['src/html.ts#parseHTMLPage']],
    ['pageParseHTML', ['src/html.ts#parseHTMLPage']],
    ['Store.svae', ['src/store.ts#Store.save']],
    ['zzzzzz', []],
    ['', []],
  ])('%s is like %j', (words, similar) => {
    expect(named(words)).toEqual({ similar });
  });

  it('five names at most', () => {
    const many = plannedReader({
      symbols: Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`a.ts#loadFile${n}`, {}])),
    });
    const naming = nameSymbol(many, 'loadFiles');
    expect(naming.is === 'none' && naming.similar).toHaveLength(5);
  });
});

describe('thousands of one name', () => {
  it('are looked at a few times each', () => {
    const count = 5_000;
    const symbols = Object.fromEntries(
      Array.from({ length: count }, (_, n) => [
        n % 2 === 0 ? `src/f${n % 50}.ts#save~${n}` : `src/one.ts#C${n}.save`,
        {},
      ]),
    );
    const hub = plannedReader({ symbols: { 'src/main.ts#main': {}, ...symbols } });
    for (const key of Object.keys(hub.asked) as (keyof typeof hub.asked)[]) hub.asked[key] = 0;
    const naming = nameSymbol(hub, 'save');
    expect(naming.is).toBe('several');
    const { symbol, incoming, outgoing, symbolsOf } = hub.asked;
    expect(symbol + incoming + outgoing).toBeLessThan(40 * count);
    expect(symbolsOf).toBeLessThan(200);
  });
});
