import { expect, it } from 'vitest';
import { activeRule, callWith, NOW, plainAdapter, testEngine, toolEvent } from '../engine.fixture.ts';
import { flag, marker, record } from '../rule.ts';
import type { RuleContext, RuleMeta } from '../rule.ts';
import { handle } from '../../handle.ts';
import { cellId } from '../../state/cells.ts';

const CELLS = {
  flag: flag('test.flag'),
  marker: marker('test.marker', { scope: 'workspace' }),
  today: marker('test.today', { scope: 'day' }),
  last: record<number>('test.last'),
};
type State = RuleContext<typeof CELLS>['state'];

function world(meta: Partial<RuleMeta>, act: (state: State) => void, kind: 'note' | 'pass' = 'note') {
  const check = (_event: unknown, { state }: RuleContext) => {
    act(state as unknown as State);
    return { kind, rule: 'a', priority: 50, variant: 'said', text: 'hear me' } as const;
  };
  const engine = testEngine([activeRule('a', check, { state: CELLS, ...meta })]);
  const send = () => handle(callWith(toolEvent()), plainAdapter, engine);
  const cells = () => engine.store.list('', NOW).map(({ id }) => id.split('\u001f')[2]);
  return { engine, send, cells };
}

const setAll = ({ flag: one, marker: other, today }: State) => {
  one.set();
  other.first();
  today.first();
};

it('what was said and not heard is as if it had not been said', async () => {
  const { send, cells } = world({ throttle: { once: 'session' } }, setAll);
  const first = await send();
  expect(cells()).toEqual(expect.arrayContaining(['test.flag', 'test.marker', 'test.today', 'throttle:a']));
  expect((await send()).stdout).toBe('');
  first.unheard?.();
  expect(cells().filter((name) => name?.startsWith('test.') || name?.startsWith('throttle'))).toEqual([]);
  expect((await send()).stdout).toContain('hear me');
});

it.each<[string, Partial<RuleMeta>, 'note' | 'pass', (state: State) => void]>([
  ['a rule that said nothing', {}, 'pass', setAll],
  ['a rule that protects', { guard: true }, 'note', setAll],
])('%s keeps what it set', async (_, meta, kind, act) => {
  const { send, cells } = world(meta, act, kind);
  const { unheard } = await send();
  unheard?.();
  expect(cells()).toEqual(expect.arrayContaining(['test.flag', 'test.marker', 'test.today']));
});

it('what was set before, or has changed since, stays', async () => {
  const { engine, send, cells } = world({}, setAll);
  const set = (value: string, name: string) =>
    engine.store.commit({
      reads: new Map(),
      changes: [{ op: 'set', id: cellId('session', 's1', name), value, expires: 0 }],
      now: NOW,
    });
  set('1', 'test.flag');
  const first = await send();
  first.unheard?.();
  expect(cells()).toContain('test.flag');
  expect(cells()).not.toContain('test.today');
  engine.store.remove(cellId('session', 's1', 'test.flag'));
  const second = await send();
  set('"another"', 'test.flag');
  second.unheard?.();
  expect(cells()).toContain('test.flag');
});

it('an event that marks nothing carries nothing to take back', async () => {
  const { send } = world({}, () => {});
  expect(await send()).toEqual({ stdout: expect.stringContaining('hear me') as string, exitCode: 0 });
});

it('what was said last is again what was heard last', async () => {
  let said = 0;
  const { engine, send } = world({}, ({ last }) => last.say((said += 1)));
  const last = () => engine.store.get(cellId('session', 's1', 'test.last'), NOW);
  (await send()).unheard?.();
  expect(last()).toBeUndefined();
  await send();
  const third = await send();
  expect(last()).toBe('3');
  third.unheard?.();
  expect(last()).toBe('2');
});
