import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { seal } from './seal.ts';

const expected = (text: string) => createHash('sha256').update(new TextEncoder().encode(text)).digest('hex');

it.each([0, 1, 55, 56, 63, 64, 65, 119, 120, 5_000])('is the known digest of %i characters', (length) => {
  const text = 'aé'.repeat(length).slice(0, length);
  expect(seal(text)).toBe(expected(text));
});

it('is the known digest of any text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
      expect(seal(text)).toBe(expected(text));
    }),
  );
});
