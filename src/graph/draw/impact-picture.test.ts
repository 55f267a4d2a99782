import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cases } from '../../../test/cases.ts';
import { plannedReader } from '../query/reader.fixture.ts';
import type { Plan } from '../query/reader.fixture.ts';
import { digestOf, impactModel } from './impact-model.ts';
import type { ImpactModel } from './impact-model.ts';
import { drawImpact } from './drawings.ts';
import { faultsOf, readPicture } from './picture.fixture.ts';

const ABOUT = { root: 'shop', digest: '0123456789abcdef', state: 'stable' } as const;
const SAVE = 'src/store.ts#Store.save';

function modelOf(plan: Plan, key = SAVE): ImpactModel {
  const reader = plannedReader(plan);
  return impactModel(reader, reader.byKey(key) as number);
}

const PLAN: Plan = {
  files: { 'src/store.ts': { unresolved: 4 } },
  symbols: {
    'src/store.ts#Store': { kind: 'class' },
    [SAVE]: { kind: 'method', signature: 'save(item: Item): void', lines: [3, 9] },
    'src/cart.ts#checkout': {},
    'src/cart.ts#undo': {},
    'src/store.test.ts#testSave': {},
    'src/log.ts#log': { lines: [7, 8] },
  },
  links: [
    { from: 'src/cart.ts#checkout', to: SAVE, line: 15 },
    { from: 'src/cart.ts#checkout', to: SAVE, line: 8 },
    { from: 'src/store.test.ts#testSave', to: SAVE, line: 2 },
    { from: SAVE, to: 'src/log.ts#log', line: 5 },
  ],
  maybe: [{ from: 'src/cart.ts#undo', to: SAVE, line: 30 }],
  unresolved: { save: 3 },
};

describe('what it says', () => {
  const svg = drawImpact(modelOf(PLAN), ABOUT);
  const { texts, tooltips, title, desc, width } = readPicture(svg);

  it('has the symbol, its place and counts', () => {
    expect(title).toBe('Impact of Store.save');
    for (const text of ['method', 'Store.save', 'save(item: Item): void', 'src/store.ts:3', '2 from 2 files', 'shop'])
      expect(texts).toContain(text);
    expect(texts).toContain('01234567 · stable');
    expect(width).toBeGreaterThanOrEqual(720);
  });

  it('has callers with the first place that calls, callees with where they are defined, and how often', () => {
    const at = (name: string) => texts.slice(texts.indexOf(name), texts.indexOf(name) + 3);
    expect(at('checkout')).toEqual(['checkout', '2 calls', 'src/cart.ts:8']);
    expect(at('log')).toEqual(['log', '1 call', 'src/log.ts:7']);
    expect(texts.filter((text) => text === 'test')).toHaveLength(2);
  });

  it('has what is possible as such', () => {
    expect(tooltips).toContain('src/cart.ts#undo · src/cart.ts:30 · 1 call, possible');
    expect(svg.match(/stroke-dasharray/g)).toHaveLength(3);
  });

  it('says it in words as well', () => {
    expect(desc).toBe(
      'Store.save, method at src/store.ts:3 in shop (stable). ' +
        '2 callers: checkout (src/cart.ts:8), testSave (src/store.test.ts:2), undo (src/cart.ts:30, possible); ' +
        '1 possible one, 3 unresolved sites. ' +
        '1 callee: log (src/log.ts:7); 0 possible ones, 4 unresolved sites. Within two calls: 3 files, 1 test.',
    );
  });

  it('is the same for the same graph, and its digest another when what it shows is', () => {
    expect(drawImpact(modelOf(PLAN), ABOUT)).toBe(svg);
    const [one, other] = [PLAN, { ...PLAN, unresolved: { save: 2 } }].map((plan) => digestOf(modelOf(plan)));
    expect(one).not.toBe(other);
  });
});

it('says of a class what its members call and are called by', () => {
  const { callers, callees } = modelOf(PLAN, 'src/store.ts#Store');
  expect(callers.items.map(({ name }) => name)).toEqual(['checkout', 'testSave', 'undo']);
  expect(callees.total).toBe(1);
});

it('calls the third of one name as it is called in the code', () => {
  const key = 'src/a.ts#fire~3';
  const { texts, tooltips } = readPicture(drawImpact(modelOf({ symbols: { [key]: {} } }, key), ABOUT));
  expect(texts).toContain('fire');
  expect(texts.join(' ')).not.toContain('~');
  expect(tooltips.join(' ')).toContain(key);
});

it('never says a bare nothing', () => {
  const lone = { symbols: { [SAVE]: {} }, unresolved: { save: 3 }, files: { 'src/store.ts': { unresolved: 1 } } };
  const { texts } = readPicture(drawImpact(modelOf(lone), ABOUT));
  expect(texts.filter((text) => text === 'none found')).toHaveLength(4);
  expect(texts).toContain('3 unresolved of this name');
  expect(texts).toContain('1 unresolved in its file');
  expect(texts.some((text) => /(Callers|Callees) · 0/.test(text))).toBe(false);
});

const LETTERS = ['a', 'W', '<', '&', '"', '中', 'ש', 'ع', '👍🏽', ' ', 'é', '\u202e', '_', '.', '/'];

it.each([
  ['300 letters', 'x'.repeat(300)],
  ['Chinese', '保存所有内容到数据库中并且返回结果'.repeat(3)],
  ['right to left', 'שמור_את_הכל'],
  ['markup', '</text><script>alert("&")</script>'],
])('can be read whatever the names are: %s', (_, name) => {
  const key = `src/${name.replaceAll('#', '')}.ts#${name}`;
  const links = Array.from({ length: 12 }, (_each, i) => ({ from: `src/${name}.ts#${name}${i}`, to: key, line: i }));
  const symbols = Object.fromEntries(
    [key, ...links.map(({ from }) => from)].map((each) => [each, { signature: name }]),
  );
  expect(faultsOf(drawImpact(modelOf({ symbols, links }, key), ABOUT))).toEqual([]);
});

it('can be read whatever it shows', () => {
  const text = fc.string({ unit: fc.constantFrom(...LETTERS), minLength: 1, maxLength: 120 });
  const item = fc.record({
    key: text,
    name: text,
    path: text,
    line: fc.nat(),
    sites: fc.integer({ min: 1, max: 9_999 }),
    isTest: fc.boolean(),
    isPossible: fc.boolean(),
  });
  const side = fc.record({
    total: fc.nat(99_999),
    possible: fc.nat(999),
    unresolved: fc.nat(99_999),
    items: fc.array(item, { maxLength: 8 }),
  });
  const model = fc.record({
    key: text,
    name: text,
    kind: fc.constantFrom('function' as const, 'module' as const),
    signature: fc.oneof(fc.constant(''), text),
    path: text,
    line: fc.nat(),
    callers: side,
    callees: side,
    callerFiles: fc.nat(99_999),
    files: fc.nat(99_999),
    tests: fc.nat(99_999),
  });
  fc.assert(
    fc.property(model, text, (shown, root) => {
      const svg = drawImpact(shown, { ...ABOUT, root });
      expect(faultsOf(svg)).toEqual([]);
      const { width } = readPicture(svg);
      expect(width).toBeGreaterThanOrEqual(720);
      expect(width).toBeLessThanOrEqual(1400);
    }),
    cases(60),
  );
});
