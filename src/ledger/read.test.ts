import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { NEUTRAL } from '../event/verdict.ts';
import { openDatabase } from '../platform/database.ts';
import type { Database } from '../platform/database.ts';
import { findGaps } from './gaps.ts';
import { countStopped, findDecisions, findOriginal, findSessions, outcomeOf, readDetail, readRows } from './read.ts';
import type { RowFilter } from './read.ts';
import type { LedgerDetail, LedgerRow } from '../event/ledger-row.ts';
import { createSqliteLedger, LEDGER_SCHEMA } from './sqlite.ts';
import { groupFailures, percentilesOf, readEventCounts, readRuleCounts, readTotals } from './stats.ts';

let dir: string;
let db: Database;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'ledger-'));
  db = openDatabase(join(dir, 'state.db'), LEDGER_SCHEMA, 1_000).db;
});
afterEach(() => {
  db.close();
  rmSync(dir, { recursive: true });
});

const ledgerOf = (blockSize: number) => createSqliteLedger(db, { blockSize, random: () => 0 });

function row(over: Partial<LedgerRow> = {}): LedgerRow {
  return {
    id: 'id',
    at: 1_000,
    session: 's',
    agent: 'a',
    event: 'tool.before',
    tool: 'T',
    root: '/p',
    action: 'pass',
    rules: '',
    chars: 0,
    replyBytes: 0,
    micros: 10,
    tier: 1,
    digest: 'd',
    changed: false,
    copy: false,
    ...over,
  };
}

const TIMES = { parse: 0, workspace: 0, select: 0, rules: 0, commit: 0, render: 0 };

function detail(over: Partial<LedgerDetail> = {}): () => LedgerDetail {
  return () => ({ event: {}, trace: [], decision: NEUTRAL, times: TIMES, attempts: 1, ...over });
}

describe('rows', () => {
  const shadow = {
    rule: 'p/quiet',
    tier: 3,
    reason: 'deny',
    mode: 'shadow',
    micros: 5,
    verdicts: [{ kind: 'deny', text: 'no' }],
  } as const;
  beforeEach(() => {
    const ledger = ledgerOf(1);
    ledger.record(row({ id: 'aaa1', at: 1_000 }), detail(), false);
    ledger.record(row({ id: 'aaa2', at: 2_000, action: 'deny', rules: 'p/rm,p/rm2', chars: 9 }), detail(), false);
    ledger.record(
      row({ id: 'bbb3', at: 3_000, session: 'other', event: 'tool.after', rules: 'p/hint', chars: 4 }),
      detail(),
      false,
    );
    ledger.record(row({ id: 'bbb4', at: 4_000, rules: 'p/hint' }), detail(), false);
    ledger.record(
      row({ id: 'ccc5', at: 5_000 }),
      detail({
        trace: [shadow, { ...shadow, rule: 'p/idle', verdicts: [] }].map(({ verdicts, ...entry }) =>
          verdicts.length > 0 ? { ...entry, verdicts } : entry,
        ),
      }),
      false,
    );
    ledger.flush();
  });

  test.each<[RowFilter, string[]]>([
    [{}, ['aaa1', 'aaa2', 'bbb3', 'bbb4', 'ccc5']],
    [{ last: 2 }, ['bbb4', 'ccc5']],
    [{ last: 0 }, []],
    [{ session: 'other' }, ['bbb3']],
    [{ event: 'tool.after' }, ['bbb3']],
    [{ since: 3_000 }, ['bbb3', 'bbb4', 'ccc5']],
    [{ outcomes: ['deny'] }, ['aaa2']],
    [{ outcomes: ['note', 'warn'] }, ['bbb3', 'bbb4']],
    [{ outcomes: ['pass'] }, ['aaa1', 'ccc5']],
    [{ rule: 'p/rm' }, ['aaa2']],
    [{ rule: 'p/r' }, []],
    [{ rule: 'p/quiet' }, ['ccc5']],
    [{ rule: 'p/idle' }, []],
    [{ rule: 'p/hint', session: 's' }, ['bbb4']],
    [{ after: 3 }, ['bbb4', 'ccc5']],
  ])('%j', (filter, ids) => {
    expect(readRows(db, filter).map(({ id }) => id)).toEqual(ids);
  });

  test('what a line calls a decision is what the filter takes', () => {
    for (const found of readRows(db))
      expect(readRows(db, { outcomes: [outcomeOf(found)] }).map(({ id }) => id)).toContain(found.id);
  });

  test.each([
    ['aaa1', ['aaa1']],
    ['aaa', ['aaa1', 'aaa2']],
    ['c5', ['ccc5']],
    ['%', []],
    ['b', ['bbb3', 'bbb4']],
  ])('decision %s', (given, ids) => {
    expect(findDecisions(db, given).map(({ id }) => id)).toEqual(ids);
  });

  test('sessions by their beginning', () => {
    expect(findSessions(db, 'o')).toEqual(['other']);
    expect(findSessions(db, '')).toEqual(['other', 's']);
    expect(findSessions(db, '_')).toEqual([]);
  });

  test('a row keeps its types, and a detail may be missing', () => {
    expect(readRows(db, { last: 1 })[0]).toMatchObject({ n: 5, seq: 4, changed: false, copy: false, replyBytes: 0 });
    expect(readDetail(db, 5)?.attempts).toBe(1);
    expect(readDetail(db, 99)).toBeUndefined();
  });
});

test('a copy finds the delivery it repeats, not another call of the same prompt', () => {
  const ledger = ledgerOf(1);
  const call = (id: string, agent?: string) =>
    detail({ event: { tool: { id, paths: [], edits: [] }, ...(agent ? { subagent: { id: agent } } : {}) } });
  const prompt = (text: string) => detail({ event: { promptId: 'one', prompt: { text } } });
  ledger.record(row({ id: 'first' }), call('t1'), false);
  ledger.record(row({ id: 'sub' }), call('t1', 'worker'), false);
  ledger.record(row({ id: 'second' }), call('t2'), false);
  ledger.record(row({ id: 'typed', event: 'prompt.submit' }), prompt('do it'), false);
  ledger.record(row({ id: 'notice', event: 'prompt.submit' }), prompt('done'), false);
  ledger.record(row({ id: 'copy1', copy: true }), call('t1'), false);
  ledger.record(row({ id: 'copy2', copy: true, event: 'prompt.submit' }), prompt('do it'), false);
  ledger.flush();
  const originals = readRows(db)
    .slice(-2)
    .map((copy) => findOriginal(db, copy)?.id);
  expect(originals).toEqual(['first', 'typed']);
});

describe('gaps', () => {
  const fill = (ledger: ReturnType<typeof ledgerOf>, count: number) => {
    for (let at = 0; at < count; at += 1) ledger.record(row(), detail(), false);
  };

  test('an engine that ended in order leaves none', () => {
    for (const blockSize of [1, 64]) {
      const ledger = ledgerOf(blockSize);
      fill(ledger, 70);
      ledger.close();
    }
    expect(findGaps(db)).toEqual([]);
  });

  test('a killed engine leaves the numbers it held', () => {
    const killed = ledgerOf(64);
    fill(killed, 3);
    killed.flush();
    fill(killed, 2); // never written
    const next = ledgerOf(1);
    fill(next, 1);
    next.close();
    expect(findGaps(db)).toMatchObject([{ session: 's', missing: 61, ranges: [[4, 64]], lastAt: 1_000 }]);
  });

  test('rotation is no gap, but a gap above it is', () => {
    const ledger = createSqliteLedger(db, {
      blockSize: 1,
      random: () => 0,
      retention: () => ({ days: 1, rows: 5, bodies: 10 }),
    });
    for (let at = 0; at < 9; at += 1) ledger.record(row({ at: 10 }), detail(), false);
    ledger.flush();
    ledger.rotate(11);
    expect(findGaps(db)).toEqual([]);
    db.exec('DELETE FROM events WHERE seq = 7');
    expect(findGaps(db)).toMatchObject([{ ranges: [[7, 7]], missing: 1 }]);
  });
});

describe('statistics', () => {
  test('counts what each rule did, said and cost', () => {
    const ledger = ledgerOf(1);
    const said = (micros: number) =>
      ({
        rule: 'p/a',
        tier: 3,
        reason: 'note',
        mode: 'advise',
        micros,
        verdicts: [{ kind: 'note', text: 'x' }],
      }) as const;
    const stopped = { rule: 'p/a', tier: 2, reason: 'spoke once', mode: 'advise' } as const;
    const failed = { rule: 'p/b', tier: 3, reason: 'boom', mode: 'enforce', micros: 1, failed: true } as const;
    const long = 'y'.repeat(2_500);
    ledger.record(
      row({ chars: 2_500, rules: 'p/a', tier: 3 }),
      detail({
        event: { tool: { kind: 'shell', paths: [], edits: [] } },
        trace: [said(100), failed],
        decision: { ...NEUTRAL, notes: [{ rule: 'p/a', text: long, priority: 1 }] },
      }),
      false,
    );
    ledger.record(
      row({ action: 'deny', rules: 'p/b,p/c', chars: 10, tier: 3 }),
      detail({
        event: { tool: { kind: 'shell', paths: [], edits: [] } },
        trace: [stopped, said(300)],
        decision: { ...NEUTRAL, action: 'deny', by: ['p/b', 'p/c'], reason: '0123456789' },
      }),
      false,
    );
    ledger.record(
      row({ copy: true, micros: 90 }),
      detail({ event: { tool: { kind: 'shell', paths: [], edits: [] } } }),
      false,
    );
    ledger.record(row({ session: 'elsewhere' }), detail(), false);
    ledger.flush();
    expect(readRuleCounts(db, { session: 's' })).toEqual([
      {
        rule: 'p/a',
        fires: 2,
        denies: 0,
        asks: 0,
        notes: 1,
        chars: 2_500,
        failures: 0,
        tier2: 1,
        tier3: 2,
        micros: { p50: 100, p95: 300, p99: 300 },
      },
      {
        rule: 'p/b',
        fires: 0,
        denies: 1,
        asks: 0,
        notes: 0,
        chars: 5,
        failures: 1,
        tier2: 0,
        tier3: 1,
        micros: { p50: 1, p95: 1, p99: 1 },
      },
      { rule: 'p/c', fires: 0, denies: 1, asks: 0, notes: 0, chars: 5, failures: 0, tier2: 0, tier3: 0 },
    ]);
    expect(readTotals(db, { session: 's' })).toEqual({
      events: 3,
      neutral: 1,
      denies: 1,
      asks: 0,
      saves: 0,
      rewrites: 0,
      notes: 1,
      chars: 2_510,
      copies: 1,
      micros: { p50: 10, p95: 90, p99: 90 },
    });
    expect(readEventCounts(db, { session: 's' })).toEqual([
      { event: 'tool.before', tool: 'T', root: '/p', kind: 'shell', count: 2 },
    ]);
  });

  test('percentiles are values that occurred', () => {
    const hundred = Array.from({ length: 100 }, (_, at) => at + 1);
    expect(percentilesOf(hundred)).toEqual({ p50: 50, p95: 95, p99: 99 });
    expect(percentilesOf([7])).toEqual({ p50: 7, p95: 7, p99: 7 });
    expect(percentilesOf([])).toEqual({ p50: 0, p95: 0, p99: 0 });
  });

  test('the same failure counts as one', () => {
    const failure = (at: number, message: string) => ({ at, what: 'reading', message });
    expect(groupFailures([failure(1, 'old'), failure(5, 'a'), failure(6, 'b'), failure(7, 'b')], 5)).toEqual([
      { what: 'reading: b', count: 2, last: 7 },
      { what: 'reading: a', count: 1, last: 5 },
    ]);
  });
});

test('a question that was answered yes is no stop', () => {
  const ledger = ledgerOf(64);
  const call = (id: string): Partial<LedgerDetail> => ({
    event: { tool: { id, name: 'T', kind: 'other', paths: [], edits: [], input: {} } },
  });
  const asked = (id: string, action: LedgerRow['action'] = 'ask') =>
    ledger.record(row({ id: `d-${id}`, action, rules: 'p/r', replyBytes: 5 }), detail(call(id)), false);
  for (const id of ['yes', 'no', 'open', 'ran']) asked(id);
  asked('stopped', 'deny');
  ledger.record(row({ id: 'after', event: 'tool.after' }), detail(call('ran')), false);
  ledger.flush();
  expect(db.prepare('SELECT call FROM fates ORDER BY n').all()).toEqual(
    ['yes', 'no', 'open', 'ran', 'stopped'].map((id) => ({ call: id })),
  );
  for (const [id, fate] of [
    ['yes', 'allowed'],
    ['no', 'refused'],
    ['stopped', 'denied'],
  ] as const)
    db.prepare('UPDATE fates SET fate = ? WHERE call = ?').run(fate, id);
  expect(countStopped(db, '/p', 0)).toBe(3);
});
