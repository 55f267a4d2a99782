import { describe, expect, it } from 'vitest';
import { counter, flag, lease, marker, record } from './cell.ts';
import type { CellSpec } from './cell.ts';
import { bindCell, cellId, parseCellId } from './cells.ts';
import { Draft } from './draft.ts';
import { createMemoryStore } from './memory.ts';

const NOW = 1_800_000_000_000;

/** Each step is an event of its own: it reads what was committed before and commits what it changed. */
function memory() {
  const store = createMemoryStore();
  return {
    store,
    step<S extends CellSpec, T>(spec: S, work: (cell: ReturnType<typeof bindCell<S>>) => T, now = NOW): T {
      const draft = new Draft(store, now);
      const result = work(bindCell(spec, draft, (scope) => `${scope}-owner`));
      store.commit({ reads: draft.reads, changes: draft.changes, now });
      return result;
    },
  };
}

describe('a flag', () => {
  it('stays set for its time', () => {
    const { step } = memory();
    const spec = flag('f', { ttl: '30s' });
    step(spec, (cell) => cell.set());
    expect(step(spec, (cell) => cell.isSet(), NOW + 29_999)).toBe(true);
    expect(step(spec, (cell) => cell.isSet(), NOW + 30_000)).toBe(false);
  });

  it.each([
    [true, [true, false]],
    [false, [true, true]],
  ])('that is one-shot (%s) is taken', (oneShot, taken) => {
    const { step } = memory();
    const spec = flag('f', { oneShot });
    step(spec, (cell) => cell.set());
    expect([step(spec, (cell) => cell.take()), step(spec, (cell) => cell.take())]).toEqual(taken);
  });

  it('is kept for each key', () => {
    const { step } = memory();
    step(flag('f'), (cell) => cell.set('a'));
    expect(step(flag('f'), (cell) => [cell.isSet('a'), cell.isSet('b'), cell.isSet()])).toEqual([true, false, false]);
    step(flag('f'), (cell) => cell.clear('a'));
    expect(step(flag('f'), (cell) => cell.isSet('a'))).toBe(false);
  });
});

describe('a counter', () => {
  it('adds without reading, so that nobody has to retry', () => {
    const store = createMemoryStore();
    const draft = new Draft(store, NOW);
    bindCell(counter('c'), draft, () => '').add(2);
    expect(draft.reads.size).toBe(0);
  });

  it('counts, tells and starts over', () => {
    const { step } = memory();
    expect(step(counter('c'), (cell) => [cell.next(), cell.next(2), cell.value()])).toEqual([1, 3, 3]);
    expect(step(counter('c'), (cell) => cell.value())).toBe(3);
    step(counter('c'), (cell) => cell.reset());
    expect(step(counter('c'), (cell) => cell.next())).toBe(1);
  });
});

describe('a marker', () => {
  it('is true for the first', () => {
    const { step } = memory();
    expect(step(marker('m'), (cell) => [cell.first(), cell.first(), cell.first('k')])).toEqual([true, false, true]);
    expect(step(marker('m'), (cell) => cell.first())).toBe(false);
    step(marker('m'), (cell) => cell.clear());
    expect(step(marker('m'), (cell) => cell.first())).toBe(true);
  });

  it('of a day goes when the day is long over', () => {
    const { step, store } = memory();
    step(marker('m', { scope: 'day' }), (cell) => cell.first());
    expect(store.list('day', NOW + 86_400_000)).toHaveLength(1);
    expect(store.list('day', NOW + 3 * 86_400_000)).toHaveLength(0);
  });
});

describe('a record', () => {
  it('holds a value', () => {
    const { step } = memory();
    const spec = record<{ readonly a: number }>('r');
    expect(step(spec, (cell) => cell.get())).toBeUndefined();
    step(spec, (cell) => cell.set({ a: 1 }));
    expect(step(spec, (cell) => cell.get())).toEqual({ a: 1 });
    step(spec, (cell) => cell.clear());
    expect(step(spec, (cell) => cell.get())).toBeUndefined();
  });

  it('reads a damaged value as absent', () => {
    const { step, store } = memory();
    store.commit({
      reads: new Map(),
      changes: [{ op: 'set', id: cellId('session', 'session-owner', 'r'), value: '{"a":', expires: 0 }],
      now: NOW,
    });
    expect(step(record('r'), (cell) => cell.get())).toBeUndefined();
  });
});

describe('a lease', () => {
  it('has one holder until it is released or over', () => {
    const { step } = memory();
    const spec = lease('l', { ttl: '10s' });
    expect(step(spec, (cell) => [cell.take('a'), cell.take('b'), cell.take('a')])).toEqual([true, false, true]);
    step(spec, (cell) => cell.release('b'));
    expect(step(spec, (cell) => cell.take('b'))).toBe(false);
    expect(step(spec, (cell) => cell.take('b'), NOW + 10_000)).toBe(true);
    step(spec, (cell) => cell.release('b'), NOW + 10_001);
    expect(step(spec, (cell) => cell.take('a'), NOW + 10_002)).toBe(true);
  });
});

describe('a draft', () => {
  const store = createMemoryStore();
  store.commit({ reads: new Map(), changes: [{ op: 'set', id: 'n', value: '5', expires: 0 }], now: NOW });

  it.each<[string, (draft: Draft) => void, string | undefined]>([
    ['what is stored', () => {}, '5'],
    ['a sum', (draft) => draft.add('n', 2, 0), '7'],
    ['a set', (draft) => draft.set('n', '1', 0), '1'],
    ['a sum after a set', (draft) => (draft.set('n', '1', 0), draft.add('n', 1, 0)), '2'],
    ['a set after a sum', (draft) => (draft.add('n', 1, 0), draft.set('n', '9', 0)), '9'],
    ['nothing after a deletion', (draft) => (draft.add('n', 1, 0), draft.delete('n')), undefined],
    ['a sum after a deletion', (draft) => (draft.delete('n'), draft.add('n', 1, 0)), '1'],
  ])('reads %s, also through a branch and after its adoption', (_, work, expected) => {
    const own = new Draft(store, NOW);
    work(own);
    expect(own.read('n')).toBe(expected);
    expect(own.branch().read('n')).toBe(expected);

    const parent = new Draft(store, NOW);
    const branch = parent.branch();
    work(branch);
    expect(branch.read('n')).toBe(expected);
    expect(parent.read('n'), 'a branch counts only once it is adopted').toBe('5');
    expect(parent.changes).toEqual([]);
    parent.adopt(branch);
    expect(parent.read('n')).toBe(expected);
  });

  it('remembers the first value it read, for the commit to check', () => {
    const draft = new Draft(store, NOW);
    const branch = draft.branch();
    branch.read('n');
    branch.read('absent');
    expect([...draft.reads]).toEqual([
      ['n', '5'],
      ['absent', undefined],
    ]);
  });
});

it('names a cell so that its parts can be told apart again', () => {
  expect(parseCellId(cellId('day', '/p', 'name', 'a\u001fb'))).toEqual({
    scope: 'day',
    owner: '/p',
    name: 'name',
    key: 'a\u001fb',
  });
});
