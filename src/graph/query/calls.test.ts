import { describe, expect, it } from 'vitest';
import type { CallsAnswer, ContextAnswer, ImpactAnswer } from './answer.ts';
import { askGraph } from './ask-graph.ts';
import { plannedReader } from './reader.fixture.ts';
import { ask, calls, impact, text } from './shop.fixture.ts';

describe('callers and callees', () => {
  const names = ({ calls: { items } }: CallsAnswer) =>
    items.map(({ symbol, sites }) => `${symbol.name}:${sites.map(({ line }) => line).join()}`);

  it.each<[direction: 'callers' | 'callees', symbol: string, names: string[]]>([
    ['callers', 'Store.save', ['Cart.checkout:5,8', 'main:3', 'testSave:2']],
    ['callees', 'Store.save', ['log:7', 'Store.flush:6']],
    ['callers', 'Store.flush', ['Cart.undo:12', 'Store.save:6']],
    ['callers', 'Store.lonely', []],
    // A class: its members together, the other ends as classes, nothing between its own members.
    ['callers', 'Store', ['Cart:5,8,12', 'main:2,3', 'testSave:2']],
    ['callees', 'Store', ['log:7']],
    ['callers', 'Cart', []],
    ['callees', 'Cart', ['Store:5,8,12', 'Base:14']],
    ['callers', 'src/store.ts', ['src/cart.ts:5,8,12', 'src/main.ts:2,3', 'src/store.test.ts:2']],
    ['callees', 'src/main.ts', ['src/store.ts:2,3']],
    // Below 0.75 counts for nothing.
    ['callers', 'log', ['Store.save:7']],
    ['callers', 'main', ['run:11']],
  ])('%s of %s: %j', (action, symbol, found) => {
    const answer = calls({ action, symbol });
    expect(names(answer)).toEqual(found);
    expect(answer.calls.total).toBe(found.length);
  });

  it('methods that stand in another file of their package belong to their type', () => {
    const go = plannedReader({
      symbols: {
        'shop/store.go#Store': { kind: 'struct' },
        'shop/save.go#Save': { kind: 'method', signature: 'func (s *Store) Save(item Item) error' },
        'shop/cart.go#Checkout': { kind: 'method', signature: 'func (c Cart) Checkout()' },
        'shop/types.go#Cart': { kind: 'struct' },
        'other/store.go#Store': { kind: 'struct' },
      },
      links: ['shop/cart.go#Checkout -> shop/save.go#Save'],
    });
    const answer = (symbol: string) => askGraph(go, { action: 'callers', symbol }, () => undefined) as CallsAnswer;
    expect(names(answer('Store.Save'))).toEqual(['Cart.Checkout:1']);
    expect(names(answer('shop/store.go#Store'))).toEqual(['Cart:1']);
    expect(names(answer('other/store.go#Store'))).toEqual([]);
  });

  it('an answer of none says what is not known', () => {
    expect(calls({ action: 'callers', symbol: 'Store.lonely' })).toMatchObject({ possible: 0, unresolved: 1 });
    expect(text(ask({ action: 'callers', symbol: 'Store.lonely' }))).toContain(
      'no callers found; 0 possible, 1 unresolved reference of this name',
    );
    expect(text(ask({ action: 'callees', symbol: 'Store.lonely' }))).toContain(
      'no callees found; 0 possible, 4 unresolved references in this file',
    );
    expect(calls({ action: 'callers', symbol: 'log' })).toMatchObject({ possible: 1, unresolved: 0 });
  });

  it('an answer of none among others says so too', () => {
    const lonely = impact('Store.lonely');
    expect(lonely).toMatchObject({ unresolved: 1, calleeDoubt: { possible: 0, unresolved: 4 } });
    const around = ask({ action: 'context', symbols: ['Store.lonely'], maxChars: 6_000 }) as ContextAnswer;
    expect(around.blocks).toMatchObject([{ unresolved: 1, calleeDoubt: { possible: 0, unresolved: 4 } }]);
    for (const answer of [lonely, around]) {
      expect(text(answer)).toContain('no callers found; 0 possible, 1 unresolved reference of this name\n');
      expect(text(answer)).toContain('no callees found; 0 possible, 4 unresolved references in this file\n');
    }
  });

  it.each([undefined, true])('possible callers are shown apart, a few of them unasked (%s)', (possible) => {
    const { calls: sure, maybe } = calls({ action: 'callers', symbol: 'Store.save', possible });
    expect(sure.total).toBe(3);
    expect(maybe?.items.map(({ symbol, sites }) => [symbol.name, sites[0]?.line, sites[0]?.confidence])).toEqual([
      ['Cart.undo', 13, 0.35],
    ]);
  });

  it('of many possible callers the rest is shown on request', () => {
    const users = Array.from({ length: 9 }, (_, at) => `b.ts#use${at}`);
    const reader = plannedReader({
      symbols: { 'a.ts#save': {}, ...Object.fromEntries(users.map((name) => [name, {}])) },
      maybe: users.map((from) => ({ from, to: 'a.ts#save', why: 'possible' })),
    });
    const listed = (possible: boolean) =>
      (askGraph(reader, { action: 'callers', symbol: 'save', possible }, () => undefined) as CallsAnswer).maybe;
    expect([listed(false), listed(true)].map((maybe) => [maybe?.total, maybe?.items.length])).toEqual([
      [9, 5],
      [9, 9],
    ]);
  });

  it('a method without callers names members of interfaces that it may be called as', () => {
    const shop = plannedReader({
      symbols: {
        'a.ts#Starter': { kind: 'interface' },
        'a.ts#Starter.Start': {},
        'a.ts#Engine': { kind: 'class' },
        'a.ts#Engine.Start': {},
        'b.ts#Lamp': { kind: 'class' },
        'b.ts#Lamp.Start': {},
        'b.ts#main': {},
      },
      links: ['b.ts#main -> a.ts#Starter.Start', 'b.ts#main -> b.ts#Lamp.Start'],
    });
    const answer = (symbol: string) => askGraph(shop, { action: 'callers', symbol }, () => undefined) as CallsAnswer;
    expect(answer('Engine.Start').namesakes).toMatchObject([{ symbol: { name: 'Starter.Start' }, callers: 1 }]);
    expect(text(answer('Engine.Start'))).toContain('perhaps called as Starter.Start a.ts:2, which has 1 caller');
    expect(answer('Lamp.Start').namesakes).toEqual([]);
  });

  it('what the method overrides, and what uses a symbol without a call, is told', () => {
    expect(calls({ action: 'callers', symbol: 'Store.save' }).overrides).toMatchObject([
      { symbol: { name: 'Base.save' }, callers: 1 },
    ]);
    expect(calls({ action: 'callers', symbol: 'Store' }).uses.items.map(({ symbol }) => symbol.name)).toEqual(['run']);
  });

  it('the limit is kept, and the rest is counted', () => {
    const { calls: shown } = calls({ action: 'callers', symbol: 'Store.save', limit: 1 });
    expect([shown.total, shown.items.length]).toEqual([3, 1]);
  });

  it('as text', () => {
    expect(text(ask({ action: 'callers', symbol: 'Store.save', possible: true }))).toBe(
      `Store.save  method  src/store.ts:3-10
  save(item: Item): void
2 callers in production, 1 in tests; 4 calls; 1 possible, 3 unresolved references of this name
  Cart.checkout  src/cart.ts:5, 8~
  main  src/main.ts:3
  testSave  src/store.test.ts:2  test
may be called as Base.save src/base.ts:2, which it implements: 1 caller in production; 1 call
  Cart.undo  src/cart.ts:14
1 possible caller, not counted above
  Cart.undo  src/cart.ts:13~
stable · ~ confidence below 0.9`,
    );
    expect(text(ask({ action: 'callees', symbol: 'Store.save', limit: 1 }))).toBe(`Store.save  method  src/store.ts:3-10
  save(item: Item): void
2 callees, 2 calls; 0 possible, 4 unresolved references in this file
  log  src/log.ts:1  at 7
  … 1 more: graph callees src/store.ts#Store.save --limit 2
uses without a call 1
  Base.save  overrides  src/base.ts:2  at 3
stable`);
  });
});

describe('impact', () => {
  const levels = (answer: ImpactAnswer) =>
    answer.levels.map(({ callers }) => callers.items.map(({ symbol }) => symbol.name));

  it('of a function: callers by distance, callees, files and tests', () => {
    const answer = impact('Store.save');
    expect(levels(answer)).toEqual([['Cart.checkout', 'main', 'testSave'], ['run']]);
    expect(answer.callees.items.map(({ symbol }) => symbol.name)).toEqual(['log', 'Store.flush']);
    expect(answer.files.items).toEqual([
      { path: 'src/main.ts', symbols: 2 },
      { path: 'src/cart.ts', symbols: 1 },
      { path: 'src/store.test.ts', symbols: 1 },
      { path: 'src/store.ts', symbols: 1 },
    ]);
    expect(answer.tests.items.map(({ name }) => name)).toEqual(['testSave']);
    expect(answer).toMatchObject({ possible: 1, unresolved: 3, complete: true });
  });

  it('of a class whose method is called by that of another: the other class', () => {
    const small = plannedReader({
      symbols: { 'a.ts#C': { kind: 'class' }, 'a.ts#C.c': {}, 'b.ts#D': { kind: 'class' }, 'b.ts#D.d': {} },
      links: ['b.ts#D.d -> a.ts#C.c'],
    });
    const answer = askGraph(small, { action: 'impact', symbol: 'C' }, () => undefined) as ImpactAnswer;
    expect(levels(answer)).toEqual([['D']]);
    expect(answer.symbol.callers).toBe(1);
    expect(answer.callees).toEqual({ total: 0, roles: {}, items: [] });
  });

  it('the depth is honoured, and a cycle ends', () => {
    const chain = plannedReader({
      symbols: Object.fromEntries(Array.from({ length: 8 }, (_, n) => [`f${n}.ts#f${n}`, {}])),
      links: [
        ...Array.from({ length: 7 }, (_, n) => `f${n + 1}.ts#f${n + 1} -> f${n}.ts#f${n}`),
        'f0.ts#f0 -> f2.ts#f2',
      ],
    });
    for (const depth of [1, 2, 3, 5]) {
      const answer = askGraph(chain, { action: 'impact', symbol: 'f0', depth }, () => undefined) as ImpactAnswer;
      expect(levels(answer)).toEqual(Array.from({ length: depth }, (_, n) => [`f${n + 1}`]));
    }
  });

  it('names no more than it may, over all distances', () => {
    const answer = ask({ action: 'impact', symbol: 'Store.save', maxNodes: 2 }) as ImpactAnswer;
    expect(answer.levels.map(({ callers }) => [callers.total, callers.items.length])).toEqual([
      [3, 2],
      [1, 0],
    ]);
    expect(text(answer)).toContain('… 1 more: graph impact src/store.ts#Store.save --depth 2 --max-nodes 4');
  });

  it('does not follow a hub to its end', () => {
    const count = 6_000;
    const hub = plannedReader({
      symbols: {
        'hub.ts#log': {},
        ...Object.fromEntries(Array.from({ length: count }, (_, n) => [`f${n % 40}.ts#f${n}`, {}])),
      },
      links: Array.from({ length: count }, (_, n) => [
        `f${n % 40}.ts#f${n} -> hub.ts#log`,
        `f${n % 40}.ts#f${n} -> f${(n + 1) % 40}.ts#f${(n + 1) % count}`,
      ]).flat(),
    });
    for (const key of Object.keys(hub.asked) as (keyof typeof hub.asked)[]) hub.asked[key] = 0;
    const answer = askGraph(hub, { action: 'impact', symbol: 'hub.ts#log', depth: 5 }, () => undefined) as ImpactAnswer;
    expect(answer.complete).toBe(false);
    expect(answer.levels[0]?.callers.total).toBe(2_000);
    expect(hub.asked.incoming + hub.asked.symbol).toBeLessThan(25_000);
    expect(text(answer)).toContain('at least 2000 callers');
  });
});
