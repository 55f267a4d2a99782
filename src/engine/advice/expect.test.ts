import { own } from '../api/message-values.ts';
import { describe, expect, it } from 'vitest';
import { activeRule, NOW, plainEvent, promptEvent, ROOT, send, testEngine, toolEvent } from '../engine.fixture.ts';
import { outcomeId } from './outcomes.ts';
import type { Expectation } from '../rule.ts';
import type { Event } from '../../event/event.ts';

const shell = (command: string) => toolEvent({ command });
const read = (path: string) => toolEvent({ kind: 'read', name: 'read', paths: [path] });
const advice = toolEvent({ kind: 'edit', name: 'edit' });

async function outcomesOf(
  expected: Expectation | readonly Expectation[],
  events: readonly Event[],
): Promise<Record<string, string | undefined>> {
  const rule = activeRule('a', (_, context) => context.note('said', { text: own('run the tests') }), {
    on: [{ event: 'tool.before', tool: ['edit'] }],
    expect: expected,
  });
  const engine = testEngine([rule]);
  await send(engine, advice, ...events);
  const counts = (['followed', 'ignored', 'round', 'moot'] as const).map((outcome) => [
    outcome,
    engine.store.get(outcomeId('a', outcome), NOW),
  ]);
  return Object.fromEntries(counts.filter(([, count]) => count !== undefined)) as Record<string, string>;
}

describe('advice', () => {
  it.each<[string, Expectation | readonly Expectation[], Event[], Record<string, string>]>([
    ['is followed by the tool', { tool: 'shell', within: 3 }, [shell('ls')], { followed: '1' }],
    [
      'is followed by words in any case',
      { words: ['NPM test'], within: 3 },
      [shell('ls'), shell('npm TEST')],
      { followed: '1' },
    ],
    [
      'is followed by a path below the root',
      { paths: ['src/*.ts'], within: 3 },
      [read(`${ROOT}/src/a.ts`)],
      { followed: '1' },
    ],
    ['is followed by a path anywhere', { paths: ['*.md'], within: 3 }, [read('/else/a.md')], { followed: '1' }],
    ['is not followed by a path elsewhere', { paths: ['src/*.ts'], within: 1 }, [read('/src/a.ts')], { ignored: '1' }],
    [
      'is gone round by the words that say so',
      { tool: 'read', around: ['--No-Verify'], within: 3 },
      [shell('ls'), shell('git commit --no-verify'), read('/x')],
      { round: '1' },
    ],
    [
      'is followed by a call that would go round too',
      { words: ['a'], around: ['b'], within: 3 },
      [shell('a b')],
      { followed: '1' },
    ],
    [
      'is ignored when the calls are used up',
      { tool: 'read', within: 2 },
      [shell('a'), shell('b'), read('/x')],
      { ignored: '1' },
    ],
    ['is still open before that', { tool: 'read', within: 2 }, [shell('a')], {}],
    ['is moot when the turn ends', { tool: 'read', within: 2 }, [plainEvent('turn.stop')], { moot: '1' }],
    ['is moot when the person says something else', { tool: 'read', within: 2 }, [promptEvent('stop')], { moot: '1' }],
    [
      'is not moot because a task has finished',
      { tool: 'read', within: 2 },
      [promptEvent('x', { origin: 'notification' })],
      {},
    ],
    [
      'is followed in one of several ways',
      [
        { paths: ['.context/**'], within: 5 },
        { words: ['wrap-up'], within: 5 },
      ],
      [shell('ls'), shell('fairlead context wrap-up')],
      { followed: '1' },
    ],
    [
      'is ignored when the calls of its longest way are used up',
      [
        { tool: 'read', within: 1 },
        { tool: 'write', within: 2 },
      ],
      [shell('a'), read('/x')],
      { ignored: '1' },
    ],
    [
      'that may take the session outlives its turn',
      { tool: 'read', within: 5, until: 'session' },
      [plainEvent('turn.stop'), promptEvent('go on'), read('/x')],
      { followed: '1' },
    ],
    [
      'of two ways loses the one that ends with the turn',
      [
        { tool: 'read', within: 5 },
        { tool: 'write', within: 5, until: 'session' },
      ],
      [plainEvent('turn.stop'), read('/x'), plainEvent('session.end')],
      { moot: '1' },
    ],
    ['is given to one agent', { tool: 'shell', within: 3 }, [toolEvent({}, { subagent: { id: 'x', type: 'y' } })], {}],
    [
      'is counted again when it is given again',
      { tool: 'shell', within: 3 },
      [shell('a'), advice, shell('b')],
      { followed: '2' },
    ],
  ])('%s', async (_, expected, events, outcomes) => {
    expect(await outcomesOf(expected, events)).toEqual(outcomes);
  });
});
