import { afterEach, describe, expect, it } from 'vitest';
import { cellId } from './cells.ts';
import type { Change, Commit, Store, StoredCell } from './store.ts';
import type { LedgerRow } from '../event/ledger-row.ts';

const NOW = 1_800_000_000_000;

/** The part of a store that is about cells. One on another machine answers later. */
export interface Cells {
  get(id: string, now: number): string | undefined | Promise<string | undefined>;
  commit(commit: Commit): boolean | Promise<boolean>;
  list(prefix: string, now: number): Listed[] | Promise<Listed[]>;
}
type Listed = Pick<StoredCell, 'id' | 'value' | 'expires'>;

export interface OpenedCells {
  readonly store: Cells;
  /** Whether it takes the time from whoever asks, and not from a clock that only goes on. */
  readonly goesBack: boolean;
  /** The ids of the rows written so far, where it keeps rows. */
  rows?(): string[];
  close(): void | Promise<void>;
}

export interface OpenedStore {
  readonly store: Store;
  /** The ids of the rows written so far. */
  rows(): string[];
  close(): void;
}

export function row(id: string, session = 's1', more: Partial<LedgerRow> = {}): LedgerRow {
  return {
    id,
    session,
    at: NOW,
    agent: 'test',
    event: 'tool.before',
    tool: 'shell',
    root: '/p',
    action: 'pass',
    rules: '',
    chars: 0,
    replyBytes: 0,
    micros: 1,
    tier: 1,
    digest: 'x',
    changed: false,
    copy: false,
    ...more,
  };
}

const set = (id: string, value: string, expires = 0): Change => ({ op: 'set', id, value, expires });
const add = (id: string, by: number, expires = 0): Change => ({ op: 'add', id, by, expires });
const drop = (id: string): Change => ({ op: 'delete', id });

const NOTHING_READ: ReadonlyMap<string, string | undefined> = new Map();
const commit = <Done>(
  store: { commit(commit: Commit): Done },
  changes: readonly Change[],
  now = NOW,
  reads = NOTHING_READ,
): Done => store.commit({ reads, changes, now });

/** What everything that keeps cells promises, on this machine or another. */
export function describeCells(name: string, open: () => OpenedCells | Promise<OpenedCells>): void {
  describe(`${name}: cells`, () => {
    let opened: OpenedCells | undefined;
    afterEach(async () => {
      await opened?.close();
      opened = undefined;
    });
    const start = async () => (opened = await open()).store;

    it('keeps what was set, until it is set again or deleted', async () => {
      const store = await start();
      expect(await store.get('a', NOW)).toBeUndefined();
      expect(await commit(store, [set('a', '1'), set('b', '"text é \u{1f600}"')])).toBe(true);
      expect([await store.get('a', NOW), await store.get('b', NOW)]).toEqual(['1', '"text é \u{1f600}"']);
      await commit(store, [set('a', '2'), drop('b'), drop('never there')]);
      expect([await store.get('a', NOW), await store.get('b', NOW)]).toEqual(['2', undefined]);
    });

    it('lets a cell expire at its time and not before', async () => {
      const store = await start();
      await commit(store, [set('a', '1', NOW + 100)]);
      expect(await store.get('a', NOW + 99)).toBe('1');
      expect(await store.get('a', NOW + 100)).toBeUndefined();
      if (opened?.goesBack) expect(await store.get('a', NOW + 99), 'reading changes nothing').toBe('1');
      await commit(store, [set('a', '2')]);
      expect(await store.get('a', NOW + 1e9), 'set again without an end').toBe('2');
    });

    it.each<[string, Change[], string, number]>([
      ['from nothing', [add('a', 2)], '2', 0],
      ['to what is there', [set('a', '40'), add('a', 2)], '42', 0],
      ['less than nothing', [add('a', -3)], '-3', 0],
      ['keeping the expiry of a living cell', [add('a', 1, NOW + 100), add('a', 1, NOW + 900)], '2', NOW + 100],
      ['keeping a cell without an end', [set('a', '1'), add('a', 1, NOW + 900)], '2', 0],
      ['starting over after a deletion', [set('a', '7'), drop('a'), add('a', 1, NOW + 5)], '1', NOW + 5],
      ['starting over from what is no number', [set('a', '"x"'), add('a', 1)], '1', 0],
    ])('adds %s', async (_, changes, value, expires) => {
      const store = await start();
      await commit(store, changes);
      expect(await store.list('a', NOW)).toMatchObject([{ id: 'a', value, expires }]);
    });

    it('starts a count over when the cell has expired, with a new expiry', async () => {
      const store = await start();
      await commit(store, [add('a', 5, NOW + 100)]);
      await commit(store, [add('a', 1, NOW + 300)], NOW + 200);
      expect(await store.list('a', NOW + 200)).toMatchObject([{ value: '1', expires: NOW + 300 }]);
    });

    it.each<[string, Map<string, string | undefined>, boolean]>([
      ['nothing was read', new Map(), true],
      ['what was read is still there', new Map([['a', '1']]), true],
      ['what was absent is still absent', new Map([['z', undefined]]), true],
      ['a cell has changed', new Map([['a', '0']]), false],
      ['a cell has appeared', new Map([['a', undefined]]), false],
      ['a cell is gone', new Map([['z', '1']]), false],
      ['a cell has expired', new Map([['brief', '1']]), false],
      [
        'one of several has changed',
        new Map([
          ['a', '1'],
          ['b', '0'],
        ]),
        false,
      ],
    ])('when %s', async (_, reads, expected) => {
      const store = await start();
      await commit(store, [set('a', '1'), set('b', '1'), set('brief', '1', NOW + 1)]);
      const done = await store.commit({ reads, changes: [set('a', '2'), add('n', 1)], row: row('r1'), now: NOW + 1 });
      expect(done).toBe(expected);
      expect([await store.get('a', NOW + 1), await store.get('n', NOW + 1)]).toEqual(
        expected ? ['2', '1'] : ['1', undefined],
      );
      if (opened?.rows) expect(opened.rows()).toEqual(expected ? ['r1'] : []);
    });

    it('lists cells by prefix, in order, without expired ones', async () => {
      const store = await start();
      await commit(store, [set('b/2', '2'), set('b/1', '1'), set('c', '3'), set('b/old', '0', NOW)]);
      expect((await store.list('b/', NOW)).map(({ id }) => id)).toEqual(['b/1', 'b/2']);
      expect(await store.list('', NOW)).toHaveLength(3);
    });
  });
}

/** What every store of this machine promises beside; run for each of them. */
export function describeStore(name: string, open: () => OpenedStore): void {
  describeCells(name, () => ({ ...open(), goesBack: true }));
  describe(`${name} store`, () => {
    let opened: OpenedStore | undefined;
    afterEach(() => {
      opened?.close();
      opened = undefined;
    });
    const start = () => (opened = open()).store;

    it('lists cells that hold a text, and when they were changed', () => {
      const store = start();
      commit(store, [set('b/1', '1'), set('b/2', '2')]);
      commit(store, [add('b/2', 1)], NOW + 5);
      expect(store.list('b/', NOW, '2')).toEqual([{ id: 'b/2', value: '3', expires: 0, updated: NOW + 5 }]);
    });

    it('removes cells by prefix', () => {
      const store = start();
      commit(store, [set('b/1', '1'), set('b/2', '2'), set('c', '3')]);
      expect(store.get('b/1', NOW)).toBe('1');
      expect(store.remove('b/')).toBe(2);
      expect(store.get('b/1', NOW)).toBeUndefined();
      expect(store.remove('b/')).toBe(0);
      expect(store.get('c', NOW)).toBe('3');
    });

    it('prunes what has expired and every cell of sessions that nobody touched', () => {
      const store = start();
      const day = 86_400_000;
      const id = {
        stale: cellId('session', 'stale', 'x'),
        turn: cellId('turn', 'stale\u001emain\u001e1', 'x'),
        user: cellId('user', '', 'x'),
      };
      commit(store, [
        set(id.stale, '1'),
        set(id.turn, '1'),
        set(id.user, '1'),
        set('gone', '1', NOW + 1),
        set('kept', '1', NOW + 9 * day),
      ]);
      commit(store, [set(cellId('session', 'fresh', 'old'), '1')]);
      commit(store, [set(cellId('session', 'fresh', 'brief'), '1', NOW + day + 1)], NOW + day);
      expect(store.get(id.stale, NOW)).toBe('1');
      expect(store.prune(NOW + day, NOW + 2 * day)).toBe(4);
      expect(
        store
          .list('', NOW)
          .map((cell) => cell.id)
          .sort(),
      ).toEqual(['kept', cellId('session', 'fresh', 'old'), id.user].sort());
      expect(store.get(id.stale, NOW)).toBeUndefined();
    });
  });
}
