import { beforeAll, describe, expect, it } from 'vitest';
import { isLong, SEED, startShare } from '../cases.ts';
import { openDecide } from './decide.ts';
import type { Decide } from './decide.ts';
import { codesOf, roadsOf } from './language-roads.ts';
import { TONGUES } from './languages.ts';
import { pick, rollFrom } from './shell-grammar.ts';

const HOME = '/home/dev';
const BUILT = '/home/dev/project/node_modules';
/** Beside each call by one road, so many by any. */
const ANY_ROAD = isLong ? 2_000 : 20;

/**
 * A third of the many that some languages have. Three in a row are a third that moves on, so that every call is among
 * them and every way to write a text.
 */
const inTurn = <T>(all: readonly T[]): readonly T[] =>
  isLong || all.length < 100 ? all : all.filter((_, at) => (at + Math.floor(at / 3)) % 3 === 0);

let decide: Decide;

beforeAll(async () => {
  decide = await openDecide();
});

/** The first commands that are not answered as they should be. */
async function wrong(commands: Iterable<readonly [string, string]>, harmful: boolean): Promise<readonly string[]> {
  const failures: string[] = [];
  const isOver = startShare();
  for (const [of, command] of commands) {
    if (failures.length > 10 || isOver()) break;
    const { action, by } = await decide(command);
    if ((action === 'deny' || action === 'ask') !== harmful) failures.push(`${action} ${by.join()}: ${of}\n${command}`);
  }
  return failures;
}

describe.each(Object.entries(TONGUES))('%s', (name, tongue) => {
  const roads = Object.entries(roadsOf(name, tongue));
  const [, given] = roads[0] as (typeof roads)[number];
  const byAnyRoad = (path: string, harmful: boolean) => {
    const roll = rollFrom(SEED);
    const codes = codesOf(tongue, path, harmful);
    return Array.from({ length: ANY_ROAD }, () => {
      const [of, code] = pick(roll, codes);
      const [road, put] = pick(roll, roads);
      return [`${of}, ${road}`, put(code)] as const;
    });
  };

  it('stops what deletes the home, however it is written', async () => {
    const codes = inTurn(codesOf(tongue, HOME, true)).map(([of, code]) => [of, given(code)] as const);
    expect(await wrong(codes, true)).toEqual([]);
  });

  it('stops it by every road', async () => {
    expect(await wrong(byAnyRoad(HOME, true), true)).toEqual([]);
  });

  it('knows the home by its other names', async () => {
    const codes = Object.entries(tongue.deletes).flatMap(([of, call]) =>
      (tongue.home ?? []).map((home) => [`${of} ${home}`, given(call(home))] as const),
    );
    expect(await wrong(codes, true)).toEqual([]);
  });

  it('passes what deletes what a build made', async () => {
    const codes = inTurn(codesOf(tongue, BUILT, false)).map(([of, code]) => [of, given(code)] as const);
    expect(await wrong([...codes, ...byAnyRoad(BUILT, false)], false)).toEqual([]);
  });
});
