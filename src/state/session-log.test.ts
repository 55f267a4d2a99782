import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { nodeFiles } from '../platform/files.ts';
import { appendToLog, loggedSessions, logPath, pruneLogs, readLog } from './session-log.ts';
import type { LoggedLine } from './session-log.ts';

let state: string;
beforeEach(() => {
  state = mkdtempSync(join(tmpdir(), 'fairlead-log-'));
});
afterEach(() => rmSync(state, { recursive: true }));

const line = (prompt: number): LoggedLine => ({
  ts: '2026-03-10T10:00:00.000Z',
  prompt,
  tokens: 10,
  pct: 1,
  window: 200_000,
  event: 'silent',
});

it('gives every session a file of its own in one directory', () => {
  const name = (session: string) => logPath(state, session).toLowerCase();
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (one, other) => {
      expect(dirname(logPath(state, one))).toBe(join(state, 'sessions'));
      expect(name(one) === name(other)).toBe(one === other);
    }),
  );
  for (const [one, other] of [
    ['ABCDEFGH', 'abcdefgh'],
    ['con', 'CON'],
    ['a/b', 'a\\b'],
    ['', '.'],
  ] as const)
    expect(name(one)).not.toBe(name(other));
});

it('keeps lines in order, and what a killed process left of one does no harm', () => {
  expect(readLog(nodeFiles, state, 's')).toBeUndefined();
  appendToLog(nodeFiles, state, 's', line(1));
  nodeFiles.append(logPath(state, 's'), '{"ts":\n');
  appendToLog(nodeFiles, state, 's', line(2));
  expect(readLog(nodeFiles, state, 's')).toEqual([line(1), line(2)]);
  expect(statSync(logPath(state, 's')).mode & 0o777).toBe(0o600);
});

it('does not grow for ever, and keeps the newest', () => {
  const path = logPath(state, 'long-session');
  appendToLog(nodeFiles, state, 'long-session', line(0));
  writeFileSync(path, `${JSON.stringify(line(1))}\n`.repeat(4_000));
  appendToLog(nodeFiles, state, 'long-session', line(2));
  expect(readFileSync(path).length).toBeLessThan(256 * 1024);
  expect(readLog(nodeFiles, state, 'long-session')?.at(-1)).toEqual(line(2));
  expect(readdirSync(dirname(path))).toEqual(['long-session.jsonl']);
});

it('deletes what nothing was added to, whatever the id', () => {
  const sessions = ['0b8e8c1e-7d0f-4a57-9b36-0d3b2f4d2a11', 'not a UUID', '../x'];
  for (const session of [...sessions, 'new-session']) appendToLog(nodeFiles, state, session, line(1));
  for (const session of sessions) utimesSync(logPath(state, session), 1_000, 1_000);
  expect(pruneLogs(nodeFiles, state, 1_000_000)).toBe(0);
  expect(pruneLogs(nodeFiles, state, 1_000_001)).toBe(3);
  expect(loggedSessions(nodeFiles, state)).toEqual(['new-session']);
});
