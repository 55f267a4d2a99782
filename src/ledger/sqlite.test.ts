import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { cases } from '../../test/cases.ts';
import type { Retention } from './ledger.ts';
import type { LedgerDetail } from '../event/ledger-row.ts';
import { createSqliteLedger, LEDGER_SCHEMA } from './sqlite.ts';
import type { Unrecorded } from './unrecorded.ts';
import { row } from '../state/contract.ts';
import { CELLS_SCHEMA, createSqliteStore } from '../state/sqlite.ts';
import { openDatabase } from '../platform/database.ts';

const NOW = 1_800_000_000_000;
const DAY = 86_400_000;
const times = { parse: 0, workspace: 0, select: 0, rules: 0, commit: 0, render: 0 };
const detail =
  (event: unknown = {}): (() => LedgerDetail) =>
  () => ({ event, trace: [], decision: {}, times, attempts: 1 });
let folder = '';
let path = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fairlead-ledger-'));
  path = join(folder, 'state.db');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** One process's view of the ledger; `die` leaves like a killed one. */
function open(blockSize: number, retention?: Retention, onUnrecorded?: (change: Unrecorded) => void) {
  const { db } = openDatabase(path, CELLS_SCHEMA + LEDGER_SCHEMA, 500);
  let asked = 0;
  const ledger = createSqliteLedger(db, {
    blockSize,
    random: () => 0.5,
    onWaiting: () => (asked += 1),
    ...(retention ? { retention: () => retention } : {}),
    ...(onUnrecorded ? { onUnrecorded } : {}),
  });
  const store = createSqliteStore(db, ledger);
  return {
    db,
    ledger,
    asked: () => asked,
    neutral: (id: string, session = 's1', event?: unknown) => ledger.record(row(id, session), detail(event), false),
    decide(id: string, session = 's1') {
      store.commit({
        reads: new Map(),
        changes: [{ op: 'set', id: `cell-${id}`, value: '1', expires: 0 }],
        row: row(id, session),
        now: NOW,
      });
      ledger.record(row(id, session), detail(), true);
    },
    rows: () =>
      db.prepare('SELECT id, seq FROM events WHERE session = ? ORDER BY seq').all('s1') as {
        id: string;
        seq: number;
      }[],
    close() {
      ledger.close();
      db.close();
    },
    die: () => db.close(),
  };
}

/** Numbers of a session that were handed out, and neither used nor given back. */
function gaps(session = 's1'): number[] {
  const { db, die } = open(1);
  const numbers = new Set(
    (db.prepare('SELECT seq FROM events WHERE session = ?').all(session) as { seq: number }[]).map(({ seq }) => seq),
  );
  for (const { first, last } of db.prepare('SELECT first, last FROM released WHERE session = ?').all(session) as {
    first: number;
    last: number;
  }[]) {
    for (let seq = first; seq <= last; seq += 1) numbers.add(seq);
  }
  const { reserved } = (db.prepare('SELECT reserved FROM sequences WHERE session = ?').get(session) as
    | { reserved: number }
    | undefined) ?? { reserved: 0 };
  die();
  return Array.from({ length: reserved }, (_, at) => at + 1).filter((seq) => !numbers.has(seq));
}

it('keeps the detail of a row that was stored while others were written', () => {
  const { db, ledger, neutral, close } = open(64);
  const store = createSqliteStore(db, ledger);
  store.commit({ reads: new Map(), changes: [], row: row('early', 's1'), now: NOW });
  neutral('other');
  ledger.flush();
  ledger.record(row('early', 's1'), detail(), true);
  ledger.flush();
  const found = db.prepare('SELECT id FROM events JOIN details USING (n) ORDER BY id').all();
  expect(found).toEqual([{ id: 'early' }, { id: 'other' }]);
  close();
});

describe('rows', () => {
  it('of decisions are there with the commit, those of neutral events after the flush', () => {
    const one = open(8);
    one.decide('d1');
    one.neutral('n1');
    expect(one.rows().map(({ id }) => id)).toEqual(['d1']);
    one.ledger.flush();
    expect(one.rows().map(({ id }) => id)).toEqual(['d1', 'n1']);
    expect(one.db.prepare('SELECT count(*) AS n FROM details').get()).toEqual({ n: 2 });
    one.close();
  });

  it('ask once for a flush, and again after it', () => {
    const one = open(8);
    one.neutral('n1');
    one.neutral('n2');
    expect(one.asked()).toBe(1);
    one.ledger.flush();
    one.neutral('n3');
    expect(one.asked()).toBe(2);
    one.close();
  });

  it('are written some at a time, in their order, and ask for the next part at once', () => {
    const one = open(4);
    one.decide('d');
    one.ledger.flush();
    const before = one.asked();
    const ids = Array.from({ length: 20 }, (_, at) => `n${String(at).padStart(2, '0')}`);
    for (const id of ids.slice(0, 10)) one.neutral(id);
    expect(one.asked()).toBe(before + 1);
    one.ledger.flush(3);
    // Those without a number of their own went along, so that later ones do not get a lower one.
    expect(one.rows().length).toBeGreaterThanOrEqual(4);
    for (const id of ids.slice(10)) one.neutral(id);
    for (let at = 0; one.asked() > before + 1 && at < 20; at += 1) one.ledger.flush(3);
    expect(one.rows().map(({ id }) => id)).toEqual(['d', ...ids]);
    one.close();
  });

  it('wait for the next flush when one fails, and are written once', () => {
    const one = open(8);
    one.decide('d1');
    one.neutral('n1');
    one.db.exec(
      "CREATE TRIGGER refuse BEFORE INSERT ON events WHEN NEW.id = 'n1' BEGIN SELECT RAISE(FAIL, 'no room'); END",
    );
    expect(() => one.ledger.flush()).toThrow('no room');
    one.db.exec('DROP TRIGGER refuse');
    one.neutral('n2');
    expect(one.asked()).toBe(2);
    one.ledger.flush();
    expect(
      one
        .rows()
        .map(({ id }) => id)
        .sort(),
    ).toEqual(['d1', 'n1', 'n2']);
    expect(one.db.prepare('SELECT count(*) AS n FROM details').get()).toEqual({ n: 3 });
    one.close();
  });

  it('come with their details, without secrets and at a length', () => {
    const one = open(1, { days: 1, rows: 100, bodies: 50 });
    const trace = [
      {
        rule: 'a',
        tier: 3 as const,
        reason: 'token=opaque0value',
        mode: 'enforce',
        verdicts: [{ kind: 'note', text: 'password=s3cr3tpw' }],
      },
    ];
    one.ledger.record(
      row('n1'),
      () => ({
        event: { command: 'export TOKEN=opaque0value', text: 'x'.repeat(500) },
        trace,
        decision: { reason: 'password=s3cr3tpw' },
        times,
        attempts: 2,
      }),
      false,
    );
    one.ledger.flush();
    const { body } = one.db.prepare('SELECT body FROM details').get() as { body: string };
    expect(body).not.toMatch(/opaque0value|s3cr3tpw/);
    expect(JSON.parse(body)).toMatchObject({
      attempts: 2,
      times,
      trace: [{ rule: 'a', tier: 3 }],
      event: { text: `${'x'.repeat(50)} [+450 characters]` },
    });
    one.close();
  });
});

describe('the numbers of a session', () => {
  it('are contiguous across processes that answer one event each', () => {
    for (let at = 0; at < 6; at += 1) {
      const one = open(1);
      if (at % 2 === 0) one.decide(`d${at}`);
      else one.neutral(`n${at}`);
      one.close();
    }
    const all = open(1);
    expect(all.rows().map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6]);
    all.die();
    expect(gaps()).toEqual([]);
  });

  it('are never given twice, however processes take turns', () => {
    const processes = [open(1), open(4), open(64)];
    for (let at = 0; at < 60; at += 1) {
      const one = processes[at % 3];
      if (at % 4 === 0) one?.decide(`d${at}`);
      else one?.neutral(`n${at}`);
      if (at % 7 === 0) one?.ledger.flush();
    }
    for (const one of processes) one.close();
    const all = open(1);
    const seqs = all.rows().map(({ seq }) => seq);
    all.die();
    expect(seqs).toHaveLength(60);
    expect(new Set(seqs).size).toBe(60);
    expect(gaps()).toEqual([]);
  });

  it('have a gap after a resident process was killed, and tell how much may be missing', () => {
    const one = open(8);
    one.decide('d1');
    one.ledger.flush();
    one.neutral('lost');
    one.die();
    const next = open(1);
    next.decide('d2');
    next.close();
    expect(gaps().length).toBeGreaterThan(0);
    expect(gaps()[0]).toBe(2);
  });

  it('have none after it was closed', () => {
    const one = open(8);
    one.decide('d1');
    one.neutral('n1');
    one.neutral('n2', 's2');
    one.close();
    expect([gaps(), gaps('s2')]).toEqual([[], []]);
  });

  it('are not used when the commit that reserved them failed', () => {
    const one = open(4);
    one.db.exec(
      "CREATE TRIGGER refuse BEFORE INSERT ON events WHEN NEW.id = 'd1' BEGIN SELECT RAISE(FAIL, 'no room'); END",
    );
    expect(() => one.decide('d1')).toThrow('no room');
    const other = open(4);
    other.decide('d2');
    one.decide('d3');
    expect(one.rows().map(({ seq }) => seq)).toEqual([1, 5]);
    one.close();
    other.close();
    expect(gaps()).toEqual([]);
  });
});

describe('what cannot be written', () => {
  /** Refuses rows as a full disk does, as long as it is. */
  function fullDisk(one: ReturnType<typeof open>) {
    return {
      fill: () =>
        one.db.exec(
          "CREATE TEMP TRIGGER IF NOT EXISTS full BEFORE INSERT ON events BEGIN SELECT RAISE(FAIL, 'disk is full'); END",
        ),
      empty: () => one.db.exec('DROP TRIGGER IF EXISTS full'),
    };
  }
  const attempt = (work: () => void): boolean => {
    try {
      work();
      return true;
    } catch {
      return false;
    }
  };

  it('is told as missing, and as written after all; no number is lost and none is given twice', () => {
    const step = fc.constantFrom('neutral', 'decide', 'flush', 'flush some', 'fill', 'empty');
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), fc.constantFrom(1, 4, 64), fc.boolean(), (steps, size, dies) => {
        rmSync(folder, { recursive: true });
        mkdirSync(folder);
        const told = { events: 0, decided: 0 };
        const one = open(size, undefined, ({ events, decided }) => {
          told.events += events;
          told.decided += decided;
        });
        const disk = fullDisk(one);
        let answered = 0;
        for (const [at, what] of steps.entries()) {
          if (what === 'flush') attempt(one.ledger.flush);
          else if (what === 'flush some') attempt(() => one.ledger.flush(3));
          else if (what === 'neutral') one.neutral(`n${at}`);
          // As the engine does: what could not be committed is recorded later.
          else if (what === 'decide' && !attempt(() => one.decide(`d${at}`))) one.neutral(`d${at}`);
          if (what === 'neutral' || what === 'decide') answered += 1;
          if (what === 'fill' || what === 'empty') disk[what]();
        }
        const flushed = attempt(one.ledger.flush);
        expect(one.rows().length + told.events).toBe(answered);
        if (flushed) expect(told).toEqual({ events: 0, decided: 0 });
        if (dies) return one.die();
        disk.empty();
        one.close();
        expect(told).toEqual({ events: 0, decided: 0 });
        const all = open(1);
        const seqs = all.rows().map(({ seq }) => seq);
        all.die();
        expect([seqs.length, new Set(seqs).size, gaps()]).toEqual([answered, answered, []]);
      }),
      cases(60),
    );
  });

  it('is told when the file is given up', () => {
    const told: unknown[] = [];
    const one = open(8, undefined, (change) => told.push(change));
    one.decide('d1');
    one.neutral('n1');
    one.ledger.abandon();
    expect(told).toEqual([{ events: 1, decided: 0 }]);
    one.die();
  });
});

describe('rotation', () => {
  it('keeps as many rows as it may, the newest', () => {
    const one = open(1, { days: 30, rows: 5, bodies: 10 });
    for (let at = 0; at < 12; at += 1) one.neutral(`n${at}`);
    one.ledger.flush();
    expect(one.ledger.rotate(NOW)).toBe(7);
    expect(one.rows().map(({ id }) => id)).toEqual(['n7', 'n8', 'n9', 'n10', 'n11']);
    expect(one.db.prepare('SELECT count(*) AS n FROM details').get()).toEqual({ n: 5 });
    expect(one.ledger.rotate(NOW)).toBe(0);
    one.neutral('n12');
    one.ledger.flush();
    expect(one.rows().at(-1), 'numbers go on').toEqual({ id: 'n12', seq: 13 });
    one.close();
  });

  it('drops what is over age, with all that belongs to its session', () => {
    const one = open(4, { days: 30, rows: 1_000, bodies: 10 });
    one.ledger.record(row('old', 's1', { at: NOW - 31 * DAY }), detail(), false);
    one.ledger.record(row('new', 's2'), detail(), false);
    one.ledger.close();
    expect(one.ledger.rotate(NOW)).toBe(1);
    for (const table of ['events', 'details', 'sequences', 'released']) {
      expect(one.db.prepare(`SELECT count(*) AS n FROM ${table}`).get(), table).toEqual({ n: 1 });
    }
    one.die();
  });
});
