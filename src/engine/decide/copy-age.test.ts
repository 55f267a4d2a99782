import { describe, expect, it } from 'vitest';
import { activeRule, NOW, send, testEngine, toolEvent } from '../engine.fixture.ts';
import type { TestEngine } from '../engine.fixture.ts';
import { counter, own } from '../rule.ts';
import type { Throttle } from '../rule.ts';
import type { UnknownAnswer } from '../../event/lease.ts';
import type { CounterCell } from '../../state/cell.ts';
import { createMemoryStore } from '../../state/memory.ts';
import { seenId } from '../../state/team-queue.ts';

const SHARING = { team: 'acme', person: 'alice', machine: 'laptop' };

function storeSeen(age: number | undefined) {
  const store = createMemoryStore();
  if (age !== undefined)
    store.commit({
      reads: new Map(),
      changes: [{ op: 'set', id: seenId('acme'), value: JSON.stringify(NOW - age), expires: 0 }],
      now: NOW,
    });
  return store;
}

const counting = (answer: UnknownAnswer) =>
  activeRule(
    'test/count',
    ({ tool }, { state, pass, deny }) => {
      if (tool?.command !== 'deploy') return pass('no deploy');
      const count = state['count'] as CounterCell;
      return count.next() > 2 ? deny('said', { text: 'too often' }) : pass('few');
    },
    { team: { within: '1m', else: answer }, state: { count: counter('test.count', { scope: 'team' }) } },
  );
const machine = (answer: UnknownAnswer, age: number | undefined, isShared = true): TestEngine =>
  testEngine([counting(answer)], { store: storeSeen(age), ...(isShared && { policy: { sharing: SHARING } }) });
const deploy = () => toolEvent({ command: 'deploy' });
const sharedIn = (engine: TestEngine) => engine.recorded.at(-1)?.detail.trace[0]?.shared;

describe('a copy of the state of a team that is older than the bound of a rule', () => {
  it.each<[UnknownAnswer, string, string]>([
    ['go on', 'pass', 'team state 4 min old, bound 60 s, went on'],
    ['ask', 'ask', 'team state 4 min old, bound 60 s, asked'],
    ['deny', 'deny', 'team state 4 min old, bound 60 s, denied'],
  ])('%s', async (answer, action, told) => {
    const engine = machine(answer, 240_000);
    const decision = await send(engine, deploy());
    expect([decision.action, sharedIn(engine)]).toEqual([action, told]);
    if (action !== 'pass') expect(decision.reason).toContain("What this machine has of the team's state is 4 min old");
  });

  it.each<[string, TestEngine, string]>([
    ['is young enough', machine('deny', 30_000), 'deploy'],
    ['is not looked at by the rule', machine('deny', 240_000), 'ls'],
    ['is no copy, on a machine that shares nothing', machine('deny', undefined, false), 'deploy'],
  ])('changes nothing where it %s', async (_, engine, command) => {
    expect((await send(engine, toolEvent({ command }))).action).toBe('pass');
    expect(sharedIn(engine)).toBeUndefined();
  });

  it('counts as older than all where it was never whole', async () => {
    const engine = machine('ask', undefined);
    expect((await send(engine, deploy())).action).toBe('ask');
    expect(sharedIn(engine)).toBe('team state not there yet, bound 60 s, asked');
  });

  it('concerns a shared throttle when the rule speaks', async () => {
    const throttle: Throttle = { once: 'day', shared: 'team' };
    const nag = activeRule('test/nag', (_, { note }) => note('said', { text: own('hello') }), {
      ...{ throttle, team: { within: '1m', else: 'ask' } },
    });
    const engine = testEngine([nag], { store: storeSeen(240_000), policy: { sharing: SHARING } });
    expect((await send(engine, deploy())).action).toBe('ask');
  });
});
