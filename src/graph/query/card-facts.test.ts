import { describe, expect, it } from 'vitest';
import { createImpactOf } from './card-facts.ts';
import { likelyFiles } from '../resident/rule-graph.ts';
import type { Wanted } from './main-symbols.ts';
import { plannedReader } from './reader.fixture.ts';
import type { Plan } from './reader.fixture.ts';

const chosen = (plan: Plan, path: string, wanted?: Wanted) => {
  const impact = createImpactOf(plannedReader(plan))(path, wanted);
  return impact && [impact.key, ...(impact.also ? [impact.also.qualified] : [])].join(' and ');
};

describe('which symbol of a file a card is about', () => {
  const apart: Plan['symbols'] = {
    'b.ts#b1': {},
    'b.ts#b2': {},
    'b.ts#b3': {},
    'c.ts#c1': {},
    'test/b.ts#t1': {},
    'test/b.ts#t2': {},
    'examples/b.ts#e1': {},
    'examples/b.ts#e2': {},
  };
  it.each<[string, Plan['symbols'], readonly string[], string | undefined]>([
    ['none without calls', { 'a.ts#f': {}, 'a.ts#g': {} }, [], undefined],
    ['none that only calls itself', { 'a.ts#f': {} }, ['a.ts#f -> a.ts#f'], undefined],
    ['one that calls', { 'a.ts#f': {}, 'a.ts#g': {} }, ['a.ts#g -> b.ts#b1'], 'a.ts#g'],
    [
      'a class with more callers than a function',
      { 'a.ts#C': { kind: 'class' }, 'a.ts#f': {} },
      ['b.ts#b1 -> a.ts#C', 'b.ts#b2 -> a.ts#C', 'b.ts#b3 -> a.ts#C', 'a.ts#f -> b.ts#b1'],
      'a.ts#C',
    ],
    [
      'a class for its members',
      { 'a.ts#C': { kind: 'class' }, 'a.ts#C.m': {}, 'a.ts#C.n': {}, 'a.ts#f': {} },
      ['b.ts#b1 -> a.ts#C.m', 'b.ts#b2 -> a.ts#C.n', 'b.ts#b3 -> a.ts#C.n', 'b.ts#b1 -> a.ts#f'],
      'a.ts#C',
    ],
    [
      'a private one that others reach',
      { 'a.ts#hidden': { exported: false }, 'a.ts#open': {} },
      ['b.ts#b1 -> a.ts#hidden', 'b.ts#b2 -> a.ts#hidden', 'b.ts#b3 -> a.ts#hidden', 'a.ts#open -> b.ts#b1'],
      'a.ts#hidden',
    ],
    [
      'an entry point before its helpers',
      { 'a.ts#main': {}, 'a.ts#one': { exported: false }, 'a.ts#two': { exported: false } },
      ['a.ts#main -> a.ts#one', 'a.ts#one -> a.ts#two', 'a.ts#main -> a.ts#two'],
      'a.ts#main',
    ],
    [
      'production before tests and samples',
      { 'a.ts#tested': {}, 'a.ts#shown': {}, 'a.ts#used': {} },
      [
        ...['test/b.ts#t1 -> a.ts#tested', 'test/b.ts#t2 -> a.ts#tested', 'examples/b.ts#e1 -> a.ts#shown'],
        ...['examples/b.ts#e2 -> a.ts#shown', 'b.ts#b1 -> a.ts#used', 'b.ts#b2 -> a.ts#used', 'c.ts#c1 -> a.ts#used'],
      ],
      'a.ts#used',
    ],
    [
      'both of two alike',
      { 'a.ts#f': {}, 'a.ts#g': {} },
      ['b.ts#b1 -> a.ts#f', 'b.ts#b1 -> a.ts#g', 'b.ts#b2 -> a.ts#g'],
      'a.ts#g and f',
    ],
    [
      'none of three alike',
      { 'a.ts#f': {}, 'a.ts#g': {}, 'a.ts#h': {} },
      ['b.ts#b1 -> a.ts#f', 'b.ts#b1 -> a.ts#g', 'b.ts#b1 -> a.ts#h'],
      undefined,
    ],
    [
      'no function inside a function',
      { 'a.ts#f': {}, 'a.ts#f.g': { local: true }, 'b.ts#b2': {} },
      ['a.ts#f.g -> b.ts#b1', 'b.ts#b2 -> a.ts#f.g'],
      undefined,
    ],
    [
      'the function that hands a closure out, instead of the closure',
      { 'a.ts#f': {}, 'a.ts#f.g': { local: true } },
      ['a.ts#f.g -> b.ts#b1'],
      'a.ts#f',
    ],
    ['no variable', { 'a.ts#v': { kind: 'constant' } }, ['b.ts#b1 -> a.ts#v'], undefined],
    ['no module', { 'a.ts#f': {} }, ['a.ts -> b.ts#b1'], undefined],
  ])('%s', (_, symbols, links, expected) => {
    expect(chosen({ symbols: { ...symbols, ...apart }, links }, 'a.ts')).toBe(expected);
  });

  const shown = {
    symbols: { 'a.ts#f': { lines: [1, 5] }, 'a.ts#g': { lines: [6, 9] }, 'a.ts#h': { lines: [20, 22] }, ...apart },
    links: ['b.ts#b1 -> a.ts#f', ...['b1', 'b2', 'b3'].map((from) => `b.ts#${from} -> a.ts#g`), 'c.ts#c1 -> a.ts#g'],
  } as const;
  it.each<[string, Wanted, string]>([
    ['nothing', {}, 'a.ts#g'],
    ['the lines of the first', { lines: { first: 1, last: 3 } }, 'a.ts#f'],
    ['lines of both', { lines: { first: 5, last: 6 } }, 'a.ts#g'],
    ['lines of neither', { lines: { first: 40, last: 50 } }, 'a.ts#g'],
    ['the name of the first', { names: ['f'] }, 'a.ts#f'],
    ['that name, wherever it was read', { names: ['f'], lines: { first: 6, last: 9 } }, 'a.ts#f'],
    ['a name that is not there', { names: ['other'] }, 'a.ts#g'],
  ])('what is wanted: %s', (_, wanted, expected) => {
    expect(chosen(shown, 'a.ts', wanted)).toBe(expected);
  });

  it('is none of generated code', () => {
    const files = { 'a.ts': { flags: ['generated'] } } as const;
    expect(chosen({ ...shown, files }, 'a.ts')).toBeUndefined();
  });

  it('a declaration in C stands for its definition', () => {
    const plan: Plan = {
      symbols: {
        'a.h#foo': { declared: true, signature: 'int foo(int n);' },
        'a.h#lost': { declared: true, signature: 'int lost(int n);' },
        'a.cpp#foo': { signature: 'int foo(int n)' },
        'main.cpp#main': {},
      },
      links: ['main.cpp#main -> a.cpp#foo', 'main.cpp#main -> a.h#lost'],
    };
    expect([chosen(plan, 'a.h'), chosen(plan, 'a.cpp')]).toEqual(['a.cpp#foo', 'a.cpp#foo']);
  });

  it('guesses count for nothing', () => {
    const links = [{ from: 'b.ts#b1', to: 'a.ts#f', why: 'only' as const }];
    expect(chosen({ symbols: { 'a.ts#f': {}, ...apart }, links }, 'a.ts')).toBeUndefined();
  });
});

describe('what a card says of it', () => {
  const impact = createImpactOf(
    plannedReader({
      root: '/code/shop',
      files: { 'packages/core/package.json': { language: 'manifest' }, 'src/b.ts': { size: 7, mtimeMs: 70 } },
      symbols: {
        'packages/core/package.json#@shop/core': { kind: 'constant' },
        'packages/core/a.ts#save': { lines: [3, 9] },
        'packages/core/a.ts#near': { exported: false, visibility: 'private' },
        'src/b.ts#once': {},
        'src/b.ts#often': {},
        'src/c.ts#far': { lines: [2, 4] },
        'src/top.ts#top': {},
        'test/a.test.ts#checks': {},
        'test/b.test.ts#checks': {},
      },
      links: [
        { from: 'packages/core/a.ts#near', to: 'packages/core/a.ts#save', line: 12 },
        { from: 'test/b.test.ts#checks', to: 'packages/core/a.ts#save', line: 5 },
        { from: 'src/b.ts#once', to: 'packages/core/a.ts#save', line: 1 },
        { from: 'src/b.ts#often', to: 'packages/core/a.ts#save', line: 8 },
        { from: 'src/b.ts#often', to: 'packages/core/a.ts#save', line: 6 },
        { from: 'packages/core/a.ts#save', to: 'src/c.ts#far', line: 4 },
        { from: 'src/top.ts#top', to: 'src/b.ts#often', line: 2 },
        { from: 'test/a.test.ts#checks', to: 'src/top.ts#top', line: 7 },
      ],
      maybe: ['src/c.ts#far -> packages/core/a.ts#save'],
      unresolved: { save: 3 },
    }),
  )('packages/core/a.ts');

  it('callers in production first, by file and number of calls, with the first place of each', () => {
    expect(impact?.callers).toEqual({
      total: 4,
      roles: { production: 3, test: 1 },
      items: [
        {
          name: 'often',
          called: 'save',
          sites: 2,
          path: '/code/shop/src/b.ts',
          line: 6,
          column: 1,
          size: 7,
          mtimeMs: 70,
        },
        {
          name: 'once',
          called: 'save',
          sites: 1,
          path: '/code/shop/src/b.ts',
          line: 1,
          column: 1,
          size: 7,
          mtimeMs: 70,
        },
        {
          name: 'near',
          called: 'save',
          sites: 1,
          path: '/code/shop/packages/core/a.ts',
          line: 12,
          column: 1,
          size: 1,
          mtimeMs: 1,
        },
      ],
    });
  });

  it('callees where they are defined', () => {
    expect(impact?.callees).toMatchObject({
      total: 1,
      items: [{ name: 'far', called: 'far', path: '/code/shop/src/c.ts', line: 2 }],
    });
  });

  it('tests above it, nearest first, where they call', () => {
    expect(impact?.tests).toMatchObject({
      total: 2,
      items: [
        { path: '/code/shop/test/b.test.ts', line: 5, called: 'save' },
        { path: '/code/shop/test/a.test.ts', line: 7, called: 'top' },
      ],
    });
  });

  it('its package, and what could not be told', () => {
    expect(impact).toMatchObject({ package: '@shop/core', possible: 1, unresolved: 3 });
  });

  it('of a class, the member that is called', () => {
    const of = createImpactOf(
      plannedReader({
        symbols: {
          'a.ts#C': { kind: 'class' },
          'a.ts#C.run': { visibility: 'private', exported: false },
          'b.ts#D': { kind: 'class' },
          'b.ts#D.d': {},
        },
        links: [{ from: 'b.ts#D.d', to: 'a.ts#C.run', line: 4 }],
      }),
    );
    expect(of('a.ts', undefined)).toMatchObject({
      key: 'a.ts#C',
      callers: { items: [{ name: 'D', called: 'run', line: 4 }] },
    });
  });

  it('names without the numbers that only keys have', () => {
    const of = createImpactOf(
      plannedReader({
        symbols: {
          'a.ts#Map.on~5': {},
          'b.ts#Box': { kind: 'class' },
          'b.ts#Box~2': { kind: 'class' },
          'b.ts#Box~2.put': {},
        },
        links: ['b.ts#Box~2.put -> a.ts#Map.on~5', 'a.ts#Map.on~5 -> b.ts#Box~2.put'],
      }),
    );
    const [own, put] = [of('a.ts', undefined), { name: 'Box.put' }];
    expect(own).toMatchObject({ key: 'a.ts#Map.on~5', symbol: { name: 'on', qualified: 'Map.on' } });
    expect([own?.callers.items, own?.callees.items]).toMatchObject([[put], [put]]);
  });
});

it('tests are not looked for without end', () => {
  const symbols: Record<string, object> = { 'a.ts#f': {} };
  const links: string[] = [];
  for (let n = 0; n < 2_000; n += 1) {
    symbols[`c.ts#g${n}`] = {};
    symbols[`d.ts#h${n}`] = {};
    links.push(`c.ts#g${n} -> a.ts#f`, `d.ts#h${n} -> c.ts#g${n}`);
  }
  const reader = plannedReader({ symbols, links });
  expect(createImpactOf(reader)('a.ts', undefined)?.callers.total).toBe(2_000);
  expect(reader.asked.incoming).toBeLessThan(50);
});

it('a file with thousands of functions has no main one, and takes no time', () => {
  const symbols: Record<string, object> = { 'b.ts#b': {} };
  for (let n = 0; n < 3_000; n += 1) symbols[`a.ts#f${n}`] = {};
  const reader = plannedReader({ symbols, links: ['b.ts#b -> a.ts#f7'] });
  expect(createImpactOf(reader)('a.ts')).toBeUndefined();
  expect(reader.asked.incoming).toBe(0);
});

describe('files of a directory', () => {
  const reader = plannedReader({
    files: { 'src/package.json': { language: 'manifest' }, 'src/empty.ts': {} },
    symbols: {
      'src/a.ts#a': {},
      'src/b.ts#b': {},
      'src/deep/c.ts#c': {},
      'src/x.test.ts#x': {},
      'srcs/d.ts#d': {},
      'top.ts#t': {},
    },
    links: ['top.ts#t -> src/deep/c.ts#c', 'srcs/d.ts#d -> src/deep/c.ts#c', 'top.ts#t -> src/b.ts#b'],
  });
  it.each([
    ['src', 3, ['src/deep/c.ts', 'src/b.ts', 'src/a.ts']],
    ['src', 4, ['src/deep/c.ts', 'src/b.ts', 'src/a.ts', 'src/x.test.ts']],
    ['', 1, ['src/deep/c.ts']],
    ['none', 3, []],
  ])('%s', (directory, max, expected) => {
    expect(likelyFiles(reader, directory, max)).toEqual(expected);
  });
});
