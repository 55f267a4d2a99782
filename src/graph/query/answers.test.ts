import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cases } from '../../../test/cases.ts';
import { ANSWER_SCHEMA, pathsIn } from './answer.ts';
import type { Answered, ContextAnswer, FilesAnswer } from './answer.ts';
import { askGraph } from './ask-graph.ts';
import type { Ask } from './ask-graph.ts';
import { plannedReader } from './reader.fixture.ts';
import { ask, calls, text } from './shop.fixture.ts';

describe('context', () => {
  const context = (question: Partial<Extract<Ask, { action: 'context' }>>) =>
    ask({ action: 'context', maxChars: 6_000, ...question }) as ContextAnswer;

  it('has numbered lines, callers, callees and tests of what the words name', () => {
    const shown = text(context({ query: 'Store.save' }));
    expect(shown).toContain('Store.save  method  src/store.ts:3-10\n 3  line 3 of it\n');
    expect(shown).toContain(
      '10  line 10 of it\n2 callers in production, 1 in tests\n  Cart.checkout  src/cart.ts:5, 8~\n',
    );
    expect(shown).toContain('2 callees\n  log  src/log.ts:1  at 7\n');
    expect(shown).toContain('1 test\n  testSave  function  src/store.test.ts:1\n');
  });

  it('a class stands for its methods', () => {
    const { blocks } = context({ query: 'store' });
    expect(blocks.map(({ symbol }) => symbol.name)).toEqual(['Store']);
  });

  it('holds whole symbols within the limit and says what is left out', () => {
    const answer = context({ symbols: ['main', 'Store', 'run'], maxChars: 700 });
    expect(answer.blocks.map(({ symbol }) => symbol.name)).toEqual(['main']);
    expect(answer.leftOut.map(({ symbol }) => symbol.name)).toEqual(['Store', 'run']);
    const shown = text(answer, 700);
    expect(shown.length).toBeLessThanOrEqual(700);
    expect(shown).toContain('9  line 9 of it');
    expect(shown).toMatch(
      /2 left out for length, \d+ characters: graph context {2}--symbols main,Store,run --max-chars \d000\n {2}Store {2}class/,
    );
  });

  it.each([500, 300, 120, 40, 1])('in %i characters, no symbol is cut', (maxChars) => {
    const shown = text(context({ symbols: ['Store', 'main'], maxChars }), maxChars);
    expect(shown.length).toBeLessThanOrEqual(maxChars);
    expect(shown).not.toContain('line 1 of it');
  });

  it('names that mean nothing or too much are said beside the others', () => {
    const answer = context({ symbols: ['main', 'save', 'nowhere'] });
    expect(answer.blocks).toHaveLength(1);
    expect(answer.unclear.map(({ is, wanted }) => [is, wanted])).toEqual([
      ['choice', 'save'],
      ['missing', 'nowhere'],
    ]);
    expect(text(answer)).toContain('no symbol "nowhere"');
  });
});

describe('files', () => {
  const files = (question: Partial<Extract<Ask, { action: 'files' }>> = {}) =>
    askGraph(
      plannedReader({
        files: { 'package.json': { language: 'manifest' }, 'src/big.ts': { flags: ['too-large'] } },
        symbols: { 'src/a.ts#f': {}, 'src/a.ts#g': {}, 'src/in/b.ts#h': {}, 'src/in/deep/c.py#i': {}, 'main.ts#m': {} },
      }),
      { action: 'files', ...question },
      () => undefined,
    ) as FilesAnswer;
  const paths = (answer: FilesAnswer) => answer.rows.items.map(({ path }) => path);

  it.each<[Partial<Extract<Ask, { action: 'files' }>>, string[]]>([
    [{}, ['main.ts', 'src/a.ts', 'src/big.ts', 'src/in/b.ts', 'src/in/deep/c.py']],
    [{ path: 'src/in' }, ['src/in/b.ts', 'src/in/deep/c.py']],
    [{ path: './src/in/' }, ['src/in/b.ts', 'src/in/deep/c.py']],
    [{ path: '.' }, ['main.ts', 'src/a.ts', 'src/big.ts', 'src/in/b.ts', 'src/in/deep/c.py']],
    [{ path: 'src/a.ts' }, ['src/a.ts']],
    [{ pattern: '*.py' }, ['src/in/deep/c.py']],
    [{ pattern: 'src/*.ts' }, ['src/a.ts', 'src/big.ts']],
    [{ language: 'python' }, ['src/in/deep/c.py']],
    [{ maxDepth: 1 }, ['main.ts', 'src/']],
    [{ maxDepth: 2 }, ['main.ts', 'src/a.ts', 'src/big.ts', 'src/in/']],
    [{ maxDepth: 1, path: 'src' }, ['src/a.ts', 'src/big.ts', 'src/in/']],
    [{ limit: 1 }, ['main.ts']],
  ])('%j', (question, found) => {
    expect(paths(files(question))).toEqual(found);
  });

  it('as a tree and flat', () => {
    expect(text(files())).toBe(`5 files, 5 symbols
  main.ts  1
  src/
    a.ts  2
    big.ts  0 (too-large)
    in/
      b.ts  1
      deep/
        c.py  1
stable`);
    expect(text(files({ format: 'flat', maxDepth: 2, limit: 4 }))).toBe(`5 files, 5 symbols
  main.ts  1
  src/a.ts  2
  src/big.ts  0 (too-large)
  src/in/  2 files, 2
stable`);
  });

  it('a tree that has more rows than asked for is folded as a whole, not cut after its beginning', () => {
    expect(text(files({ limit: 4 }))).toBe(`5 files, 5 symbols
  main.ts  1
  src/
    a.ts  2
    big.ts  0 (too-large)
    in/  2 files, 2
what is in a directory: graph files src/in
stable`);
    expect(paths(files({ limit: 4, pattern: '*' }))).toHaveLength(4);
  });

  it('none in a language: the languages there are', () => {
    expect(text(files({ language: 'rust' }))).toBe('no indexed files in rust; there is python, typescript\nstable');
  });
});

describe('names that do not mean one symbol', () => {
  it('several: a list to choose from', () => {
    expect(text(ask({ action: 'callers', symbol: 'save' })))
      .toBe(`"save" is the name of 2 symbols; ask for one by its key
  src/store.ts#Store.save  method, line 3, 2 callers in production, 1 in tests
  src/base.ts#Base.save  method, line 2, 1 caller in production
stable`);
  });

  it('the best on request, with the others', () => {
    const answer = calls({ action: 'callers', symbol: 'save', pickBest: true });
    expect([answer.symbol.name, answer.others.map(({ name }) => name)]).toEqual(['Store.save', ['Base.save']]);
    expect(text(answer)).toContain('also of that name: Base.save src/base.ts:2\n');
  });

  it('the number of one that is repeated is in its key alone', () => {
    const symbols = { 'a.ts#Map.on~5': {}, 'b.ts#go': {} };
    const reader = plannedReader({ symbols, links: ['b.ts#go -> a.ts#Map.on~5'] });
    const named = { key: 'a.ts#Map.on~5', name: 'Map.on' };
    const none = () => undefined;
    expect(askGraph(reader, { action: 'callers', symbol: 'Map.on' }, none)).toMatchObject({ symbol: named });
    expect(askGraph(reader, { action: 'callees', symbol: 'go' }, none)).toMatchObject({
      calls: { items: [{ symbol: named }] },
    });
  });

  it('none: similar names', () => {
    expect(text(ask({ action: 'impact', symbol: 'checkuot' }))).toBe(`no symbol "checkuot"
similar names
  Cart.checkout  method  src/cart.ts:2
stable`);
  });
});

describe('text', () => {
  it.each<[Partial<Answered>, string]>([
    [{ state: 'partial' }, 'partial'],
    [{ state: 'stale', stale: 1 }, 'stale: 1 file'],
    [{ state: 'stale', stale: 3 }, 'stale: 3 files'],
    [{ scope: { files: 50_000, of: 61_234 } }, 'stable · partial scope: 50,000 of 61,234 files'],
    [
      { scope: { files: 50_000, of: 100_000, atLeast: true } },
      'stable · partial scope: 50,000 of at least 100,000 files',
    ],
  ])('says how far it can be relied on: %j', (more, word) => {
    expect(
      text(ask({ action: 'callers', symbol: 'main' }), 6_000, more)
        .split('\n')
        .at(-1),
    ).toBe(word);
  });

  it('never exceeds its limit, and is the same each time', () => {
    const questions: Ask[] = [
      { action: 'search', query: 'save' },
      { action: 'search', query: 'e', limit: 3 },
      { action: 'search', query: 'nothing like it' },
      { action: 'callers', symbol: 'Store.save', possible: true },
      { action: 'callees', symbol: 'Cart' },
      { action: 'callers', symbol: 'save' },
      { action: 'callers', symbol: 'nowhere' },
      { action: 'impact', symbol: 'Store' },
      { action: 'impact', symbol: 'Store.save', depth: 5, maxNodes: 1 },
      { action: 'files' },
      { action: 'files', format: 'flat', limit: 2 },
    ];
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 900 }), fc.constantFrom(...questions, undefined), (maxChars, question) => {
        const answer = ask(question ?? { action: 'context', query: 'store main', maxChars });
        const shown = text(answer, maxChars);
        expect(shown.length).toBeLessThanOrEqual(maxChars);
        expect(text(ask(question ?? { action: 'context', query: 'store main', maxChars }), maxChars)).toBe(shown);
      }),
      cases(300),
    );
  });

  it('names a way to what is left out for length that shows it', () => {
    const symbols = Object.fromEntries(Array.from({ length: 90 }, (_, n) => [`src/file${n}.ts#get${n}`, {}]));
    const search = (limit: number) =>
      askGraph(plannedReader({ symbols }), { action: 'search', query: 'get', limit }, () => undefined);
    const [, limit, maxChars] = /--limit (\d+) --max-chars (\d+)/.exec(text(search(20), 500)) ?? [];
    expect([limit, text(search(Number(limit)), Number(maxChars)).split('\n')]).toEqual([
      '90',
      expect.toSatisfy((lines: string[]) => lines.length === 92),
    ]);
    expect(text(search(20), 6_000)).not.toContain('max-chars');
  });

  it('holds nothing that a terminal would obey', () => {
    const evil = plannedReader({ symbols: { 'a.ts#f': { signature: 'f(a = "\u001b[2J\u202e")' } } });
    const answer = askGraph(evil, { action: 'callers', symbol: 'f' }, () => undefined);
    for (const control of ['\u001b', '\u202e']) expect(text(answer)).not.toContain(control);
  });
});

describe('data', () => {
  it('names the files it is about', () => {
    expect(pathsIn(ask({ action: 'callers', symbol: 'Store.save', possible: true })).sort()).toEqual([
      'src/base.ts',
      'src/cart.ts',
      'src/main.ts',
      'src/store.test.ts',
      'src/store.ts',
    ]);
    expect(pathsIn(ask({ action: 'callers', symbol: 'nowhere' }))).toEqual([]);
    expect(pathsIn(ask({ action: 'impact', symbol: 'log', depth: 1 })).sort()).toEqual(['src/log.ts', 'src/store.ts']);
  });

  it('has a shape that programs can rely on', () => {
    expect(ANSWER_SCHEMA).toBe(1);
    expect(JSON.parse(JSON.stringify(ask({ action: 'callers', symbol: 'log' })))).toEqual({
      is: 'callers',
      symbol: {
        key: 'src/log.ts#log',
        name: 'log',
        kind: 'function',
        path: 'src/log.ts',
        line: 1,
        lastLine: 1,
        signature: '',
        exported: true,
        test: false,
        callers: 1,
        callerRoles: { production: 1 },
      },
      others: [],
      calls: {
        total: 1,
        roles: { production: 1 },
        items: [
          {
            symbol: {
              key: 'src/store.ts#Store.save',
              name: 'Store.save',
              kind: 'method',
              path: 'src/store.ts',
              line: 3,
            },
            test: false,
            role: 'production',
            sites: [{ path: 'src/store.ts', line: 7, column: 1, kind: 'calls', why: 'import', confidence: 0.97 }],
          },
        ],
      },
      sites: 1,
      uses: { total: 0, roles: {}, items: [] },
      possible: 1,
      unresolved: 0,
      maybe: {
        total: 1,
        roles: { production: 1 },
        items: [
          {
            symbol: { key: 'src/cart.ts#Cart.undo', name: 'Cart.undo', kind: 'method', path: 'src/cart.ts', line: 10 },
            test: false,
            role: 'production',
            sites: [{ path: 'src/cart.ts', line: 15, column: 1, kind: 'calls', why: 'only', confidence: 0.6 }],
          },
        ],
      },
      overrides: [],
      namesakes: [],
    });
  });
});
