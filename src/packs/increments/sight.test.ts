import { describe, expect, it } from 'vitest';
import { nextSight, readSight } from './sight.ts';
import type { Sight } from './sight.ts';

const limits = { ring: 100, majority: 50, minSamples: 20 };
const start = (bits: string, state: Sight['state']): Sight => ({ bits, state, since: 1 });

/** What a source is taken for after each of these events. */
function run(before: Sight | undefined, bits: string): Sight['state'][] {
  let sight = before;
  return bits.split('').map((bit, at) => (sight = nextSight(sight, bit === '1', 10 + at, limits)).state);
}

describe('what a source is taken for', () => {
  it.each<[string, Sight | undefined, string, Sight['state']]>([
    ['a source with few events', undefined, '1'.repeat(10), 'learning'],
    ['one event short of enough', undefined, '1'.repeat(19), 'learning'],
    ['just enough', undefined, '1'.repeat(20), 'sighted'],
    ['as many with as without', undefined, '01'.repeat(10), 'learning'],
    ['a share of what is there', undefined, '0'.repeat(11) + '1'.repeat(10), 'blind'],
    ['51 of the last 100 without', start('1'.repeat(50) + '0'.repeat(50), 'sighted'), '0', 'blind'],
    ['50 and 50', start('0'.repeat(50) + '1'.repeat(49), 'blind'), '1', 'blind'],
    ['51 of the last 100 with', start('0'.repeat(50) + '1'.repeat(50), 'blind'), '1', 'sighted'],
    ['many with, but long ago', start('1'.repeat(60), 'sighted'), '0'.repeat(101), 'blind'],
  ])('%s', (_name, before, bits, state) => {
    expect(run(before, bits).at(-1)).toBe(state);
  });

  it('comes back at the 51st event that has arguments, without a restart', () => {
    const states = run(undefined, '0'.repeat(150) + '1'.repeat(150));
    expect(states.indexOf('blind')).toBe(19);
    expect(states.indexOf('sighted')).toBe(150 + 50);
  });
});

it('remembers since when, and no more than a hundred events', () => {
  const before = nextSight(start('1'.repeat(100), 'sighted'), true, 99, limits);
  expect(before).toEqual({ bits: '1'.repeat(100), state: 'sighted', since: 1 });
  expect(nextSight(start('1'.repeat(50) + '0'.repeat(50), 'sighted'), false, 99, limits).since).toBe(99);
});

it.each([undefined, null, 7, 'x', {}, { bits: 12 }, { bits: '01x' }])('starts afresh from %j', (value) => {
  expect(readSight(value)).toBeUndefined();
  expect(nextSight(value, true, 5, limits)).toEqual({ bits: '1', state: 'learning', since: 5 });
});
