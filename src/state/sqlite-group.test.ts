import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { describeStore, row } from './contract.ts';
import { openMemory } from '../ledger/open.ts';
import { CELLS_SCHEMA, createSqliteStore } from './sqlite.ts';
import type { SqliteStore } from './sqlite.ts';
import type { Change, Commit } from './store.ts';
import { createSqliteLedger, LEDGER_SCHEMA } from '../ledger/sqlite.ts';
import type { SqliteLedger } from '../ledger/sqlite.ts';
import { openDatabase } from '../platform/database.ts';
import type { Database } from '../platform/database.ts';

const NOW = 1_800_000_000_000;
let folder: string;
let path: string;
let waiting: (() => void)[];
let db: Database;
let ledger: SqliteLedger;
let store: SqliteStore;
/** Another process, as it sees the file. */
let other: Database;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fairlead-group-'));
  path = join(folder, 'state.db');
  waiting = [];
  db = openDatabase(path, CELLS_SCHEMA + LEDGER_SCHEMA, 50).db;
  ledger = createSqliteLedger(db, { blockSize: 64, random: () => 0 });
  store = createSqliteStore(db, ledger, { byOwner: true, refreshMs: 0, later: (work) => void waiting.push(work) });
  other = openDatabase(path, '', 50).db;
});
afterEach(() => {
  other.close();
  db.close();
  rmSync(folder, { recursive: true });
});

const set = (id: string, value: string): Change => ({ op: 'set', id, value, expires: 0 });
const add = (id: string): Change => ({ op: 'add', id, by: 1, expires: 0 });
const commit = (changes: readonly Change[], more: Partial<Commit> = {}) =>
  store.commit({ reads: new Map(), changes, now: NOW, ...more });
/** What the events at hand leave for later. */
const afterwards = () => {
  for (const work of waiting.splice(0)) work();
};
const cells = () =>
  Object.fromEntries(
    (other.prepare('SELECT id, value FROM cells').all() as { id: string; value: string }[]).map(({ id, value }) => [
      id,
      value,
    ]),
  );
const rows = () => (other.prepare('SELECT id FROM events ORDER BY n').all() as { id: string }[]).map(({ id }) => id);
const seen = (...ids: readonly string[]) => ids.map((id) => store.get(id, NOW));

const detail = () => ({
  event: {},
  trace: [],
  decision: {},
  times: { parse: 0, workspace: 0, select: 0, rules: 0, commit: 0, render: 0 },
  attempts: 1,
});

/** Makes the end of a transaction fail that holds a row with this id, as a disk that is full at that moment would. */
function failAtEnd(id: string): void {
  db.exec(`
    PRAGMA foreign_keys = ON;
    CREATE TABLE parents (id TEXT PRIMARY KEY);
    CREATE TABLE children (id TEXT REFERENCES parents (id) DEFERRABLE INITIALLY DEFERRED);
    CREATE TRIGGER spoil AFTER INSERT ON events WHEN NEW.id = '${id}' BEGIN INSERT INTO children VALUES ('none'); END;`);
}

describeStore('SQLite, with commits in groups,', () => {
  const opened = openDatabase(
    join(mkdtempSync(join(folder, 'contract-')), 'state.db'),
    CELLS_SCHEMA + LEDGER_SCHEMA,
    50,
  );
  const own = createSqliteLedger(opened.db, { blockSize: 64, random: () => 0 });
  const ids = () =>
    (opened.db.prepare('SELECT id FROM events ORDER BY n').all() as { id: string }[]).map(({ id }) => id);
  const grouped = createSqliteStore(opened.db, own, { byOwner: true, refreshMs: 0, later: setImmediate });
  return { store: grouped, rows: ids, close: () => grouped.close() };
});

describe('commits that come together', () => {
  it('are seen at once, and stored together afterwards', async () => {
    expect(store.stored(), 'nothing waits').toBeUndefined();
    for (const id of ['r1', 'r2', 'r3']) expect(commit([add('n'), set(id, '1')], { row: row(id) })).toBe(true);
    expect(waiting, 'one end for all').toHaveLength(1);
    const stored = store.stored();
    let done = false;
    void stored?.then(() => (done = true));
    await Promise.resolve();
    expect([seen('n', 'r1'), cells(), rows(), done]).toEqual([['3', '1'], {}, [], false]);
    afterwards();
    await stored;
    expect([cells(), rows()]).toEqual([{ n: '3', r1: '1', r2: '1', r3: '1' }, ['r1', 'r2', 'r3']]);
    expect(store.stored()).toBeUndefined();
  });

  it('form a new group once one is stored', async () => {
    commit([add('n')]);
    const first = store.stored();
    afterwards();
    commit([add('n')]);
    const second = store.stored();
    expect(second).not.toBe(first);
    await first;
    expect(cells()).toEqual({ n: '1' });
    afterwards();
    await second;
    expect(cells()).toEqual({ n: '2' });
  });

  it('read what those before them wrote', () => {
    commit([set('a', '1')], { row: row('r1', 's1', { delivery: 'd1', answer: '{"a":1}' }) });
    expect(store.answered('d1')).toBe('{"a":1}');
    expect(commit([set('a', '2')], { reads: new Map([['a', '1']]) })).toBe(true);
    afterwards();
    expect(cells()).toEqual({ a: '2' });
  });

  it('are refused one by one: what moved, or was answered, leaves the others in place', async () => {
    commit([set('a', '1')], { row: row('r1', 's1', { delivery: 'd1', answer: '{}' }) });
    expect(commit([set('a', '9'), set('b', '9')], { reads: new Map([['a', '0']]), row: row('r2') })).toBe(false);
    expect(commit([set('c', '9')], { row: row('r3', 's1', { delivery: 'd1', answer: '{}' }) })).toBe(false);
    expect(commit([set('d', '1')], { row: row('r4') })).toBe(true);
    const stored = store.stored();
    afterwards();
    await stored;
    expect([cells(), rows()]).toEqual([{ a: '1', d: '1' }, ['r1', 'r4']]);
    expect(seen('a', 'b', 'c', 'd')).toEqual(['1', undefined, undefined, '1']);
  });

  it('hold the file only until they are stored', () => {
    commit([add('n')]);
    expect(() => other.exec('BEGIN IMMEDIATE')).toThrow('locked');
    afterwards();
    other.exec("BEGIN IMMEDIATE; UPDATE cells SET value = '41'; COMMIT");
    expect(commit([add('n')])).toBe(true);
    afterwards();
    expect(cells()).toEqual({ n: '42' });
  });

  it('that find the file held by another process say so at once, and nothing stays open', () => {
    other.exec('BEGIN IMMEDIATE');
    expect(() => commit([add('n')])).toThrow('locked');
    expect([store.stored(), waiting.length]).toEqual([undefined, 0]);
    other.exec('ROLLBACK');
    expect(commit([add('n')])).toBe(true);
    afterwards();
    expect(cells()).toEqual({ n: '1' });
  });
});

describe('a group that cannot be stored', () => {
  it('is lost as a whole, which each of its commits is told, and the view holds nothing of it', async () => {
    commit([set('a', 'kept')], { row: row('r0') });
    afterwards();
    failAtEnd('bad');
    commit([set('a', 'lost'), set('b', 'lost')], { row: row('r1', 's1', { delivery: 'd1', answer: '{}' }) });
    const first = store.stored();
    commit([set('c', 'lost')], { row: row('bad') });
    const second = store.stored();
    expect(seen('a', 'b', 'c')).toEqual(['lost', 'lost', 'lost']);
    afterwards();
    await expect(first).rejects.toThrow('FOREIGN KEY');
    await expect(second).rejects.toThrow('FOREIGN KEY');
    expect([seen('a', 'b', 'c'), store.answered('d1')]).toEqual([['kept', undefined, undefined], undefined]);
    expect([cells(), rows(), store.stored()]).toEqual([{ a: 'kept' }, ['r0'], undefined]);

    expect(commit([set('b', 'later')], { row: row('r1', 's1', { delivery: 'd1', answer: '{}' }) })).toBe(true);
    const third = store.stored();
    afterwards();
    await third;
    expect([cells(), rows()]).toEqual([{ a: 'kept', b: 'later' }, ['r0', 'r1']]);
  });

  it('because one commit broke in the middle takes the others along, and tells them', async () => {
    db.exec(
      "CREATE TRIGGER refuse BEFORE INSERT ON events WHEN NEW.id = 'bad' BEGIN SELECT RAISE(FAIL, 'no room'); END",
    );
    commit([set('a', '1')], { row: row('r1') });
    const first = store.stored();
    expect(() => commit([set('b', '1')], { row: row('bad') })).toThrow('no room');
    await expect(first).rejects.toThrow('no room');
    expect([seen('a', 'b'), store.stored()]).toEqual([[undefined, undefined], undefined]);
    commit([set('c', '1')], { row: row('r2') });
    const next = store.stored();
    afterwards();
    await next;
    expect([cells(), rows()]).toEqual([{ c: '1' }, ['r2']]);
  });

  it('of which nobody waits ends no process', async () => {
    failAtEnd('bad');
    commit([set('a', '1')], { row: row('bad') });
    afterwards();
    await new Promise(setImmediate);
    expect(cells()).toEqual({});
  });

  it('because the disk is full leaves what was stored before', async () => {
    commit([set('a', 'kept')]);
    afterwards();
    db.exec('PRAGMA max_page_count = 1');
    commit([set('b', 'fits')]);
    const stored = store.stored();
    expect(() => commit([set('c', 'x'.repeat(200_000))])).toThrow('full');
    await expect(stored).rejects.toThrow('full');
    expect(seen('a', 'b', 'c')).toEqual(['kept', undefined, undefined]);
    db.exec('PRAGMA max_page_count = 100000');
    commit([set('c', 'x'.repeat(200_000))]);
    const next = store.stored();
    afterwards();
    await next;
    expect(Object.keys(cells())).toEqual(['a', 'c']);
  });
});

describe('other work on the file ends the group first', () => {
  function memory(gathers = true) {
    const failures: string[] = [];
    const opened = openMemory({
      path,
      busyMs: 50,
      resident: true,
      gathers: () => gathers,
      now: () => NOW,
      random: () => 0,
      onFailure: (what, error) => void failures.push(`${what}: ${String(error)}`),
    });
    const put = () =>
      opened.store.commit({ reads: new Map(), changes: [add('n')], row: row(opened.ledger.nextId(NOW)), now: NOW });
    return { ...opened, put, failures };
  }
  type Opened = ReturnType<typeof memory>;

  const works: readonly [string, (opened: Opened) => unknown][] = [
    [
      'writing the ledger',
      ({ ledger: own }) => {
        own.record(row('neutral'), detail, false);
        own.flush();
      },
    ],
    ['removing rows that are over age', ({ rotate }) => rotate(NOW)],
    ['removing cells of old sessions', ({ store: own }) => own.prune(0, NOW)],
    ['removing cells', ({ store: own }) => own.remove('nothing')],
    ['closing', ({ close }) => close()],
  ];

  it.each(works)('%s', async (_, work) => {
    const opened = memory();
    opened.put();
    opened.put();
    const stored = opened.store.stored();
    work(opened);
    expect(cells()).toMatchObject({ n: '2' });
    await stored;
    expect(opened.failures).toEqual([]);
    opened.close();
  });

  it('prune counts what it removed, and the commits before it are stored', async () => {
    commit([{ op: 'set', id: 'old', value: '1', expires: NOW - 1 }, set('a', '1')]);
    const stored = store.stored();
    expect(store.prune(0, NOW)).toBe(1);
    await stored;
    expect(cells()).toEqual({ a: '1' });
    afterwards();
    expect(cells(), 'the end that was left for later finds nothing to do').toEqual({ a: '1' });
  });

  it('a resident store does so at once for an event that comes alone', () => {
    const opened = memory(false);
    opened.put();
    expect(cells()).toEqual({ n: '1' });
    expect(opened.store.stored()).toBeUndefined();
    opened.close();
  });

  it('a resident store does so by itself after the events at hand', async () => {
    const opened = memory();
    opened.put();
    expect(cells()).toEqual({});
    await opened.store.stored();
    expect(cells()).toEqual({ n: '1' });
    opened.close();
  });
});

it('gives a neutral event no number that a failing transaction takes back', async () => {
  failAtEnd('bad');
  commit([], { row: row('bad') });
  const lost = store.stored();
  ledger.record(row('neutral'), detail, false);
  afterwards();
  await expect(lost).rejects.toThrow(/constraint/i);
  ledger.flush();
  commit([], { row: row('next') });
  afterwards();
  const numbers = other.prepare('SELECT seq FROM events').all() as { seq: number }[];
  expect(new Set(numbers.map(({ seq }) => seq)).size).toBe(2);
});

it('says that cells were not removed when they were not', () => {
  commit([set('a', '1')]);
  afterwards();
  failAtEnd('bad');
  commit([set('b', '1')], { row: row('bad') });
  expect(() => store.remove('a')).toThrow(/constraint/i);
  expect(cells()).toEqual({ a: '1' });
});
