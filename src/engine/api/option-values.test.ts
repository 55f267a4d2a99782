import { expect, it } from 'vitest';
import { countIn, fieldsIn, switchIn } from './option-values.ts';

it.each<[value: unknown, isOn: boolean | undefined]>([
  [true, true],
  ['on', true],
  ['yes', true],
  ['true', true],
  [false, false],
  ['off', false],
  ['no', false],
  ['false', false],
  [undefined, undefined],
  [null, undefined],
  ['maybe', undefined],
  [1, undefined],
  [['on'], undefined],
])('the switch %j', (value, isOn) => {
  expect([switchIn(value, true), switchIn(value, false)]).toEqual(isOn === undefined ? [true, false] : [isOn, isOn]);
});

it.each([[undefined], [null], ['a'], [7], [[1, 2]]])('%j has no fields', (value) => {
  expect(fieldsIn(value)).toEqual({});
});

it('fields are taken as they are', () => {
  expect(fieldsIn({ a: 1 })).toEqual({ a: 1 });
});

it.each([
  [3, 3],
  [0, undefined],
  [-1, undefined],
  [1.5, undefined],
  [Infinity, undefined],
  ['3', undefined],
])('the count %j', (value, count) => {
  expect(countIn(value)).toBe(count);
});
