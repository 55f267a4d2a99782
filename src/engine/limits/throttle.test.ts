import { own } from '../api/message-values.ts';
import { describe, expect, it } from 'vitest';
import { activeRule, NOW, promptEvent, ROOT, send, testEngine, toolEvent } from '../engine.fixture.ts';
import type { Throttle } from '../rule.ts';
import type { Event } from '../../event/event.ts';

const MINUTE = 60_000;

/** Sends the events and tells on which of them the rule spoke. */
async function spokenOn(throttle: Throttle, events: readonly Event[]): Promise<number[]> {
  const rule = activeRule('nag', (_, context) => context.note('said', { text: own('again') }), { throttle });
  const engine = testEngine([rule]);
  const spoken: number[] = [];
  for (const [at, event] of events.entries()) if ((await send(engine, event)).notes.length > 0) spoken.push(at);
  return spoken;
}

const call = (more: Partial<Event> = {}, command = 'ls') => toolEvent({ command }, more);
const calls = (count: number) => Array.from({ length: count }, () => call());
const later = (minutes: number) => call({ receivedAt: NOW + minutes * MINUTE });
const on = (path: string) => toolEvent({ kind: 'edit', paths: [`${ROOT}/${path}`] });
const agent = (id: string) => call({ subagent: { id, type: 'general' } });

describe('a throttle', () => {
  it.each<[string, Throttle, Event[], number[]]>([
    ['once a session', { once: 'session' }, [call(), call(), agent('a'), call({ session: 's2' }), call()], [0, 3]],
    ['once a turn', { once: 'turn' }, [call(), call(), promptEvent('go'), call(), call()], [0, 3]],
    [
      'once a turn, where a notification is no turn',
      { once: 'turn' },
      [call(), promptEvent('<x>', { origin: 'notification' }), promptEvent('y', { origin: 'system' }), call()],
      [0],
    ],
    [
      'once in the life of a sub-agent',
      { once: 'turn' },
      [call(), agent('a'), agent('a'), promptEvent('go'), agent('a'), agent('b')],
      [0, 1, 5],
    ],
    ['once a day', { once: 'day' }, [call(), call({ session: 's2' }), later(24 * 60)], [0, 2]],
    ['once a key', { once: 'key', per: 'path' }, [on('a'), on('b'), on('a'), on('b')], [0, 1]],
    [
      'once a turn and command',
      { once: 'turn', per: 'command' },
      [call(), call({}, 'pwd'), call(), promptEvent('go'), call()],
      [0, 1, 4],
    ],
    ['a cooldown', { cooldown: '10m' }, [later(0), later(9), later(10), later(19), later(20)], [0, 2, 4]],
    [
      'a cooldown for each tool',
      { cooldown: '10m', per: 'tool' },
      [call(), toolEvent({ name: 'other' }), call()],
      [0, 1],
    ],
    ['an interval', { every: 3 }, calls(7), [2, 5]],
    [
      'an adaptive counter',
      {
        adaptive: [
          { after: 3, every: 5 },
          { after: 10, every: 3 },
        ],
      },
      calls(16),
      [4, 9, 11, 14],
    ],
  ])('%s', async (_, throttle, events, expected) => {
    expect(await spokenOn(throttle, events)).toEqual(expected);
  });

  it('is not used up by a check that found nothing', async () => {
    const rule = activeRule(
      'picky',
      (event, context) => (event.tool?.command === 'bad' ? context.note('said', { text: own('bad') }) : context.pass()),
      { throttle: { once: 'session' } },
    );
    const engine = testEngine([rule]);
    expect((await send(engine, call(), call(), call({}, 'bad'))).notes).toHaveLength(1);
    expect((await send(engine, call({}, 'bad'))).notes).toHaveLength(0);
  });

  it('keeps the check from running and says so', async () => {
    let runs = 0;
    const engine = testEngine([
      activeRule('a', (_, context) => (runs++, context.note('said', { text: own('x') })), {
        throttle: { once: 'session' },
      }),
    ]);
    await send(engine, call(), call());
    expect(runs).toBe(1);
    expect(engine.recorded.at(-1)?.detail.trace).toEqual([
      { rule: 'a', tier: 2, reason: 'spoke once for this session', mode: 'enforce', stop: 'throttle' },
    ]);
  });

  it('of a day leaves nothing behind for good', async () => {
    const engine = testEngine([
      activeRule('a', (_, context) => context.note('said', { text: own('x') }), { throttle: { once: 'day' } }),
    ]);
    await send(engine, call());
    engine.store.prune(0, NOW + 3 * 24 * 60 * MINUTE);
    expect(engine.store.list('day', NOW)).toEqual([]);
  });
});
