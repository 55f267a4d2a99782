import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { RETENTION } from './ledger.ts';
import { findRelaySessions, newestRelay, readRelays } from './relays.ts';
import { createSqliteLedger, LEDGER_SCHEMA } from './sqlite.ts';
import type { SqliteLedger } from './sqlite.ts';
import type { RelayRecord } from '../event/follow-up.ts';
import { openDatabase } from '../platform/database.ts';
import type { Database } from '../platform/database.ts';

const NOW = 1_800_000_000_000;
const DAY = 86_400_000;
let folder = '';
let db: Database;
let ledger: SqliteLedger;
let asked = 0;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fairlead-relays-'));
  db = openDatabase(join(folder, 'state.db'), LEDGER_SCHEMA, 500).db;
  asked = 0;
  ledger = createSqliteLedger(db, {
    blockSize: 1,
    random: () => 0.5,
    onWaiting: () => (asked += 1),
    retention: () => ({ ...RETENTION, days: 3, rows: 5, bodies: 40 }),
  });
});
afterEach(() => {
  db.close();
  rmSync(folder, { recursive: true, force: true });
});

const said = (more: Partial<RelayRecord> = {}): RelayRecord => ({
  at: NOW,
  event: 'relay',
  rule: 'test/rule',
  variant: 'said',
  message: 'test/rule: it happened',
  root: '/project',
  ...more,
});

describe('relay records', () => {
  it('are written with the next batch, which they ask for once', () => {
    ledger.relay(said({ session: 's1', variables: { tasks: 3, of: 'demo' } }));
    ledger.relay(said({ variant: 'again' }));
    expect({ asked, stored: readRelays(db).length }).toEqual({ asked: 1, stored: 0 });
    ledger.flush();
    expect(readRelays(db)).toEqual([
      { n: 1, ...said({ session: 's1', variables: { tasks: 3, of: 'demo' } }) },
      { n: 2, ...said({ variant: 'again' }) },
    ]);
    expect(newestRelay(db)).toBe(2);
    ledger.flush();
    expect(readRelays(db)).toHaveLength(2);
  });

  it('are stored when the process ends', () => {
    ledger.relay(said());
    ledger.close();
    expect(readRelays(db)).toHaveLength(1);
  });

  it('wait when the file cannot be written', () => {
    db.exec(`CREATE TRIGGER full BEFORE INSERT ON relays BEGIN SELECT RAISE(ABORT, 'no room'); END`);
    ledger.relay(said({ variant: 'first' }));
    expect(() => ledger.flush()).toThrow('no room');
    ledger.relay(said({ variant: 'second' }));
    db.exec('DROP TRIGGER full');
    ledger.flush();
    expect(readRelays(db).map(({ variant }) => variant)).toEqual(['first', 'second']);
  });

  it('name no secret and are no longer than other texts', () => {
    ledger.relay(
      said({
        message: `PASSWORD=hunter22 ${'x'.repeat(100)}`,
        variables: { token: 'opaque', url: 'https://me:hunter22@example.org' },
      }),
    );
    ledger.flush();
    const [stored] = readRelays(db);
    expect(JSON.stringify(stored)).not.toContain('hunter22');
    expect(stored?.message).toMatch(/^PASSWORD=\[redacted\] x+ \[\+\d+ characters\]$/);
    expect(stored?.variables).toEqual({ token: '[redacted]', url: 'https://me:[redacted]@example.org' });
  });

  it.each<[string, Parameters<typeof readRelays>[1], readonly number[]]>([
    ['all', {}, [1, 2, 3, 4]],
    ['of a session', { session: 's1' }, [1, 3]],
    ['of a rule', { rule: 'test/other' }, [2]],
    ['since a moment', { since: NOW }, [2, 3, 4]],
    ['the newest', { last: 2 }, [3, 4]],
    ['after one', { after: 3 }, [4]],
    ['of a session, the newest', { session: 's1', last: 1 }, [3]],
  ])('%s', (_, filter, expected) => {
    ledger.relay(said({ session: 's1', at: NOW - 1 }));
    ledger.relay(said({ session: 's2', rule: 'test/other' }));
    ledger.relay(said({ session: 's1' }));
    ledger.relay(said());
    ledger.flush();
    expect(readRelays(db, filter).map(({ n }) => n)).toEqual(expected);
    expect(findRelaySessions(db, 's')).toEqual(['s1', 's2']);
  });

  it('go with the rows of the ledger: by age and by number', () => {
    for (let at = 0; at < 4; at += 1) ledger.relay(said({ at: NOW - 4 * DAY + 2 * at * DAY, variant: `v${at}` }));
    ledger.flush();
    ledger.rotate(NOW);
    expect(readRelays(db).map(({ variant }) => variant)).toEqual(['v1', 'v2', 'v3']);
    for (let at = 4; at < 8; at += 1) ledger.relay(said({ variant: `v${at}` }));
    ledger.flush();
    ledger.rotate(NOW);
    expect(readRelays(db).map(({ variant }) => variant)).toEqual(['v3', 'v4', 'v5', 'v6', 'v7']);
  });
});
