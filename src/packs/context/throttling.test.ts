import { describe, expect, it } from 'vitest';
import { BUILT_IN } from '../index.generated.ts';
import type { Answer } from '../world.fixture.ts';
import { DAY } from './context.fixture.ts';
import { ALL_DUE } from './due.fixture.ts';
import type { Due, Kind } from './due.fixture.ts';

const speaks = ({ action, note, warn }: Answer): boolean => action !== 'pass' || note !== '' || warn !== '';

/** At which of the events each kind speaks: the session, then when it is asked. */
const PATTERNS: Readonly<Record<Kind, readonly (readonly [session: string, day: number, speaks: boolean])[]>> = {
  'one-shot': [...again('a', 0, true, false, false), ...again('b', 0, true, false), ...again('a', 1, false)],
  none: [...again('a', 0, true, true, true), ...again('b', 0, true), ...again('a', 1, true)],
  interval: [
    ...again('a', 0, false, false, false, false, true),
    ...again('b', 0, false),
    ...again('a', 0, ...nthOf(5, 5)),
  ],
  adaptive: [...again('a', 0, ...nthOf(20, 20)), ...again('b', 0, false)],
  daily: [...again('a', 0, true, false), ...again('b', 0, false), ...again('a', 1, true, false)],
  tombstone: [...again('a', 0, true, false), ...again('b', 0, true, false), ...again('a', 1, false)],
  silent: [...again('a', 0, false, false), ...again('b', 1, false)],
};

function again(session: string, day: number, ...said: readonly boolean[]): [string, number, boolean][] {
  return said.map((each) => [session, day, each]);
}
function nthOf(nth: number, count: number): boolean[] {
  return Array.from({ length: count }, (_, at) => at + 1 === nth);
}

async function playRow({ kind, open, fire }: Due): Promise<void> {
  const world = open();
  const start = world.now;
  for (const [at, [session, day, expected]] of PATTERNS[kind].entries()) {
    world.now = start + day * DAY + at * 1_000;
    expect(speaks(await fire(world, session)), `event ${at + 1}, session ${session}, day ${day + 1}`).toBe(expected);
  }
}

describe('how often each rule speaks', () => {
  it('is said of all twenty', () => {
    const names = BUILT_IN.map(({ meta }) => meta.id).filter((id) => id.startsWith('context/'));
    expect(ALL_DUE.map(({ rule }) => `context/${rule}`).toSorted()).toEqual(names.toSorted());
    expect(names).toHaveLength(20);
  });

  it.each(ALL_DUE.map((row) => [row.rule, row] as const))('%s', async (rule, row) => {
    const meta = BUILT_IN.find(({ meta: { id } }) => id === `context/${rule}`)?.meta;
    if (row.priority !== undefined) expect(meta?.priority).toBe(row.priority);
    expect(meta?.optIn).toBe(row.isOptIn);
    await playRow(row);
  });
});
