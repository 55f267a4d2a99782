import { expect, it } from 'vitest';
import { refuse } from './refused.ts';
import type { Refused } from './refused.ts';

function memory() {
  const kept = new Map<string, Refused>();
  return {
    get: (key = '') => kept.get(key),
    set: (value: Refused, key = '') => void kept.set(key, value),
    say: (value: Refused, key = '') => void kept.set(key, value),
    clear: (key = '') => void kept.delete(key),
  };
}

it('tells the first refusal of drawings in a turn of an agent from the next', () => {
  const cell = memory();
  expect(refuse(cell, 'a', 1, 'main')).toBe(true);
  expect(refuse(cell, 'b', 1, 'main')).toBe(true);
  expect(refuse(cell, 'a', 1, 'main'), 'again').toBe(false);
  expect(refuse(cell, 'a', 1, 'sub'), 'another agent').toBe(true);
  expect(refuse(cell, 'a', 2, 'main'), 'the next turn').toBe(true);
  expect(cell.get('main'), 'nothing is left of the turn before').toEqual({ turn: 2, drawings: ['a'] });
});

it('keeps no more than a hundred', () => {
  const cell = memory();
  for (let at = 0; at < 150; at += 1) refuse(cell, `${at}`, 'unknown', 'main');
  expect(cell.get('main')?.drawings).toHaveLength(100);
  expect(refuse(cell, '149', 'unknown', 'main')).toBe(false);
});
