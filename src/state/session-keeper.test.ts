import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { FollowUp } from '../event/follow-up.ts';
import type { Seen } from '../engine/engine.ts';
import { nodeFiles } from '../platform/files.ts';
import { createSessionKeeper } from './session-keeper.ts';
import { cellId } from './cells.ts';
import { createMemoryStore } from './memory.ts';
import { logPath, readLog } from './session-log.ts';

const NOW = Date.parse('2026-03-10T10:00:00Z');
const DAY = 86_400_000;

let state: string;
beforeEach(() => {
  state = mkdtempSync(join(tmpdir(), 'fairlead-keeper-'));
});
afterEach(() => rmSync(state, { recursive: true }));

const STATS: FollowUp = {
  kind: 'stats',
  session: 's1',
  line: { prompt: 3, tokens: 4_200, pct: 2, window: 200_000, model: 'm', event: 'silent' },
};

function keeper({ isOff = false }: { readonly isOff?: boolean } = {}) {
  const store = createMemoryStore();
  const failures: string[] = [];
  const after: (() => void)[] = [];
  const { see, flush } = createSessionKeeper({
    store,
    files: nodeFiles,
    state,
    now: () => NOW,
    usualDays: () => 7,
    isOff: () => isOff,
    onFailure: (what) => void failures.push(what),
    afterReply: (work) => void after.push(work),
  });
  const take = (...followUps: readonly FollowUp[]) => see({ event: { receivedAt: NOW }, followUps } as unknown as Seen);
  return { store, failures, after, take, flush };
}

it('writes nothing before the reply, and then all of it', () => {
  const { take, after } = keeper();
  take(STATS);
  take(STATS, { kind: 'prune', days: 7 });
  expect(readLog(nodeFiles, state, 's1')).toBeUndefined();
  expect(after).toHaveLength(1);
  after[0]?.();
  const line = {
    ts: '2026-03-10T10:00:00.000Z',
    prompt: 3,
    tokens: 4_200,
    pct: 2,
    window: 200_000,
    model: 'm',
    event: 'silent',
  };
  expect(readLog(nodeFiles, state, 's1')).toEqual([line, line]);
  take(STATS);
  expect(after, 'asked for again').toHaveLength(2);
});

it('reports what cannot be written, and goes on', () => {
  writeFileSync(join(state, 'sessions'), 'in the way');
  const { store, take, flush, failures } = keeper();
  const id = cellId('session', 'old', 'x');
  store.commit({ reads: new Map(), changes: [{ op: 'set', id, value: '1', expires: 0 }], now: NOW - 8 * DAY });
  take(STATS, { kind: 'prune', days: undefined });
  flush();
  expect(failures).toEqual(['writing the stats of a session']);
  expect(store.get(id, NOW)).toBeUndefined();
});

it('does nothing while the kill switch is on', () => {
  const { take, flush } = keeper({ isOff: true });
  take(STATS);
  flush();
  expect(readLog(nodeFiles, state, 's1')).toBeUndefined();
});

it.each<[number | undefined, readonly string[]]>([
  [3, ['new']],
  [undefined, ['new', 'middling']],
  [0, ['new', 'middling']],
  [-1, ['new', 'middling']],
  [Number.NaN, ['new', 'middling']],
  [30, ['new', 'middling', 'old']],
])('with %s days leaves %j', (days, left) => {
  const { store, take, flush } = keeper();
  const ages = { new: 1, middling: 5, old: 8 };
  for (const [session, age] of Object.entries(ages)) {
    const at = NOW - age * DAY;
    const change = { op: 'set', id: cellId('session', session, 'x'), value: '1', expires: 0 } as const;
    store.commit({ reads: new Map(), changes: [change], now: at });
    nodeFiles.makeDir(join(state, 'sessions'), 0o700);
    writeFileSync(logPath(state, session), '');
    utimesSync(logPath(state, session), at / 1_000, at / 1_000);
  }
  take({ kind: 'prune', days });
  flush();
  const sessions = Object.keys(ages);
  expect(sessions.filter((each) => store.get(cellId('session', each, 'x'), NOW) !== undefined)).toEqual(left);
  expect(sessions.filter((each) => nodeFiles.exists(logPath(state, each)))).toEqual(left);
});
