import { describe, expect, it } from 'vitest';
import { call, openProcess, openStore, useFolders } from './engine-process.fixture.ts';
import { samplesIn } from './histogram.ts';
import { readTelemetry, resetTelemetry } from './read.ts';
import { createTelemetry } from './telemetry.ts';
import { NOW, ROOT, send, testEngine } from '../engine/engine.fixture.ts';
import { cellId, parseCellId } from '../state/cells.ts';
import type { Store } from '../state/store.ts';

useFolders();

const HOUR = 3_600_000;

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
    await one.telemetry.finish();
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

  it.each<[string, Pick<Store, 'commit' | 'stored'>, string]>([
    [
      'refused',
      {
        commit() {
          throw new Error('disk is full');
        },
        stored: () => undefined,
      },
      'Error: disk is full',
    ],
    [
      'lost with its transaction',
      { commit: () => true, stored: () => Promise.reject(new Error('disk is full')) },
      'Error: disk is full',
    ],
    ['overtaken every time', { commit: () => false, stored: () => undefined }, 'other processes kept writing'],
  ])('waits for the next time when the write is %s', async (_, broken, why) => {
    const memory = openStore(true);
    const failures: string[] = [];
    let parts = broken;
    const telemetry = createTelemetry({
      store: { ...memory.store, commit: (commit) => parts.commit(commit), stored: () => parts.stored() },
      clock: { now: () => NOW },
      observers: [],
      relay() {},
      isOff: () => false,
      onFailure: (what, error) => void failures.push(`${what}: ${String(error)}`),
    });
    telemetry.of('test', ROOT).count('runs');
    telemetry.flush();
    telemetry.of('test', ROOT).count('runs');
    await telemetry.finish();
    expect(failures).toEqual([`writing telemetry: ${why}`]);
    parts = memory.store;
    telemetry.flush();
    expect(readTelemetry(memory.store, { pack: 'test', since: 0, now: NOW }).counts).toEqual({ runs: 2 });
  });
});
