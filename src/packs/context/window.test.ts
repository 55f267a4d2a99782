import { expect, it } from 'vitest';
import { fillOf, showTokens } from './window.ts';
import type { WindowOptions } from './window.ts';
import type { Usage } from '../../engine/rule.ts';

const NONE: WindowOptions = { size: 0, models: {} };

it.each<[string, Usage, Partial<WindowOptions>, boolean, number, number]>([
  ['nothing is known', { tokens: 0 }, {}, false, 200_000, 0],
  ['percent are rounded down', { tokens: 159_999 }, {}, false, 200_000, 79],
  [
    'what the person says comes first',
    { tokens: 50_000, window: 1_000_000, model: 'm' },
    { size: 100_000, models: { m: 7 } },
    false,
    100_000,
    50,
  ],
  [
    'then what the agent told',
    { tokens: 50_000, window: 500_000, model: 'm' },
    { models: { m: 400_000 } },
    false,
    500_000,
    10,
  ],
  [
    'then the model',
    { tokens: 50_000, model: 'big-model-5' },
    { models: { 'x*': 1, 'big-*': 400_000 } },
    false,
    400_000,
    12,
  ],
  [
    'a name is no pattern of its own',
    { tokens: 50_000, model: 'big.model' },
    { models: { 'big?model': 400_000 } },
    false,
    200_000,
    25,
  ],
  ['more than fits', { tokens: 200_001 }, {}, false, 1_000_000, 20],
  ['as much as fits', { tokens: 200_000 }, {}, false, 200_000, 100],
  ['more than fitted earlier in the session', { tokens: 30_000 }, {}, true, 1_000_000, 3],
  ['more than the person thought', { tokens: 120_000 }, { size: 100_000 }, false, 1_000_000, 12],
])('%s', (_, usage, options, wasRaised, window, pct) => {
  expect(fillOf(usage, { ...NONE, ...options }, wasRaised)).toMatchObject({ window, pct, tokens: usage.tokens });
});

it('remembers that more was in it than was thought to fit', () => {
  const first = fillOf({ tokens: 250_000 }, NONE, false);
  expect(first.isRaised).toBe(true);
  expect(fillOf({ tokens: 9_000 }, NONE, first.isRaised)).toEqual({
    tokens: 9_000,
    window: 1_000_000,
    pct: 0,
    isRaised: true,
  });
});

it.each<[number, string]>([
  [0, '0'],
  [999, '999'],
  [1_000, '1.0k'],
  [4_290, '4.2k'],
  [9_999, '9.9k'],
  [10_000, '10k'],
  [124_999, '124k'],
])('%d is shown as %s', (tokens, text) => {
  expect(showTokens(tokens)).toBe(text);
});
