import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isNewer } from './newer-build.ts';

it.each<[string, string, boolean]>([
  ['0.2.0+5.aa', '0.1.0+9.bb', true],
  ['0.1.0+9.aa', '0.2.0+5.bb', false],
  ['0.10.0+5.aa', '0.9.0+5.bb', true],
  ['1.0.0+5.aa', '0.9.9+5.bb', true],
  ['0.1.0+9.aa', '0.1.0+5.bb', true],
  ['0.1.0+5.aa', '0.1.0+9.bb', false],
  ['0.1.0+9.aa', '0.1.0+5.aa', false],
  ['0.2.0+9.aa', '0.1.0+5.aa', false],
  ['0.1.0-rc.1+9.aa', '0.1.0+5.bb', true],
  ['0.1.0+1763190000000.0a1b2c3d4e5f', '0.0.0+0.source', true],
  ['', '0.1.0+5.bb', false],
  ['0.1.0+5.bb', 'garbage', false],
  ['0.1.0', '0.0.1', false],
])('%s over %s: %s', (theirs, ours, expected) => {
  expect(isNewer(theirs, ours)).toBe(expected);
});

it('is never true both ways, so that two daemons do not replace each other for ever', () => {
  const part = fc.nat(2);
  const stamp = fc
    .tuple(part, part, part, part, fc.constantFrom('aa', 'bb', 'cc'))
    .map(([a, b, c, at, hash]) => `${a}.${b}.${c}+${at}.${hash}`);
  fc.assert(
    fc.property(stamp, stamp, (one, other) => {
      expect(isNewer(one, other) && isNewer(other, one)).toBe(false);
    }),
  );
});
