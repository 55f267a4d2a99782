import { describe, expect, it } from 'vitest';
import { ownSessionId } from './guards.ts';
import { pausedId } from './session.ts';
import {
  activeRule,
  callWith,
  NOW,
  plainAdapter,
  plainEvent,
  promptEvent,
  send,
  testEngine,
  toolEvent,
} from './engine.fixture.ts';
import type { RuleMeta } from './rule.ts';
import type { Event } from '../event/event.ts';
import { handle } from '../handle.ts';
import { cellId } from '../state/cells.ts';
import type { Store } from '../state/store.ts';

const subagent = { id: 'a1', type: 'general' };
function keep(store: Store, id: string, value = '1'): void {
  store.commit({ reads: new Map(), changes: [{ op: 'set', id, value, expires: 0 }], now: NOW });
}

const paused = plainEvent('session.start', { session: 'paused' });

describe('guards', () => {
  it.each<[string, Partial<RuleMeta>, Event, string]>([
    ['a session', { needs: { session: true } }, toolEvent({}, { hasSession: false }), 'the event names no session'],
    ['the main agent', { needs: { main: true } }, toolEvent({}, { subagent }), 'a sub-agent'],
    ['a person', { needs: { human: true } }, promptEvent('x', { origin: 'notification' }), 'not typed by a person'],
    ['an entry of the workspace', { needs: { entry: 'absent' } }, toolEvent(), 'no absent in this workspace'],
    ['an agent that no rule started', {}, toolEvent({}, { depth: 1 }), 'this agent was started by a rule'],
    ['a session that no rule started', {}, toolEvent({}, { session: 'own' }), 'this agent was started by a rule'],
    ['a session that is not paused', {}, toolEvent({}, { session: 'paused' }), 'the session is paused'],
  ])('wait for %s', async (_, meta, event, reason) => {
    let runs = 0;
    const rule = activeRule('a', () => void (runs += 1), {
      on: [{ event: ['tool.before', 'prompt.submit'] }],
      ...meta,
    });
    const engine = testEngine([rule]);
    keep(engine.store, pausedId('paused'), '{"since":0,"turns":0}');
    keep(engine.store, ownSessionId('own'));
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
    ['a session that a rule started, if it protects', { guard: true }, toolEvent({}, { session: 'own' })],
    ['a paused session, if it protects', { guard: true }, toolEvent({}, { session: 'paused' })],
  ])('let a rule look at %s', async (_, meta, event) => {
    let runs = 0;
    const rule = activeRule('a', () => void (runs += 1), {
      on: [{ event: ['tool.before', 'prompt.submit'] }],
      ...meta,
    });
    const engine = testEngine([rule]);
    keep(engine.store, pausedId('paused'), 'damaged');
    keep(engine.store, ownSessionId('own'));
    await send(engine, event);
    expect(runs).toBe(1);
    expect(engine.recorded.at(-1)?.detail.trace).toMatchObject([{ tier: 3 }]);
  });

  it('counts the turns of a pause', async () => {
    const engine = testEngine([]);
    keep(engine.store, pausedId('s1'), '{"since":7,"turns":0}');
    await send(engine, promptEvent('one'), promptEvent('two'), promptEvent('x', { origin: 'notification' }));
    expect(engine.store.get(pausedId('s1'), NOW)).toBe('{"since":7,"turns":2}');
  });
});

describe('who is awake', () => {
  const flagged = { needs: { flag: 'test.flag' } };
  it.each<[string, readonly Partial<RuleMeta>[], { flag?: true; silenced?: readonly string[] }, readonly string[]]>([
    ['all, when nothing is said', [{}, {}], {}, ['r0', 'r1']],
    ['not one that waits for a flag, alone', [flagged], {}, []],
    ['not one that waits for a flag, beside others', [flagged, {}], {}, ['r1']],
    ['one whose flag is set', [flagged, {}], { flag: true }, ['r0', 'r1']],
    ['no rule of a pack that the call silences', [{ pack: 'loud' }, {}], { silenced: ['loud'] }, ['r1']],
    ['not even one that protects', [{ pack: 'loud', guard: true }], { silenced: ['loud'] }, []],
    ['all, when other packs are silenced', [{}, {}], { silenced: ['loud'] }, ['r0', 'r1']],
    [
      'neither what is silenced nor what sleeps',
      [{ pack: 'loud' }, flagged, {}],
      { silenced: ['loud', 'more'] },
      ['r2'],
    ],
  ])('%s', async (_, metas, { flag, silenced }, expected) => {
    const ran: string[] = [];
    const engine = testEngine(metas.map((meta, at) => activeRule(`r${at}`, () => void ran.push(`r${at}`), meta)));
    if (flag) keep(engine.store, cellId('session', 's1', 'test.flag'));
    await handle(callWith(toolEvent(), silenced ? { silenced } : {}), plainAdapter, engine);
    expect(ran.sort()).toEqual(expected);
    expect(
      engine.recorded
        .at(-1)
        ?.detail.trace.map(({ rule }) => rule)
        .sort(),
    ).toEqual(expected);
  });
});
