import { own } from '../api/message-values.ts';
import { describe, expect, it } from 'vitest';
import { activeRule, NOW, plainEvent, promptEvent, ROOT, send, testEngine, toolEvent } from '../engine.fixture.ts';
import { projectId, projectOf } from './bookkeeping.ts';
import type { Event } from '../../event/event.ts';
import { NEUTRAL } from '../../event/verdict.ts';
import type { Store } from '../../state/store.ts';

describe('an event that is delivered twice', () => {
  const speaks = () => {
    let runs = 0;
    const rule = activeRule(
      'a',
      (_, context) => (
        runs++,
        [
          context.deny('said', { text: own('no') }),
          context.note('said', { text: own('n') }),
          context.warn('said', { text: own('w') }),
        ]
      ),
      {
        on: [{ event: ['tool.before', 'tool.after', 'prompt.submit', 'turn.stop', 'session.start'] }],
      },
    );
    return { engine: testEngine([rule]), runs: () => runs };
  };
  const call = (id: string, more: Partial<Event> = {}) => toolEvent({ id }, more);
  const start = (after: number, more: Partial<Event> = {}): Event => ({
    ...plainEvent('session.start'),
    ...{ start: { source: 'startup' }, agentPid: 7, receivedAt: NOW + after, ...more },
  });

  it('is decided once; the copy gets the decision without what was said beside it', async () => {
    const { engine, runs } = speaks();
    const first = await send(engine, call('t1'));
    const second = await send(engine, call('t1'));
    expect(first).toMatchObject({
      action: 'deny',
      reason: '[a] no\nA person can let it through: `fairlead allow-once d1`.',
      notes: [{ text: '[a] n' }],
      warns: [{ text: '[a] no More: `fairlead explain d1`' }, { text: '[a] w' }],
    });
    expect(second).toEqual({ ...first, notes: [], warns: [] });
    expect(runs()).toBe(1);
    expect(engine.recorded.map(({ row }) => row.copy)).toEqual([false, true]);
    expect(engine.recorded[1]?.committed).toBe(true);
  });

  it.each<[string, Event, Event]>([
    ['another call', call('t1'), call('t2')],
    ['the same call later on', call('t1'), call('t1', { name: 'tool.after' })],
    ['another session', call('t1'), call('t1', { session: 's2' })],
    ['the same call in another directory', call('t1'), call('t1', { cwd: '/elsewhere' })],
    ['another agent', call('t1'), call('t1', { subagent: { id: 'x', type: 'y' } })],
    ['a call without an id', toolEvent(), toolEvent()],
    ['a start in another process', start(0), start(10, { agentPid: 8 })],
    ['a start of another kind', start(0), start(10, { start: { source: 'compact' } })],
    ['a start much later', start(0), start(60_000)],
    ['an event that cannot be told from a repetition', plainEvent('turn.stop'), plainEvent('turn.stop')],
    [
      'a notification under the id of the prompt before it',
      promptEvent('do it', { promptId: 'p' }),
      promptEvent('<task>', { promptId: 'p', origin: 'notification' }),
    ],
    [
      'the next notification',
      promptEvent('<1>', { promptId: 'p', origin: 'notification' }),
      promptEvent('<2>', { promptId: 'p', origin: 'notification' }),
    ],
  ])('is not %s', async (_, one, other) => {
    const { engine, runs } = speaks();
    await send(engine, one, other);
    expect(runs()).toBe(2);
  });

  it.each([0, 300, 19_999])('is a start in the same process %i ms later, whatever the clock shows', async (after) => {
    for (const at of [0, 7_000, 19_900]) {
      const { engine, runs } = speaks();
      await send(engine, start(at), start(at + after));
      expect(runs()).toBe(1);
    }
  });

  it('is decided once also when both copies are under way at the same time', async () => {
    let runs = 0;
    const rule = activeRule(
      'a',
      async (_, context) => (runs++, await Promise.resolve(), context.note('said', { text: own('n') })),
    );
    const engine = testEngine([rule]);
    const both = await Promise.all([send(engine, call('t1')), send(engine, call('t1'))]);
    expect(both.flatMap(({ notes }) => notes)).toHaveLength(1);
    expect(runs).toBe(2);
    expect(engine.recorded.filter(({ row }) => row.copy)).toHaveLength(1);
  });
});

describe('a call under an id that was used before', () => {
  const touchy = () =>
    testEngine([
      activeRule('a', ({ tool }, context) =>
        tool?.command === 'rm' ? context.deny('said', { text: 'no' }) : context.note('said', { text: 'n' }),
      ),
    ]);
  const call = (command: string) => toolEvent({ id: 't1', command, input: { command } });

  it('is decided anew when its content differs, and says so in the record', async () => {
    const engine = touchy();
    expect((await send(engine, call('ls'))).notes).toHaveLength(1);
    expect((await send(engine, call('rm'))).action).toBe('deny');
    expect((await send(engine, call('rm'))).action, 'a copy of the second').toBe('deny');
    expect((await send(engine, call('ls'))).notes, 'a copy of the first').toEqual([]);
    expect(engine.recorded.map(({ row }) => row.copy)).toEqual([false, false, true, true]);
    expect(engine.recorded[1]?.detail.trace).toContainEqual(
      expect.objectContaining({ rule: 'fairlead', remark: true }),
    );
  });

  it('is decided anew after an answer that says nothing of its content', async () => {
    const engine = touchy();
    const store: Store = { ...engine.store, answered: () => JSON.stringify(NEUTRAL) };
    expect((await send({ ...engine, store }, call('rm'))).action).toBe('deny');
  });
});

describe('a session', () => {
  it('keeps the project it was started in', async () => {
    const engine = testEngine([]);
    const event = plainEvent('session.start');
    expect(projectOf(engine.store, event)).toBeUndefined();
    await send(engine, event);
    expect(projectOf(engine.store, event)).toBe(ROOT);
    engine.store.commit({
      reads: new Map(),
      changes: [{ op: 'set', id: projectId('s1'), value: '"/else', expires: 0 }],
      now: NOW,
    });
    expect(projectOf(engine.store, event), 'damaged').toBeUndefined();
  });

  it('hears a notice once', async () => {
    const engine = testEngine([], { policy: { notices: ['Look here.'] } });
    expect((await send(engine, toolEvent())).warns).toEqual([]);
    expect((await send(engine, plainEvent('session.start'))).warns).toMatchObject([
      { rule: 'fairlead', text: '[fairlead] Look here.' },
    ]);
    expect((await send(engine, plainEvent('session.start'))).warns).toEqual([]);
    expect((await send(engine, plainEvent('session.start', { session: 's2' }))).warns).toHaveLength(1);
  });
});
