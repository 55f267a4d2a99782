import { expect, it } from 'vitest';
import { knownFlags } from './node-flags.ts';

it.each([
  [20, ['--old', '--always']],
  [22, ['--always']],
])('on Node %i', (major, flags) => {
  const all = [
    { flag: '--old', until: 20 },
    { flag: '--always', until: Infinity },
  ];
  expect(knownFlags(all, major)).toEqual(flags);
});
