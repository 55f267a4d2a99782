import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cases } from '../../test/cases.ts';
import { spell } from './spell.ts';
import { sha256 } from '../platform/hash.ts';

/** Few texts, so that values come near each other; some look like what is written around them, some are halves of a pair. */
const text = fc.constantFrom('', 'a', '1:a', '"1:a', '~1;', ';', '[0:', '{1:', '\ud800', '\ud801', '\ufffd', 'é');
const value = fc.letrec((tie) => ({
  value: fc.oneof(
    text,
    fc.constantFrom<unknown>(null, true, 0, 1, -1.5),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(text, tie('value'), { maxKeys: 3 }),
  ),
})).value;

test('two values have one digest exactly when they are the same JSON', () => {
  fc.assert(
    fc.property(value, value, (one, other) => {
      const isSame = JSON.stringify(one) === JSON.stringify(other);
      expect(sha256(spell(one)) === sha256(spell(other))).toBe(isSame);
    }),
    cases(2_000),
  );
});

test('what is nested deeper than any input is spelled too', () => {
  const nested = (levels: number, inner: unknown): unknown => (levels === 0 ? inner : nested(levels - 1, [inner]));
  expect(spell(nested(500, 'a'))).not.toBe(spell(nested(500, 'b')));
});
