import { describe, expect, it } from 'vitest';
import { pausedId } from './session.ts';
import { activeRule, NOW, plainEvent, promptEvent, send, testEngine, toolEvent } from './engine.fixture.ts';
import type { RuleMeta } from './rule.ts';
import type { Event } from '../event/event.ts';

const subagent = { id: 'a1', type: 'general' };
const paused = plainEvent('session.start', { session: 'paused' });

describe('guards', () => {
  it.each<[string, Partial<RuleMeta>, Event, string]>([
    ['a session', { needs: { session: true } }, toolEvent({}, { hasSession: false }), 'the event names no session'],
    ['the main agent', { needs: { main: true } }, toolEvent({}, { subagent }), 'a sub-agent'],
    ['a person', { needs: { human: true } }, promptEvent('x', { origin: 'notification' }), 'not typed by a person'],
    ['an entry of the workspace', { needs: { entry: 'absent' } }, toolEvent(), 'no absent in this workspace'],
    ['an agent that no rule started', {}, toolEvent({}, { depth: 1 }), 'this agent was started by a rule'],
    ['a session that is not paused', {}, toolEvent({}, { session: 'paused' }), 'the session is paused'],
  ])('wait for %s', async (_, meta, event, reason) => {
    let runs = 0;
    const rule = activeRule('a', () => void (runs += 1), {
      on: [{ event: ['tool.before', 'prompt.submit'] }],
      ...meta,
    });
    const engine = testEngine([rule]);
    engine.store.commit({
      reads: new Map(),
      changes: [{ op: 'set', id: pausedId('paused'), value: '{"since":0,"turns":0}', expires: 0 }],
      now: NOW,
    });
    await send(engine, paused, event);
    expect(runs).toBe(0);
    expect(engine.recorded.at(-1)?.detail.trace).toEqual([{ rule: 'a', tier: 2, reason, mode: 'enforce' }]);
  });

  it.each<[string, Partial<RuleMeta>, Event]>([
    ['a session that is named', { needs: { session: true } }, toolEvent()],
    ['the main agent', { needs: { main: true } }, toolEvent()],
    ['a prompt of a person', { needs: { human: true } }, promptEvent('x')],
    ['an entry that is there', { needs: { entry: 'present' } }, toolEvent()],
    ['an agent that a rule started, if it protects', { guard: true }, toolEvent({}, { depth: 3 })],
    ['a paused session, if it protects', { guard: true }, toolEvent({}, { session: 'paused' })],
  ])('let a rule look at %s', async (_, meta, event) => {
    let runs = 0;
    const rule = activeRule('a', () => void (runs += 1), {
      on: [{ event: ['tool.before', 'prompt.submit'] }],
      ...meta,
    });
    const engine = testEngine([rule]);
    engine.store.commit({
      reads: new Map(),
      changes: [{ op: 'set', id: pausedId('paused'), value: 'damaged', expires: 0 }],
      now: NOW,
    });
    await send(engine, event);
    expect(runs).toBe(1);
    expect(engine.recorded.at(-1)?.detail.trace).toMatchObject([{ tier: 3 }]);
  });

  it('counts the turns of a pause', async () => {
    const engine = testEngine([]);
    engine.store.commit({
      reads: new Map(),
      changes: [{ op: 'set', id: pausedId('s1'), value: '{"since":7,"turns":0}', expires: 0 }],
      now: NOW,
    });
    await send(engine, promptEvent('one'), promptEvent('two'), promptEvent('x', { origin: 'notification' }));
    expect(engine.store.get(pausedId('s1'), NOW)).toBe('{"since":7,"turns":2}');
  });
});
