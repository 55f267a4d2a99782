import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRace, spreadOf, verdictOn } from '../bench/compare/verdict.ts';
import type { Race } from '../bench/compare/verdict.ts';
import { cases } from './cases.ts';

/** A machine with its own noise: some rounds are far off, to both sides. */
function rounds(ratio: number, noise: number, seed: number) {
  let state = seed;
  const random = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return (state + 0.5) / 2 ** 32;
  };
  return (): number => {
    const normal = Math.sqrt(-2 * Math.log(random())) * Math.cos(2 * Math.PI * random());
    const burst = random() < 0.1 ? 1 + 2 * random() : 1;
    return ratio * Math.exp(noise * normal) * (random() < 0.5 ? burst : 1 / burst);
  };
}

function raceOf(ratio: number, noise: number, seed: number, most = 600): Race {
  const race = createRace();
  const next = rounds(ratio, noise, seed);
  for (let round = 0; round < most && race.add(next()); round += 1);
  return race;
}

const seeds = fc.integer({ min: 0, max: 2 ** 31 });

describe('a race of two builds', () => {
  it.each<[string, number, number]>([
    ['as fast', 1, 0.1],
    ['faster', 0.8, 0.1],
    ['as fast on a busy machine', 1, 0.4],
    ['a little slower', 1.05, 0.15],
  ])('%s never fails', (_, ratio, noise) =>
    fc.assert(
      fc.property(seeds, (seed) => {
        expect(raceOf(ratio, noise, seed).verdict).not.toBe('worse');
      }),
      cases(100),
    ),
  );

  it('as fast is fine, slower by a fifth fails, by a half too on a busy machine', () =>
    fc.assert(
      fc.property(seeds, (seed) => {
        expect(raceOf(1, 0.1, seed)).toMatchObject({ verdict: 'fine', retries: 0 });
        expect(raceOf(1.25, 0.05, seed)).toMatchObject({ verdict: 'worse', retries: 1 });
        expect(raceOf(1.5, 0.2, seed)).toMatchObject({ verdict: 'worse', retries: 1 });
      }),
      cases(100),
    ));

  it('few rounds tell nothing', () => expect(verdictOn(Array.from({ length: 29 }, () => 3))).toBe('unsure'));

  it('the spread lies around the median', () =>
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0.1, max: 10, noNaN: true }), { minLength: 1 }), (ratios) => {
        const { low, median, high } = spreadOf(ratios);
        expect(low).toBeLessThanOrEqual(median);
        expect(median).toBeLessThanOrEqual(high);
      }),
      cases(200),
    ));
});
