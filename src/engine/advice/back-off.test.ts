import { expect, it } from 'vitest';
import { activeRule, promptEvent, send, testEngine, toolEvent } from '../engine.fixture.ts';
import { own } from '../api/message-values.ts';

const edit = toolEvent({ kind: 'edit', name: 'edit' });
const ignoring = toolEvent({ command: 'ls' });
const following = toolEvent({ command: 'npm test' });

/** In which of so many turns the rule spoke; each turn gives it two chances, and the agent then does something else. */
async function turnsSpoken(backsOff: boolean, follows: readonly number[], turns: number): Promise<number[]> {
  const rule = activeRule('a', (_, context) => context.note('said', { text: own('run the tests') }), {
    on: [{ event: 'tool.before', tool: ['edit'] }],
    expect: { words: ['npm test'], within: 1 },
    ...(backsOff && { backsOff: true as const }),
  });
  const engine = testEngine([rule]);
  const spoken: number[] = [];
  for (let turn = 1; turn <= turns; turn += 1) {
    await send(engine, promptEvent(`turn ${turn}`));
    const { notes } = await send(engine, edit);
    if (notes.length > 0) spoken.push(turn);
    await send(engine, follows.includes(turn) ? following : ignoring, edit);
    await send(engine, following);
  }
  return spoken;
}

it('is silent for longer each time it is ignored', async () => {
  expect(await turnsSpoken(false, [], 6)).toEqual([1, 2, 3, 4, 5, 6]);
  expect(await turnsSpoken(true, [], 24)).toEqual([1, 3, 6, 11, 20]);
});

it('speaks again as before once it was followed', async () => {
  expect(await turnsSpoken(true, [3, 4], 8)).toEqual([1, 3, 4, 5, 7]);
});
