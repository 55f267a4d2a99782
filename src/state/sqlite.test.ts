import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { describeStore, row } from './contract.ts';
import { CELLS_SCHEMA, createSqliteStore } from './sqlite.ts';
import type { Change } from './store.ts';
import { createSqliteLedger, LEDGER_SCHEMA } from '../ledger/sqlite.ts';
import { openDatabase } from '../platform/database.ts';

const NOW = 1_800_000_000_000;
const folder = mkdtempSync(join(tmpdir(), 'fairlead-store-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let files = 0;

function open(path = join(folder, `${++files}.db`)) {
  const { db } = openDatabase(path, CELLS_SCHEMA + LEDGER_SCHEMA, 200);
  const ledger = createSqliteLedger(db, { blockSize: 1, random: () => 0 });
  const rows = () => (db.prepare('SELECT id FROM events ORDER BY n').all() as { id: string }[]).map(({ id }) => id);
  return { path, db, ledger, rows, store: createSqliteStore(db, ledger), close: () => db.close() };
}

describeStore('SQLite', () => open());

describe('two connections to one file', () => {
  const add = (by: number): Change => ({ op: 'add', id: 'n', by, expires: 0 });
  const reads = new Map<string, string | undefined>();

  it('see what the other committed as soon as they look again', () => {
    const one = open();
    const other = open(one.path);
    expect(other.store.get('n', NOW)).toBeUndefined();
    one.store.commit({ reads, changes: [add(1)], now: NOW });
    expect(other.store.get('n', NOW), 'its view is from before').toBeUndefined();
    other.store.refresh(NOW);
    expect(other.store.get('n', NOW)).toBe('1');
    one.close();
    other.close();
  });

  it('notice that the other committed, and not that they did themselves', () => {
    const one = open();
    const other = open(one.path);
    other.store.refresh(NOW);
    const seen = other.store.seenOthers();
    other.store.commit({ reads, changes: [add(1)], now: NOW });
    other.store.refresh(NOW);
    expect(other.store.seenOthers()).toBe(seen);
    one.store.commit({ reads, changes: [add(1)], now: NOW });
    other.store.refresh(NOW);
    expect(other.store.seenOthers()).toBe(seen + 1);
    one.close();
    other.close();
  });

  it('count together without looking', () => {
    const one = open();
    const other = open(one.path);
    for (let at = 0; at < 20; at += 1)
      expect((at % 2 === 0 ? one : other).store.commit({ reads, changes: [add(1)], now: NOW })).toBe(true);
    other.store.refresh(NOW);
    expect(other.store.get('n', NOW)).toBe('20');
    one.close();
    other.close();
  });

  it('notice a conflict although their view is old', () => {
    const one = open();
    const other = open(one.path);
    const seen = new Map([['n', other.store.get('n', NOW)]]);
    one.store.commit({ reads, changes: [add(1)], now: NOW });
    expect(other.store.commit({ reads: seen, changes: [add(1)], row: row('lost'), now: NOW })).toBe(false);
    expect(other.store.get('n', NOW), 'the retry sees the new value').toBe('1');
    expect(other.rows()).toEqual([]);
    one.close();
    other.close();
  });
});

describe('a commit that fails half way', () => {
  it('leaves neither cells nor row, in the file or in the view', () => {
    const { store, db, rows, close } = open();
    store.commit({
      reads: new Map(),
      changes: [{ op: 'set', id: 'a', value: '1', expires: 0 }],
      row: row('r1'),
      now: NOW,
    });
    db.exec(
      "CREATE TRIGGER refuse BEFORE INSERT ON events WHEN NEW.id = 'r2' BEGIN SELECT RAISE(FAIL, 'no room'); END",
    );
    const changes: Change[] = [
      { op: 'set', id: 'a', value: '2', expires: 0 },
      { op: 'set', id: 'b', value: '2', expires: 0 },
    ];
    expect(() => store.commit({ reads: new Map(), changes, row: row('r2'), now: NOW })).toThrow('no room');
    expect([store.get('a', NOW), store.get('b', NOW)]).toEqual(['1', undefined]);
    expect(rows()).toEqual(['r1']);
    expect(store.commit({ reads: new Map(), changes, row: row('r3'), now: NOW })).toBe(true);
    expect([store.get('a', NOW), store.get('b', NOW)]).toEqual(['2', '2']);
    expect(rows()).toEqual(['r1', 'r3']);
    close();
  });
});
