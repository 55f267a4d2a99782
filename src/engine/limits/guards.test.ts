import { describe, expect, it } from 'vitest';
import { ownSessionId } from './guards.ts';
import { pausedId } from '../session/pause.ts';
import {
  activeRule,
  callWith,
  NOW,
  plainAdapter,
  plainEvent,
  promptEvent,
  ROOT,
  send,
  testEngine,
  toolEvent,
} from '../engine.fixture.ts';
import { flag as flagCell } from '../rule.ts';
import type { Cells, RuleContext, RuleMeta } from '../rule.ts';
import type { Event } from '../../event/event.ts';
import { handle } from '../../handle.ts';
import { cellId } from '../../state/cells.ts';
import type { Store } from '../../state/store.ts';

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
    expect(engine.recorded.at(-1)?.detail.trace).toMatchObject([{ rule: 'a', tier: 2, reason, mode: 'enforce' }]);
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

it('wakes a rule whose work is done for what is no tool call', async () => {
  const ran: string[] = [];
  const on = [{ event: ['tool.before', 'prompt.submit', 'session.start'] as const }];
  const rule = activeRule('a', ({ name }) => void ran.push(name), { on, needs: { unset: 'test.flag' } });
  const engine = testEngine([rule]);
  keep(engine.store, cellId('session', 's1', 'test.flag'));
  await send(engine, toolEvent(), promptEvent('x'), plainEvent('session.start'), toolEvent({}, { session: 's2' }));
  expect(ran).toEqual(['prompt.submit', 'session.start', 'tool.before']);
});

it.each<[string, Partial<RuleMeta>, number]>([
  ['a rule for every call has no entry to be about', { at: 'cwd', needs: { unset: 'x', entry: 'absent' } }, 0],
  ['a rule for every call has one', { at: 'cwd', needs: { unset: 'x', entry: 'present' } }, 1],
  ['another rule has none, which its record tells', { at: 'cwd', needs: { entry: 'absent' } }, 1],
])('a call is nobody’s where %s', async (_, meta, looked) => {
  const engine = testEngine([activeRule('a', () => {}, meta)]);
  await send(engine, toolEvent());
  expect(engine.recorded.at(-1)?.detail.trace ?? []).toHaveLength(looked);
});

it('lets one of two calls that come at once do what is done once', async () => {
  let runs = 0;
  const once = flagCell('test.flag');
  const check = async (_event: Event, { state }: RuleContext) => {
    runs += 1;
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
    const { once: cell } = state as unknown as Cells<{ once: typeof once }>;
    cell.set();
    return { kind: 'note', rule: 'a', priority: 50, variant: 'v', text: 'once' } as const;
  };
  const rule = activeRule('a', check, { needs: { unset: 'test.flag' }, state: { once } });
  const engine = testEngine([rule]);
  const calls = ['t1', 't2'].map(async (id) => handle(callWith(toolEvent({ id })), plainAdapter, engine));
  const replies = await Promise.all(calls);
  expect(runs).toBe(2);
  expect(replies.filter(({ stdout }) => stdout.includes('once'))).toHaveLength(1);
});

describe('who is awake', () => {
  const flagged = { needs: { flag: 'test.flag' } };
  const done = { needs: { unset: 'test.flag' } };
  it.each<[string, readonly Partial<RuleMeta>[], { flag?: true; silenced?: readonly string[] }, readonly string[]]>([
    ['all, when nothing is said', [{}, {}], {}, ['r0', 'r1']],
    ['not one that waits for a flag, alone', [flagged], {}, []],
    ['not one that waits for a flag, beside others', [flagged, {}], {}, ['r1']],
    ['one whose flag is set', [flagged, {}], { flag: true }, ['r0', 'r1']],
    ['one whose work is not done', [done, {}], {}, ['r0', 'r1']],
    ['not one whose work is done, alone', [done], { flag: true }, []],
    ['not one whose work is done, beside others', [done, {}], { flag: true }, ['r1']],
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

describe('a rule that needs others', () => {
  it.each<[string, string | undefined, number]>([
    ['nobody has changed anything', undefined, 0],
    ['this session alone has', '["s1"]', 0],
    ['another one has', '["s2"]', 1],
    ['both have', '["s1","s2"]', 1],
  ])('%s', async (_, sessions, runs) => {
    let ran = 0;
    const rule = activeRule('a', () => void (ran += 1), { needs: { others: 'test.sessions' } });
    for (const rules of [[rule], [rule, activeRule('b', () => undefined)]]) {
      ran = 0;
      const engine = testEngine(rules);
      if (sessions !== undefined) keep(engine.store, cellId('repository', ROOT, 'test.sessions'), sessions);
      await send(engine, toolEvent());
      expect(ran).toBe(runs);
    }
  });
});
