import { describe, expect, it } from 'vitest';
import type { CallLink, Impact } from '../../engine/rule.ts';
import { cardText } from './card-text.ts';
import type { CardFacts } from './card-text.ts';
import { impactQuery } from './impact-card.ts';

const ROOT = '/code/shop';
const place = (path: string, line: number) => ({ path: `${ROOT}/${path}`, line, column: 1, size: 1, mtimeMs: 1 });
const call = (name: string, path: string, line: number, sites = 1): CallLink => ({
  name,
  called: name,
  sites,
  ...place(path, line),
});

const UNUSED = { places: {}, implementers: 0, unresolved: 0 };

function facts(more: Partial<Impact> = {}, about: Partial<CardFacts> = {}): CardFacts {
  const callers = [
    call('run', 'src/run.ts', 4, 2),
    call('src/main.ts', 'src/main.ts', 9),
    call('again', 'src/c.ts', 1),
  ];
  const impact: Impact = {
    key: 'src/load.ts#Loader.load',
    symbol: { name: 'load', qualified: 'Loader.load', kind: 'method', ...place('src/load.ts', 3) },
    callers: { total: 12, roles: { production: 8, test: 4 }, items: callers },
    use: UNUSED,
    callees: { total: 1, items: [call('parse', 'src/parse.ts', 8)] },
    tests: { total: 2, items: [call('checks', 'test/a.test.ts', 5), call('more', 'test/b.test.ts', 6)] },
    possible: 2,
    unresolved: 1,
    calleeDoubt: { possible: 0, unresolved: 4 },
    ...more,
  };
  return {
    impact,
    proven: {
      callers: impact.callers.items,
      callees: impact.callees.items,
      tests: impact.tests.items,
      also: impact.also,
      changed: [],
    },
    root: 'shop',
    isPartial: false,
    relative: (path) => path.slice(ROOT.length + 1),
    query: impactQuery(impact.key, []),
    ...about,
  };
}

describe('a card', () => {
  it('says as what a symbol may be called, and how many stand in for it, apart from its callers', () => {
    const as = { name: 'Store.load', callers: { production: 6, test: 2 }, more: 1 };
    const text = cardText(facts({ dispatch: { as, implemented: 3, areTestsThrough: true } }), 2_000);
    expect(text).toContain('Callers: 8 in production, 4 in tests');
    expect(text).toContain(
      '\nMay be called as Store.load: 6 callers in production, 2 in tests, and as 1 more\nImplemented or overridden by 3\n',
    );
    expect(text).toContain('Tests that may reach it so: checks');
  });

  it('names files that were not read and may have more, and counts them where there is less room', () => {
    const unread = { total: 3, items: [`${ROOT}/src/large.ts`, `${ROOT}/src/slow.ts`, `${ROOT}/src/cut.ts`] };
    const whole = cardText(facts({ unread }), 2_000);
    expect(whole).toContain('\nNot read, and may have more: src/large.ts, src/slow.ts and 1 more\n');
    expect(cardText(facts({ unread }), 240)).toContain('\nNot read: 3 files that may have more');
    expect(cardText(facts(), 2_000)).not.toContain('Not read');
  });

  it('says all of it in this order', () => {
    expect(cardText(facts({ package: '@shop/core' }, { isPartial: true }), 900)?.split('\n')).toEqual([
      'shop (@shop/core): method Loader.load, src/load.ts:3; partial: the index is being brought up to date',
      'Callers: 8 in production, 4 in tests: run ×2 (src/run.ts:4), src/main.ts:9, again (src/c.ts:1)',
      'Calls: 1: parse (src/parse.ts:8)',
      'Tests that reach it: checks (test/a.test.ts:5), more (test/b.test.ts:6)',
      '+2 possible, 1 unresolved site of that name',
      "All of them: `fairlead graph impact 'src/load.ts#Loader.load'`",
    ]);
  });

  it('says in its head that only a part of the workspace is indexed', () => {
    const head = (more: Partial<CardFacts>) => cardText(facts({}, more), 900)?.split('\n')[0];
    expect(head({ hasPartialScope: true })).toBe('shop: method Loader.load, src/load.ts:3; partial scope');
    expect(head({ hasPartialScope: true, isPartial: true })).toContain('src/load.ts:3; partial scope; partial: ');
  });

  const none = { total: 0, items: [] };
  const nobody = { ...none, roles: {} };
  it('never says zero alone', () => {
    const text = cardText(facts({ callers: nobody }), 900);
    expect(text).toContain('Callers: none found (2 possible, 1 unresolved site of that name)\n');
    expect(text).not.toContain('+2');
    expect(cardText(facts({ callees: none }), 900)).toContain(
      'Calls: none found (0 possible, 4 unresolved in its file)\n',
    );
  });

  it('tells of uses where there are no callers', () => {
    const use = { places: { production: 3, sample: 1 }, implementers: 2, unresolved: 0 };
    expect(cardText(facts({ callers: nobody, use }), 900)?.split('\n')[1]).toBe(
      'Used: named in 3 places in production, 1 in samples and docs, implemented or extended by 2',
    );
  });

  it('names the other symbol that matters', () => {
    const symbol = { name: 'save', qualified: 'save', kind: 'function', ...place('src/load.ts', 30) };
    const text = cardText(facts({ also: { ...symbol, callers: { production: 1, test: 2 } } }), 900);
    expect(text).toContain('\nAlso: function save, src/load.ts:30; 1 caller in production, 2 in tests\n');
  });

  it.each<[string, Partial<Impact>, string]>([
    ['all callers', {}, "All of them: `fairlead graph impact 'src/load.ts#Loader.load'`"],
    [
      'a caller',
      { callers: { total: 1, roles: { production: 1 }, items: [call('run', 'src/run.ts', 4)] } },
      'Next to read: src/run.ts:4, which calls it',
    ],
    ['a callee', { callers: nobody }, 'Next to read: src/parse.ts:8, which it calls'],
    [
      'nothing in another file',
      { callers: { total: 1, roles: { production: 1 }, items: [call('near', 'src/load.ts', 20)] }, callees: none },
      "More: `fairlead graph impact 'src/load.ts#Loader.load'`",
    ],
  ])('names what comes next: %s', (_, more, expected) => {
    expect(cardText(facts(more), 900)?.split('\n').at(-1)).toBe(expected);
  });

  it('gets shorter in steps', () => {
    const full = cardText(facts(), 900) ?? '';
    const steps: string[] = [];
    for (let room = full.length; room > 0; room -= 1) {
      const text = cardText(facts(), room);
      if (text !== undefined) expect(text.length).toBeLessThanOrEqual(room);
      const shown = `${text?.match(/All of/g)?.length ?? 0} ${text?.match(/test\//g)?.length ?? 0} ${text?.match(/run|main\.ts:9|again/g)?.length ?? '-'}`;
      if (steps.at(-1) !== shown) steps.push(shown);
    }
    expect(steps.filter((step) => !step.endsWith('4'))).toEqual(
      ['1 2 4', '0 2 4', '0 0 4', '0 0 3', '0 0 2', '0 0 -'].filter((step) => !step.endsWith('4')),
    );
  });

  it('shortens names in the middle and shows no characters that control', () => {
    const symbol = { ...facts().impact.symbol, qualified: `a\u001b[31m${'x'.repeat(80)}\u202ez` };
    const head = cardText(facts({ symbol }), 900)?.split('\n')[0];
    expect(head).toBe(`shop: method "a[31m${'x'.repeat(25)}…${'x'.repeat(28)}z", src/load.ts:3`);
  });
});

it.each<[string[], string]>([
  [[], "`fairlead graph impact 'a.ts#f'`"],
  [['other'], "`fairlead graph impact 'a.ts#f'`"],
  [['other', 'fairlead'], 'mcp__fairlead__graph {"action":"impact","symbol":"a.ts#f"}'],
])('the query with servers %j', (names, expected) => {
  const servers = names.map((name) => ({ name, prefix: `mcp__${name}__` }));
  expect(impactQuery('a.ts#f', servers)).toBe(expected);
});
