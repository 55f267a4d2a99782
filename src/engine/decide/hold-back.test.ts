import { own } from '../api/message-values.ts';
import { describe, expect, it } from 'vitest';
import { activate, NOW, promptEvent, send, testEngine, toolEvent } from '../engine.fixture.ts';
import type { ActiveRule } from '../match/rule-index.ts';
import { defineRule, marker } from '../rule.ts';
import type { RuleMeta } from '../rule.ts';

const spoken = (name: string, priority: number, nudge: RuleMeta['nudge'] = 'deferrable'): ActiveRule =>
  activate(
    defineRule({
      id: `test/${name}`,
      pack: 'test',
      summary: 'For a test.',
      on: [{ event: ['prompt.submit', 'tool.before'] }],
      state: { said: marker(`said.${name}`) },
      messages: { said: '{text}' },
      priority,
      ...(nudge && { nudge }),
      check: (_event, { state, note, pass }) =>
        state.said.first() ? note('said', { text: own(name) }) : pass('was said'),
    }),
    'advise',
  );

const texts = async (engine: ReturnType<typeof testEngine>, at: number) =>
  (await send(engine, promptEvent('Go on.', { promptId: `p${at}`, receivedAt: NOW + at }))).notes.map(
    // Each says its own name.
    ({ text }) => /^\[test\/(\w+)\] \1$/.exec(text)?.[1],
  );

const six = [spoken('f', 30), spoken('e', 35), spoken('d', 40), spoken('c', 50), spoken('b', 55), spoken('a', 75)];

describe('nudges of one prompt', () => {
  it('are the three most important; the others come with the next prompt, untouched', async () => {
    const engine = testEngine(six);
    expect(await texts(engine, 1)).toEqual(['a', 'b', 'c']);
    expect(engine.recorded.at(-1)?.detail.trace.filter(({ reason }) => reason.startsWith('held'))).toHaveLength(3);
    expect(await texts(engine, 2)).toEqual(['d', 'e', 'f']);
    expect(await texts(engine, 3)).toEqual([]);
  });

  it('that may not wait take the room of those that may', async () => {
    const engine = testEngine([...six.slice(2), spoken('now', 10, 'always')]);
    expect(await texts(engine, 1)).toEqual(['a', 'b', 'now']);
  });

  it.each([
    [1, ['a']],
    [0, []],
    [9, ['a', 'b', 'c', 'd', 'e', 'f']],
    ['many', ['a', 'b', 'c']],
  ])('are as many as the setting says: %s', async (max_nudges, expected) => {
    const engine = testEngine(six.map((rule) => ({ ...rule, options: { attention: { max_nudges } } })));
    expect(await texts(engine, 1)).toEqual(expected);
  });

  it('do not crowd out what only watches', async () => {
    const engine = testEngine(six.map((rule, at) => (at > 2 ? { ...rule, mode: 'shadow' as const } : rule)));
    expect(await texts(engine, 1)).toEqual(['d', 'e', 'f']);
  });

  it('are not held at other events', async () => {
    expect((await send(testEngine(six), toolEvent())).notes).toHaveLength(6);
  });
});
