import fc from 'fast-check';
import { expect, it } from 'vitest';
import { cases } from '../../test/cases.ts';
import { placeOf, standingOf } from './rings.ts';

const machines = Array.from({ length: 2_000 }, (_, at) => `machine-${at}`);

it('a share holds about that many machines, and a larger one all of a smaller one', () => {
  for (const share of [1, 10, 50]) {
    const inside = machines.filter((machine) => placeOf(machine, 'acme') < share).length / machines.length;
    expect(Math.abs(inside - share / 100)).toBeLessThan(0.03);
  }
  fc.assert(
    fc.property(fc.uuid(), fc.nat(100), fc.nat(100), (machine, a, b) => {
      const stages = [Math.min(a, b), Math.max(a, b)].map(
        (share) => standingOf({ name: 'acme', rings: [{ stage: 'enforce', share }] }, machine, []).stage,
      );
      expect(stages).not.toEqual(['enforce', 'audit']);
    }),
    cases(200),
  );
});

it('the first ring that a machine is in counts; a machine in none audits', () => {
  const rings = [
    { stage: 'enforce' as const, labels: ['canary', 'ci'] },
    { stage: 'warn' as const, share: 0 },
    { stage: 'warn' as const, labels: ['laptop'] },
  ];
  const of = (...labels: string[]) => standingOf({ name: 'acme', rings }, 'm', labels);
  expect(of('laptop', 'ci')).toEqual({ stage: 'enforce', ring: 1 });
  expect(of('laptop')).toEqual({ stage: 'warn', ring: 3 });
  expect(of()).toEqual({ stage: 'audit', ring: 0 });
});

it('each policy has its own order of machines', () => {
  const first = (policy: string) => machines.toSorted((a, b) => placeOf(a, policy) - placeOf(b, policy))[0];
  expect(new Set(['a', 'b', 'c', 'd', 'e'].map(first)).size).toBeGreaterThan(1);
});
