import { expect, it } from 'vitest';
import { cardOptions } from './card-options.ts';

const DEFAULTS = { show: true, tests: false, repeatIdentical: false, throttleMs: 60_000, waitMs: 300 };

it.each<[string, Readonly<Record<string, unknown>>, Partial<typeof DEFAULTS>]>([
  ['nothing', {}, {}],
  ['off', { cards: 'off' }, { show: false }],
  ['off as YAML has it', { cards: false }, { show: false }],
  ['on', { cards: 'on' }, {}],
  ['fields', { cards: { tests: 'on', repeatIdentical: true } }, { tests: true, repeatIdentical: true }],
  ['fields that switch off', { cards: { show: 'off', tests: true } }, { show: false, tests: true }],
  ['times', { throttle: '5s', wait: { hook: '0.1s' } }, { throttleMs: 5_000, waitMs: 100 }],
  ['no wait', { wait: { hook: '0s' } }, { waitMs: 0 }],
  ['too long a wait', { wait: { hook: '9s' } }, { waitMs: 1_000 }],
  ['nonsense', { cards: 7, throttle: 60, wait: ['1s'] }, {}],
  ['nonsense inside', { cards: { tests: 'maybe' }, throttle: 'soon', wait: { hook: 1 } }, {}],
])('%s', (_, options, expected) => {
  expect(cardOptions(options)).toEqual({ ...DEFAULTS, ...expected });
});
