import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { samplesIn } from './histogram.ts';
import type { Numbers } from './numbers.ts';
import type { Observe, PackObserver } from './observer.ts';
import { readTelemetry, resetTelemetry } from './read.ts';
import { createTelemetry } from './telemetry.ts';
import type { RelayRecord } from '../engine/asides.ts';
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
import { ownSessionId } from '../engine/guards.ts';
import { record } from '../engine/rule.ts';
import type { HookCall } from '../event/event.ts';
import { handle } from '../handle.ts';
import { cellId, parseCellId } from '../state/cells.ts';
import { openMemory } from '../state/open.ts';
import type { Memory } from '../state/open.ts';

const HOUR = 3_600_000;
let folder = '';
let memories: Memory[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fairlead-telemetry-'));
});
afterEach(() => {
  for (const memory of memories) memory.close();
  memories = [];
  rmSync(folder, { recursive: true, force: true });
});

function openStore(resident: boolean): Memory {
  const memory = openMemory({
    path: join(folder, 'state.db'),
    busyMs: 500,
    resident,
    now: () => NOW,
    random: () => 0.5,
    onFailure: (what, error) => expect.unreachable(`${what}: ${String(error)}`),
  });
  memories.push(memory);
  return memory;
}

/** One process: an engine with a rule that counts, on the file that all processes of the test share. */
function openProcess({ resident = true, observers = [] as readonly PackObserver[] } = {}) {
  const memory = openStore(resident);
  const rule = activeRule('test/counts', (event, { later, pass }) => {
    later.count('calls');
    later.time('span', event.tool?.durationMs ?? 3);
    return pass();
  });
  const engine = testEngine([rule], { store: memory.store });
  const relayed: RelayRecord[] = [];
  const timers: { ms: number; work(): void }[] = [];
  const replies: (() => void)[] = [];
  let commits = 0;
  const telemetry = createTelemetry({
    store: {
      ...memory.store,
      commit(commit) {
        commits += 1;
        return memory.store.commit(commit);
      },
    },
    clock: engine.clock,
    observers,
    relay: (said) => void relayed.push(said),
    isOff: () => engine.off,
    onFailure: engine.onFailure,
    ...(resident
      ? {
          resident: {
            afterReply: (work: () => void) => void replies.push(work),
            soon: (ms: number, work: () => void) => void timers.push({ ms, work }),
          },
        }
      : {}),
  });
  engine.after = telemetry.see;
  return {
    engine,
    memory,
    telemetry,
    relayed,
    timers,
    commits: () => commits,
    /** The replies are out. */
    async replied() {
      for (const work of replies.splice(0)) work();
      await telemetry.settle();
    },
    runTimers() {
      for (const { work } of timers.splice(0)) work();
    },
    numbers: (more: { root?: string; since?: number } = { root: ROOT }): Numbers =>
      readTelemetry(openStore(false).store, { pack: 'test', since: 0, now: engine.now, ...more }),
  };
}

let calls = 0;
const call = (more: Parameters<typeof toolEvent>[1] = {}) => toolEvent({ id: `t${(calls += 1)}` }, more);

describe('what rules count', () => {
  it('is written once for many events, two seconds later', async () => {
    const one = openProcess();
    await send(one.engine, call(), call(), call());
    expect(one.timers).toEqual([]);
    await one.replied();
    expect(one.timers.map(({ ms }) => ms)).toEqual([2_000]);
    expect(one.numbers().counts).toEqual({});
    one.runTimers();
    expect(one.commits()).toBe(1);
    const { counts, times } = one.numbers();
    expect(counts).toEqual({ calls: 3 });
    expect(times['span']).toEqual([0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0]);
    await send(one.engine, call());
    one.telemetry.close();
    expect(one.numbers().counts).toEqual({ calls: 4 });
  });

  it('leaves nothing to write, and no timer, where nothing was counted', async () => {
    const one = openProcess();
    one.engine.policy = { ...one.engine.policy, index: testEngine([]).policy.index };
    await send(one.engine, call());
    await one.replied();
    one.telemetry.flush();
    one.telemetry.close();
    expect({ timers: one.timers.length, commits: one.commits() }).toEqual({ timers: 0, commits: 0 });
  });

  it('a process for one event writes at its end', async () => {
    const one = openProcess({ resident: false });
    await send(one.engine, call());
    await one.telemetry.settle();
    expect(one.commits()).toBe(0);
    one.telemetry.close();
    expect(one.numbers().counts).toEqual({ calls: 1 });
  });

  it('is not written while the kill switch is on, and not lost either', async () => {
    const one = openProcess();
    await send(one.engine, call());
    await one.replied();
    one.engine.off = true;
    one.runTimers();
    expect(one.commits()).toBe(0);
    expect(one.numbers().counts).toEqual({});
    one.engine.off = false;
    one.runTimers();
    expect(one.numbers().counts).toEqual({ calls: 1 });
  });

  it('closing under the kill switch writes nothing', async () => {
    const one = openProcess();
    await send(one.engine, call());
    one.engine.off = true;
    one.telemetry.close();
    one.engine.off = false;
    one.runTimers();
    expect(one.commits()).toBe(0);
  });

  it('adds up across processes, each on its own view of the file', async () => {
    const all = [openProcess(), openProcess(), openProcess({ resident: false })];
    for (let round = 0; round < 5; round += 1) {
      for (const each of all) {
        await send(each.engine, call(), call());
        await each.replied();
      }
      for (const each of all) each.telemetry.flush();
    }
    const { counts, times } = openProcess().numbers();
    expect(counts).toEqual({ calls: 30 });
    expect(samplesIn(times['span'] ?? [])).toBe(30);
  });

  it('is kept by the hour for eight days', async () => {
    const one = openProcess();
    const start = NOW - (NOW % HOUR);
    for (const at of [start - HOUR, start, start + HOUR - 1]) await send(one.engine, call({ receivedAt: at }));
    one.telemetry.close();
    const cells = openStore(false).store.list('workspace', NOW);
    expect(cells.map(({ id, expires }) => ({ ...parseCellId(id), expires }))).toEqual([
      { scope: 'workspace', owner: ROOT, name: 'test.telemetry', key: '2027-01-15T07', expires: start + 192 * HOUR },
      { scope: 'workspace', owner: ROOT, name: 'test.telemetry', key: '2027-01-15T08', expires: start + 193 * HOUR },
    ]);
    expect(one.numbers({ since: start - 1 }).counts).toEqual({ calls: 3 });
    expect(one.numbers({ since: start }).counts).toEqual({ calls: 2 });
    one.engine.now = start + 192 * HOUR;
    expect(one.numbers().counts).toEqual({ calls: 2 });
  });

  it('of several workspaces is read alone or together, and reset so', () => {
    const one = openProcess();
    one.telemetry.of('test', ROOT).count('runs', 2);
    one.telemetry.of('test', ROOT).peak('queue', 4);
    one.telemetry.of('test', ROOT).peak('queue', 3);
    one.telemetry.of('test', '/other').count('runs', 5);
    one.telemetry.of('test', '/other').peak('queue', 7);
    one.telemetry.of('tests', ROOT).count('runs', 100);
    one.telemetry.flush();
    expect(one.numbers()).toEqual({ counts: { runs: 2 }, times: {}, peaks: { queue: 4 } });
    expect(one.numbers({})).toEqual({ counts: { runs: 7 }, times: {}, peaks: { queue: 7 } });
    expect(resetTelemetry(one.memory.store, { pack: 'test', root: ROOT }, NOW)).toBe(1);
    expect(one.numbers({}).counts).toEqual({ runs: 5 });
    expect(resetTelemetry(one.memory.store, { pack: 'test' }, NOW)).toBe(1);
    expect(one.numbers({}).counts).toEqual({});
    expect(readTelemetry(one.memory.store, { pack: 'tests', since: 0, now: NOW }).counts).toEqual({ runs: 100 });
  });

  it('has a fixed size, whatever a pack does', () => {
    const one = openProcess();
    const numbers = one.telemetry.of('test', ROOT);
    for (let at = 0; at < 1_000; at += 1) {
      numbers.count(`count-${at}`);
      numbers.time(`time-${at}`, at);
    }
    numbers.count('count-0', Number.NaN);
    one.telemetry.flush();
    numbers.count('one-more');
    one.telemetry.flush();
    const { counts, times } = one.numbers();
    expect([Object.keys(counts).length, Object.keys(times).length]).toEqual([200, 200]);
    expect(counts['count-0']).toBe(1);
  });

  it('starts afresh where a cell is damaged', async () => {
    const one = openProcess();
    const id = cellId('workspace', ROOT, 'test.telemetry', '2027-01-15T08');
    const value = JSON.stringify({ counts: { calls: 'many', kept: 2 }, times: { span: [1, 2] }, peaks: null });
    one.memory.store.commit({ reads: new Map(), changes: [{ op: 'set', id, value, expires: 0 }], now: NOW });
    await send(one.engine, call());
    one.telemetry.close();
    const { counts, times } = one.numbers();
    expect(counts).toEqual({ calls: 1, kept: 2 });
    expect(samplesIn(times['span'] ?? [])).toBe(1);
  });

  it('waits for the next time when it cannot be written', () => {
    const memory = openStore(true);
    const failures: string[] = [];
    let full = true;
    const telemetry = createTelemetry({
      store: {
        ...memory.store,
        commit(commit) {
          if (full) throw new Error('disk is full');
          return memory.store.commit(commit);
        },
      },
      clock: { now: () => NOW },
      observers: [],
      relay() {},
      isOff: () => false,
      onFailure: (what, error) => void failures.push(`${what}: ${String(error)}`),
    });
    telemetry.of('test', ROOT).count('runs');
    telemetry.flush();
    expect(failures).toEqual(['writing telemetry: Error: disk is full']);
    telemetry.of('test', ROOT).count('runs');
    full = false;
    telemetry.flush();
    expect(readTelemetry(memory.store, { pack: 'test', since: 0, now: NOW }).counts).toEqual({ runs: 2 });
  });
});

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

  it('are loaded after the reply, once, and see every event in order', async () => {
    const seen: string[] = [];
    const watching = observer(({ event }, { count }) => {
      seen.push(`${event.name} ${event.tool?.id ?? ''}`);
      count('seen');
    });
    const one = openProcess({ observers: [watching] });
    await send(one.engine, call(), toolEvent({ id: 'x' }, { name: 'tool.after' }));
    expect(watching.loads).toBe(0);
    await one.replied();
    await send(one.engine, toolEvent({ id: 'y' }, { name: 'tool.failed' }));
    await one.replied();
    expect(watching.loads).toBe(1);
    expect(seen).toEqual([`tool.before t${calls}`, 'tool.after x', 'tool.failed y']);
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

  it('are not told of a copy', async () => {
    let count = 0;
    const one = openProcess({ observers: [observer(() => void (count += 1))] });
    const denying = activeRule('test/denies', (_, { deny }) => deny('said', { text: 'No.' }));
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
      await send(process.engine, toolEvent({ id: `t${(calls += 1)}`, query }));
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
    one.engine.policy = testEngine([activeRule('test/quiet', (_, { pass }) => pass())]).policy;
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
