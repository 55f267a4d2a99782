import { describe, expect, it } from 'vitest';
import { plannedReader } from './reader.fixture.ts';
import { searchSymbols } from './search.ts';
import { wordParts } from './word-parts.ts';

describe('the words of a name', () => {
  it.each<[string, string[]]>([
    ['parseConfig', ['parse', 'config']],
    ['ParseConfig', ['parse', 'config']],
    ['parse_config', ['parse', 'config']],
    ['__init__', ['init']],
    ['PARSE_CONFIG', ['parse', 'config']],
    ['parseHTTPConfig', ['parse', 'http', 'config']],
    ['HTTP', ['http']],
    ['aB', ['a', 'b']],
    ['utf8Text', ['utf', '8', 'text']],
    ['$x', ['x']],
    ['größeÄndern', ['größeändern']],
    ['', []],
  ])('%s', (name, parts) => {
    expect(wordParts(name)).toEqual(parts);
  });
});

const reader = plannedReader({
  symbols: {
    'src/config.ts#parseConfig': {},
    'src/config.ts#ParseConfig': { kind: 'type' },
    'src/config.ts#parseConfigFile': {},
    'src/config.ts#reparseConfiguration': { exported: false },
    'src/config.ts#parse_config': {},
    'src/config.ts#parseJsonConfig': {},
    'src/config.ts#Loader': { kind: 'class' },
    'src/config.ts#Loader.parse': {},
    'src/config.ts#Loader.load': {},
    'src/config.test.ts#load': {},
    'src/load.ts#load': {},
    'src/load.ts#loadAll': {},
    'src/load.ts#unload': {},
    'src/load.ts#payload': {},
    'src/use.ts#use': {},
    'src/use.ts#useToo': {},
  },
  links: [
    'src/use.ts#use -> src/load.ts#loadAll',
    'src/use.ts#use -> src/config.ts#Loader.load',
    'src/use.ts#useToo -> src/config.ts#Loader.load',
    { from: 'src/use.ts#useToo', to: 'src/load.ts#load', why: 'only' },
  ],
});

const found = (query: string, limit = 20, kinds?: Parameters<typeof searchSymbols>[2]['kinds']) =>
  searchSymbols(reader, query, { limit, kinds }).symbols.items.map(({ name }) => name);

describe('search', () => {
  it('exact, then the same words, then beginnings, then parts, then any part of the name', () => {
    expect(found('parseConfig')).toEqual([
      'parseConfig',
      'ParseConfig',
      'parse_config',
      'parseConfigFile',
      'parseJsonConfig',
      'reparseConfiguration',
    ]);
  });

  it('within these: more callers, exported, not of a test, key', () => {
    expect(found('load')).toEqual([
      'Loader.load',
      'load',
      'load',
      'src/load.ts',
      'Loader',
      'loadAll',
      'payload',
      'unload',
    ]);
    const [first, second, third] = searchSymbols(reader, 'load', { limit: 20 }).symbols.items;
    expect([first?.callers, second?.path, third?.path]).toEqual([2, 'src/load.ts', 'src/config.test.ts']);
  });

  it('words in prose describe one name', () => {
    expect(found('parse json config', 2)).toEqual(['parseJsonConfig', 'ParseConfig']);
    expect(found('config file', 1)).toEqual(['parseConfigFile']);
  });

  it('names stand for themselves', () => {
    expect(found('loadAll parseConfig', 2)).toEqual(['loadAll', 'parseConfig']);
  });

  it('a qualified name means the member', () => {
    expect(found('Loader.load')).toEqual(['Loader.load']);
    expect(found('loader.lo')).toEqual(['Loader.load']);
  });

  it.each<[Parameters<typeof found>[2], string[]]>([
    [['class'], ['Loader']],
    [['method'], ['Loader.load']],
    [['module'], ['src/load.ts']],
    [
      ['class', 'module'],
      ['src/load.ts', 'Loader'],
    ],
  ])('of kind %j', (kinds, names) => {
    expect(found('load', 20, kinds)).toEqual(names);
  });

  it('says how many there are beyond the limit', () => {
    const { symbols } = searchSymbols(reader, 'load', { limit: 2 });
    expect([symbols.total, symbols.items.length]).toEqual([8, 2]);
  });

  it('nothing that fits: names that look alike', () => {
    const { symbols, similar } = searchSymbols(reader, 'prseConfig', { limit: 5 });
    expect(symbols).toEqual({ total: 0, items: [] });
    expect(similar.map(({ name }) => name).slice(0, 2)).toEqual(['ParseConfig', 'parseConfig']);
  });

  it('thousands of one name are looked at a few times each', () => {
    const count = 5_000;
    const hub = plannedReader({
      symbols: Object.fromEntries(Array.from({ length: count }, (_, n) => [`src/one.ts#C${n}.save`, {}])),
    });
    for (const key of Object.keys(hub.asked) as (keyof typeof hub.asked)[]) hub.asked[key] = 0;
    expect(searchSymbols(hub, 'save', { limit: 5 }).symbols.items.map(({ name }) => name)).toEqual([
      'C0.save',
      'C1.save',
      'C10.save',
      'C100.save',
      'C1000.save',
    ]);
    expect(hub.asked.symbol + hub.asked.incoming).toBeLessThan(20 * count);
    expect(hub.asked.symbolsOf).toBeLessThan(3);
  });
});

it('overloads are found once, as the one that calls lead to', () => {
  const overloaded = plannedReader({
    symbols: {
      'a.ts#pick': {},
      'a.ts#pick~2': {},
      'a.ts#pick~3': {},
      'b.ts#pick': {},
      'c.ts#pick': { kind: 'type' },
      'c.ts#pick~2': { kind: 'constant' },
      'd.ts#go': {},
    },
    links: ['d.ts#go -> a.ts#pick~2'],
  });
  const { total, items } = searchSymbols(overloaded, 'pick', { limit: 10 }).symbols;
  expect([total, items.map(({ key }) => key)]).toEqual([4, ['a.ts#pick~2', 'b.ts#pick', 'c.ts#pick', 'c.ts#pick~2']]);
});
