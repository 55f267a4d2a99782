import { expect, it } from 'vitest';
import { ifWhole } from './whole.ts';

interface Shown {
  readonly ids: readonly number[];
  readonly prompt: number;
  readonly late?: true;
}

it.each<[unknown, boolean]>([
  [{ ids: [1], prompt: 3 }, true],
  [{ ids: [], prompt: 0, late: true }, true],
  [undefined, false],
  [null, false],
  ['text', false],
  [[], false],
  [{ ids: [1] }, false],
  [{ ids: { 0: 1 }, prompt: 3 }, false],
  [{ ids: null, prompt: 3 }, false],
  [{ ids: [1], prompt: '3' }, false],
])('%j: %s', (value, isWhole) => {
  expect(ifWhole(value as Shown | undefined, { ids: [], prompt: 0 })).toBe(isWhole ? value : undefined);
});
