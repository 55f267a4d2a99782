import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDerived } from '../../platform/database.ts';
import { openFactsDb } from './facts-db.ts';
import type { FactsDb, StoredFacts } from './facts-db.ts';

let dir: string;
let path: string;
let db: FactsDb | undefined;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'fl-facts-'));
  path = join(dir, 'graph', 'facts.db');
});
afterEach(() => {
  db?.close();
  db = undefined;
  rmSync(dir, { recursive: true });
});

const SHAPE = { schema: '', format: 1, busyMs: 0, pageBytes: 1_024 };
const row = (name: string, more: Partial<StoredFacts> = {}): StoredFacts => ({
  path: name,
  size: 12,
  mtimeMs: 1_700_000_000_123.456,
  hash: 'ab'.repeat(16),
  digest: 'cd'.repeat(16),
  facts: Uint8Array.of(0, 1, 255),
  ...more,
});

function open(root = '/code/app'): FactsDb {
  db?.close();
  db = openFactsDb(path, root);
  return db;
}

function spoil(change: (bytes: Uint8Array) => Uint8Array): void {
  db?.checkpoint();
  db?.close();
  db = undefined;
  writeFileSync(path, change(readFileSync(path)));
}

describe('stored facts', () => {
  it('that SQLite itself has rolled back fail for the reason that it had', () => {
    open().change([row('a.ts')], []);
    const { db: other } = openDerived(path, SHAPE);
    other.exec(
      `CREATE TRIGGER full BEFORE INSERT ON files WHEN NEW.path = 'c.ts'
       BEGIN SELECT RAISE(ROLLBACK, 'database or disk is full'); END`,
    );
    other.close();
    expect(() => db?.change([row('b.ts'), row('c.ts')], [])).toThrow('database or disk is full');
    expect(db?.files().map((file) => file.path)).toEqual(['a.ts']);
  });

  it('are what was stored, by path', () => {
    open().change([row('b.ts'), row('a.ts', { size: 3 })], []);
    const { facts: _, ...stored } = row('b.ts');
    expect(open().files()).toEqual([{ ...stored, path: 'a.ts', size: 3 }, stored]);
    expect(db?.facts('b.ts')).toEqual(Uint8Array.of(0, 1, 255));
    expect(db?.facts('c.ts')).toBeUndefined();
    expect(db?.notice).toBeUndefined();
  });

  it('are replaced and removed together or not at all', () => {
    open().change([row('a.ts'), row('b.ts')], []);
    expect(() => db?.change([row('c.ts'), row('a.ts', { facts: undefined as never })], ['b.ts'])).toThrow(
      /bind|NULL|parameter|value/i,
    );
    expect(db?.files().map((each) => each.path)).toEqual(['a.ts', 'b.ts']);
    db?.change([row('a.ts', { size: 9 }), row('c.ts')], ['b.ts']);
    expect(db?.files().map((each) => [each.path, each.size])).toEqual([
      ['a.ts', 9],
      ['c.ts', 12],
    ]);
  });

  it('of a file that was only touched stay', () => {
    open().change([row('a.ts')], []);
    db?.touch([{ path: 'a.ts', size: 12, mtimeMs: 5 }]);
    expect(db?.files()[0]).toMatchObject({ mtimeMs: 5, digest: row('a.ts').digest });
    expect(db?.facts('a.ts')).toEqual(row('a.ts').facts);
  });

  it('of another root are not read', () => {
    open().change([row('a.ts')], []);
    expect(open('/code/other').files()).toEqual([]);
    expect(db?.notice).toBe('it is of /code/app');
  });

  it('of other extractors are dropped', () => {
    open().change([row('a.ts')], []);
    db?.close();
    db = undefined;
    const raw = openDerived(path, SHAPE).db;
    raw.exec(`UPDATE made SET value = 'an older one' WHERE key = 'by'`);
    raw.close();
    const again = open();
    expect(again.files()).toEqual([]);
    expect(again.notice).toMatch(/another version/);
    expect(open().notice).toBeUndefined();
  });

  it.each<[string, (bytes: Uint8Array) => Uint8Array]>([
    ['is no database', () => new TextEncoder().encode('no database '.repeat(200))],
    ['is damaged', (bytes) => bytes.map((byte, at) => (at > 100 && at < 5_000 ? 0xff : byte))],
    ['has another format', (bytes) => bytes.with(63, 99)],
  ])('in a file that %s are made anew, and that is told', (_, change) => {
    open().change(
      Array.from({ length: 50 }, (__, n) => row(`${n}.ts`, { facts: new Uint8Array(500) })),
      [],
    );
    spoil(change);
    expect(open().files()).toEqual([]);
    expect(db?.notice).toBeTruthy();
    db?.change([row('a.ts')], []);
    expect(open().files()).toHaveLength(1);
  });

  it('tell when another process wrote there', () => {
    const mine = open();
    const before = mine.version();
    mine.change([row('a.ts')], []);
    expect(mine.version()).toBe(before);
    const other = openFactsDb(path, '/code/app');
    other.change([row('b.ts')], []);
    other.close();
    expect(mine.version()).not.toBe(before);
  });
});
