import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cases } from '../../test/cases.ts';
import { AT_ONCE, createTurns } from './turns.ts';

/** The order in which events are served, and how many were served before each after it had asked. */
async function serve(asking: readonly (readonly string[])[]): Promise<{ name: string; ahead: number }[]> {
  const works: (() => void)[] = [];
  const turns = createTurns((work) => void works.push(work));
  const served: { name: string; ahead: number }[] = [];
  const asked = asking.flat().length;
  for (let at = 0; at < asking.length || served.length < asked; at += 1) {
    for (const session of asking[at] ?? []) {
      const before = served.length;
      void turns.wait(session).then(() => served.push({ name: session, ahead: served.length - before }));
    }
    const due = works.splice(0);
    const sessions = new Set(asking.slice(0, at + 1).flat()).size;
    expect(due.length).toBeLessThanOrEqual(1);
    const before = served.length;
    for (const work of due) work();
    // All that follows at once.
    for (let step = 0; step < 4; step += 1) await Promise.resolve();
    expect(served.length - before).toBeLessThanOrEqual(Math.max(AT_ONCE, sessions));
    if (at > asking.length + asked) throw new Error('somebody waits for ever');
  }
  return served;
}

test('everybody is served, and nobody behind more than one event of each other session and of what is under way', () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 60 }), { maxLength: 8 }),
      async (flood) => {
        const served = await serve([...flood, ['alone']]);
        expect(served.map(({ name }) => name).toSorted()).toEqual([...flood.flat(), 'alone'].toSorted());
        expect(served.find(({ name }) => name === 'alone')?.ahead).toBeLessThanOrEqual(4);
      },
    ),
    cases(1_000),
  ));

test('the events of one session keep their order', async () => {
  const turns = createTurns((work) => void setImmediate(work));
  const order: number[] = [];
  await Promise.all(Array.from({ length: 50 }, (_, at) => turns.wait('one').then(() => order.push(at))));
  expect(order).toEqual(Array.from({ length: 50 }, (_, at) => at));
  expect(turns.isWaiting('one')).toBe(false);
});
