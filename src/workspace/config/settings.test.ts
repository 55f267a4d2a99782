import fc from 'fast-check';
import { expect, it } from 'vitest';
import { DEFAULTS, mergeConfig, mergeOptions } from './settings.ts';
import type { Config } from './settings.ts';

it('gives the defaults when no layer says anything', () => {
  expect(mergeConfig([])).toEqual(DEFAULTS);
  expect(mergeConfig([{}, {}])).toEqual(DEFAULTS);
});

it('merges key by key, the last layer on top', () => {
  const settings = mergeConfig([
    { packs: { basics: { enabled: true, mode: 'advise', options: { a: 1, b: 1 } } } },
    {
      packs: { basics: { mode: 'ask' } },
      rules: { 'basics/x': { mode: 'ask', throttle: { once: 'turn', per: 'path' } } },
      attention: { turn: 5 },
    },
    {
      packs: { basics: { options: { b: 2 } } },
      rules: { 'basics/x': { enabled: false, throttle: { every: 3 } } },
      attention: { event: 4 },
    },
  ]);
  expect(settings.packs).toEqual({ basics: { enabled: true, mode: 'ask', options: { a: 1, b: 2 } } });
  expect(settings.rules).toEqual({ 'basics/x': { enabled: false, mode: 'ask', throttle: { every: 3 } } });
  expect(settings.attention).toEqual({ event: 4, turn: 5, session: 60_000 });
});

const config: fc.Arbitrary<Config> = fc.record(
  {
    rules: fc.dictionary(
      fc.constantFrom('a/x', 'a/y', '__proto__'),
      fc.record(
        {
          enabled: fc.boolean(),
          mode: fc.constantFrom('off' as const, 'ask' as const),
          options: fc.dictionary(fc.constantFrom('o', 'p'), fc.nat()),
        },
        { requiredKeys: [] },
      ),
    ),
    attention: fc.record({ event: fc.nat(), turn: fc.nat() }, { requiredKeys: [] }),
  },
  { requiredKeys: [] },
);

it('a key set in the top layer always wins, and one set nowhere keeps its default', () => {
  fc.assert(
    fc.property(fc.array(config, { maxLength: 3 }), config, (below, top) => {
      const before = JSON.stringify(below);
      const merged = mergeConfig([...below, top]);
      expect(merged.attention).toEqual({ ...mergeConfig(below).attention, ...top.attention });
      for (const [id, rule] of Object.entries(top.rules ?? {})) {
        const { options, ...rest } = rule;
        expect(Object.entries(merged.rules).find(([name]) => name === id)?.[1]).toMatchObject(rest);
        expect(merged.rules[id]?.options ?? {}).toMatchObject(options ?? {});
      }
      expect(Object.getPrototypeOf(merged.rules)).toBe(Object.prototype);
      expect(JSON.stringify(below)).toBe(before);
    }),
  );
});

it.each([
  [
    'one key of a group',
    { qa: { mode: 'nudge', when: 'any' } },
    { qa: { mode: 'gate' } },
    { qa: { mode: 'gate', when: 'any' } },
  ],
  ['a key deep down', { a: { b: { c: 1, d: 2 } } }, { a: { b: { c: 3 } } }, { a: { b: { c: 3, d: 2 } } }],
  ['a list', { a: { b: [1, 2] } }, { a: { b: [3] } }, { a: { b: [3] } }],
  ['a value over a map', { a: { b: 1 } }, { a: 'off' }, { a: 'off' }],
  ['a map over a value', { a: 1 }, { a: { b: 2 } }, { a: { b: 2 } }],
  ['nothing over a map', { a: { b: 1 } }, { a: null }, { a: null }],
  ['a list over a map', { a: { 0: 1 } }, { a: [2] }, { a: [2] }],
  ['an empty map', { a: { b: 1 } }, { a: {} }, { a: { b: 1 } }],
])('options: %s', (_, below, above, expected) => {
  const before = JSON.stringify([below, above]);
  expect(mergeOptions(below, above)).toEqual(expected);
  expect(JSON.stringify([below, above])).toBe(before);
  const layers = [below, above].map((options) => ({ packs: { p: { options } }, rules: { 'p/r': { options } } }));
  expect(mergeConfig(layers)).toMatchObject({
    packs: { p: { options: expected } },
    rules: { 'p/r': { options: expected } },
  });
});
