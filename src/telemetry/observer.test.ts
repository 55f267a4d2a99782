import { own } from '../engine/api/message-values.ts';
import { describe, expect, it } from 'vitest';
import { call, openProcess, openStore, useFolders } from './engine-process.fixture.ts';
import type { Observe, PackObserver } from './observer.ts';
import {
  activeRule,
  callWith,
  NOW,
  plainAdapter,
  ROOT,
  send,
  testEngine,
  toolEvent,
} from '../engine/engine.fixture.ts';
import { ownSessionId } from '../engine/limits/guards.ts';
import { record } from '../engine/rule.ts';
import type { HookCall } from '../event/event.ts';
import { handle } from '../handle.ts';
import { cellId } from '../state/cells.ts';

useFolders();

describe('observers', () => {
  const ring = record<{ readonly bits: string; readonly state: string }>('test.ring', { scope: 'user' });

  function observer(observe: Observe, pack = 'test'): PackObserver & { loads: number } {
    const entry = {
      pack,
      loads: 0,
      async load() {
        entry.loads += 1;
        return observe;
      },
    };
    return entry;
  }

  it('are loaded after the reply, once, and see in order what a rule of the pack hears', async () => {
    const seen: string[] = [];
    const watching = observer(({ event }, { count }) => {
      seen.push(`${event.name} ${event.tool?.id ?? ''}`);
      count('seen');
    });
    const one = openProcess({ observers: [watching] });
    const on = [{ event: ['tool.after', 'tool.failed'] as const, tool: ['shell'] as const }];
    const hears = activeRule('test/hears', (_, { pass }) => pass(), { on });
    one.engine.policy = testEngine([...one.engine.policy.index.rules, hears]).policy;
    const first = call();
    await send(one.engine, first, toolEvent({ id: 'x' }, { name: 'tool.after' }));
    expect(watching.loads).toBe(0);
    await one.replied();
    await send(one.engine, toolEvent({ id: 'y' }, { name: 'tool.failed' }));
    await send(one.engine, toolEvent({ id: 'z', kind: 'read' }, { name: 'tool.failed' }));
    await one.replied();
    expect(watching.loads).toBe(1);
    expect(seen).toEqual([`tool.before ${first.tool?.id}`, 'tool.after x', 'tool.failed y']);
    one.telemetry.close();
    expect(one.numbers().counts).toEqual({ calls: 1, seen: 3 });
  });

  const elsewhere = observer(() => expect.unreachable('its pack has no rule here'), 'other');

  it.each<[string, number, Partial<HookCall>, (engine: ReturnType<typeof testEngine>) => ReturnType<typeof call>]>([
    ['an event', 1, {}, () => call()],
    ['a call that silences the pack', 0, { silenced: ['test'] }, () => call()],
    ['a call that silences another one', 1, { silenced: ['other'] }, () => call()],
    ['an agent that a rule started', 0, {}, () => call({ depth: 1 })],
    [
      'a session of our own',
      0,
      {},
      ({ store }) => {
        const id = ownSessionId('s1');
        store.commit({ reads: new Map(), changes: [{ op: 'set', id, value: '1', expires: 0 }], now: NOW });
        return call();
      },
    ],
  ])('%s: told %i times', async (_, told, more, prepare) => {
    let count = 0;
    const one = openProcess({ observers: [observer(() => void (count += 1)), elsewhere] });
    const event = prepare(one.engine);
    await handle(callWith(event, more), plainAdapter, one.engine);
    await one.replied();
    expect(count).toBe(told);
    expect(elsewhere.loads).toBe(0);
  });

  it.each([
    ['present', 1],
    ['absent', 0],
  ])('a workspace whose entry is %s: loaded and told %i times', async (entry, told) => {
    let count = 0;
    const watching = observer(() => void (count += 1));
    const one = openProcess({ observers: [watching] });
    const passes = (id: string, meta: Parameters<typeof activeRule>[2] = {}) =>
      activeRule(id, (_, { pass }) => pass(), meta);
    one.engine.policy = testEngine([passes('test/needs', { needs: { entry } }), passes('test/none')]).policy;
    await send(one.engine, call());
    await one.replied();
    await send(one.engine, call());
    one.telemetry.close();
    expect([watching.loads, count]).toEqual([told, 2 * told]);
  });

  it('are not told of a copy', async () => {
    let count = 0;
    const one = openProcess({ observers: [observer(() => void (count += 1))] });
    const denying = activeRule('test/denies', (_, { deny }) => deny('said', { text: own('No.') }));
    one.engine.policy = testEngine([denying]).policy;
    const event = call();
    await send(one.engine, event, event);
    await one.replied();
    expect(one.engine.recorded.map(({ row }) => row.copy)).toEqual([false, true]);
    expect(count).toBe(1);
  });

  it('keep what they saw; what two processes add is all there, in order', async () => {
    const observers = [
      observer(({ event }, { memory }) => {
        memory.change(
          ring,
          (before) => ({ state: 'learning', bits: (before?.bits ?? '') + (event.tool?.query ?? '') }),
          event.agent,
        );
      }),
    ];
    const one = openProcess({ observers });
    const two = openProcess({ observers });
    const see = async (process: typeof one, query: string) => {
      await send(process.engine, call({}, { query }));
      await process.replied();
    };
    await see(one, 'a');
    await see(one, 'b');
    await see(two, 'c');
    expect([one.commits(), two.commits()]).toEqual([0, 0]);
    one.telemetry.flush();
    await see(two, 'd');
    two.telemetry.flush();
    await see(one, 'e');
    one.telemetry.close();
    const stored = openStore(false).store.get(cellId('user', '', 'test.ring', 'test'), NOW);
    expect(JSON.parse(stored ?? '')).toMatchObject({ bits: 'abcde' });
  });

  it('may store at once what the next event has to see', async () => {
    const states: unknown[] = [];
    const observers = [
      observer((_, { memory }) => {
        const { state } = memory.get(ring) ?? { state: 'none' };
        const after = memory.change(ring, (before) => ({
          bits: `${before?.bits ?? ''}x`,
          state: (before?.bits.length ?? 0) >= 2 ? 'blind' : 'learning',
        }));
        if (after?.state !== state) memory.store();
      }),
    ];
    const one = openProcess({ observers });
    const look = activeRule(
      'test/looks',
      (_, { state, pass }) => {
        states.push((state['ring'] as { get(): { state?: string } | undefined }).get()?.state);
        return pass();
      },
      { state: { ring } },
    );
    one.engine.policy = testEngine([look]).policy;
    for (let at = 0; at < 5; at += 1) {
      await send(one.engine, call());
      await one.replied();
    }
    expect(states).toEqual([undefined, 'learning', 'learning', 'blind', 'blind']);
    expect(one.commits()).toBe(2);
  });

  it('a cell that comes and goes between two writes is never written', async () => {
    const started = record<number>('test.started', { scope: 'session', ttl: '10m' });
    const spans: (number | undefined)[] = [];
    const observers = [
      observer(({ event }, { memory, now }) => {
        if (event.name === 'tool.before') memory.change(started, () => now, event.tool?.id);
        else {
          spans.push(memory.get(started, event.tool?.id));
          memory.change(started, () => undefined, event.tool?.id);
        }
      }),
    ];
    const one = openProcess({ observers });
    const on = [{ event: ['tool.before', 'tool.after'] as const }];
    one.engine.policy = testEngine([activeRule('test/quiet', (_, { pass }) => pass(), { on })]).policy;
    await send(one.engine, toolEvent({ id: 'p' }), toolEvent({ id: 'p' }, { name: 'tool.after' }));
    await one.replied();
    one.telemetry.close();
    expect(spans).toEqual([NOW]);
    expect(one.commits()).toBe(0);
  });

  it('relay in the name of a rule, with the place and session of the event', async () => {
    const one = openProcess({
      observers: [
        observer((_, { relay }) =>
          relay({ rule: 'test/counts', variant: 'blind', text: 'is blind', variables: { of: 100 } }),
        ),
      ],
    });
    await send(one.engine, call());
    await one.replied();
    expect(one.relayed).toEqual([
      {
        at: NOW,
        event: 'relay',
        rule: 'test/counts',
        variant: 'blind',
        message: 'test/counts: is blind',
        variables: { of: 100 },
        session: 's1',
        root: ROOT,
      },
    ]);
  });

  it('one that fails, or cannot be loaded, harms nobody else', async () => {
    let seen = 0;
    const failing = observer(() => {
      throw new Error('of its own');
    });
    const missing: PackObserver = { pack: 'test', load: () => Promise.reject(new Error('no such file')) };
    const one = openProcess({ observers: [failing, observer(() => void (seen += 1))] });
    const two = openProcess({ observers: [missing] });
    await send(one.engine, call());
    await one.replied();
    await send(two.engine, call());
    await two.replied();
    expect(seen).toBe(1);
    expect(one.engine.failures.map(({ what }) => what)).toEqual(['observing for test']);
    expect(two.engine.failures.map(({ what }) => what)).toEqual(['loading what observes for test']);
  });
});
