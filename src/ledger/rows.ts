import { createFateOpener, FATE_SCHEMA } from './fates.ts';
import { createHeedWriter, HEED_SCHEMA } from './heeds.ts';
import { countLost, followDeleted, OUTBOX_SCHEMA } from './outbox.ts';
import { createOutboxSums } from './outbox-sums.ts';
import { createRuleDays, rotateRuleDays, RULE_DAY_SCHEMA } from './rule-days.ts';
import { createRuleMarks, rotateRuleMarks, RULE_MARK_SCHEMA } from './rule-marks.ts';
import { beginShadowStops, createShadowStops, SHADOW_STOP_SCHEMA } from './shadow-stops.ts';
import { beginSessionSums, createSessionSums, rotateSessionSums, SESSION_SUM_SCHEMA } from './session-sums.ts';
import { cutTexts, MARGIN, mayHoldSecret, redactAnswer, redactValue } from './redact.ts';
import { coverSecretFiles, hideTexts } from './secret-files.ts';
import type { LedgerDetail, LedgerRow, StageTimes } from '../event/ledger-row.ts';
import type { Event } from '../event/event.ts';
import type { Decision } from '../event/verdict.ts';
import type { Database } from '../platform/database.ts';

export const ROW_SCHEMA =
  `
CREATE TABLE IF NOT EXISTS events (
  n INTEGER PRIMARY KEY, id TEXT NOT NULL, session TEXT NOT NULL, seq INTEGER NOT NULL, at INTEGER NOT NULL,
  agent TEXT NOT NULL, event TEXT NOT NULL, tool TEXT NOT NULL, root TEXT NOT NULL, action TEXT NOT NULL, rules TEXT NOT NULL,
  chars INTEGER NOT NULL, reply_bytes INTEGER NOT NULL, micros REAL NOT NULL, tier INTEGER NOT NULL, digest TEXT NOT NULL,
  changed INTEGER NOT NULL, copy INTEGER NOT NULL, delivery TEXT, answer TEXT
);
CREATE TABLE IF NOT EXISTS details (n INTEGER PRIMARY KEY, body TEXT NOT NULL);` + FATE_SCHEMA;

/** What rows sum up to; made before the first flush, since an event need not look for it before its reply. */
export const SUM_SCHEMA = `${HEED_SCHEMA}${RULE_DAY_SCHEMA}${RULE_MARK_SCHEMA}${SESSION_SUM_SCHEMA}${SHADOW_STOP_SCHEMA}${OUTBOX_SCHEMA}
CREATE INDEX IF NOT EXISTS stopped ON events (n) WHERE action IN ('deny', 'ask');`;

/** Characters kept of each text of a neutral event. */
const NEUTRAL_BODY = 300;

export interface Rows {
  /** Returns the number of the row. */
  put(row: LedgerRow, seq: number): number;
  /** Texts are cut to `bodies`; `stored`: the row was written inside the commit, whose time it could not know. */
  putDetail(n: number, row: LedgerRow, detail: LedgerDetail, how: { bodies: number; stored: boolean }): void;
  /** Makes what details need, outside of any transaction: one that failed would take it along. */
  ready(): void;
  /** Puts details and, at their end, what they sum up to. */
  batch(putAll: () => void): void;
}

/** Writes rows and their details, inside a transaction. */
export function createRowWriter(db: Database, keepsBodies: () => boolean): Rows {
  const insert = db.prepare(
    `INSERT INTO events (id, session, seq, at, agent, event, tool, root, action, rules, chars, reply_bytes, micros, tier, digest, changed, copy, delivery, answer)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  /** Most rows are neutral, and most of what such a row holds is the same in all of them. */
  const insertNeutral = db.prepare(
    `INSERT INTO events (id, session, seq, at, agent, event, tool, root, action, rules, chars, reply_bytes, micros, tier, digest, changed, copy)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, 'pass', '', 0, 0, ?, ?, ?, 0, 0)`,
  );
  const setMicros = db.prepare('UPDATE events SET micros = ? WHERE n = ?');
  const insertDetail = db.prepare('INSERT OR REPLACE INTO details (n, body) VALUES (?, ?)');
  const openFate = createFateOpener(db);
  const putHeeds = createHeedWriter(db);
  const ruleDays = createRuleDays(db);
  const ruleMarks = createRuleMarks(db);
  const sessions = createSessionSums(db);
  const putShadowStop = createShadowStops(db);
  const leaving = createOutboxSums(db);
  let isReady = false;

  function putNeutral(row: LedgerRow, seq: number): number {
    const { id, session, at, agent, event, tool, root, micros, tier, digest } = row;
    return Number(
      insertNeutral.run(id, session, seq, at, agent, event, tool, root, micros, tier, digest).lastInsertRowid,
    );
  }

  function put(row: LedgerRow, seq: number): number {
    if (isNeutral(row) && row.replyBytes === 0 && !row.copy) return putNeutral(row, seq);
    // A pass has no words of its own.
    const isSaid = row.answer !== undefined && row.action !== 'pass';
    const answer = isSaid ? redactAnswer(row.answer, keepsBodies()) : row.answer;
    return Number(
      insert.run(
        row.id,
        row.session,
        seq,
        row.at,
        row.agent,
        row.event,
        row.tool,
        row.root,
        row.action,
        row.rules,
        row.chars,
        row.replyBytes,
        row.micros,
        row.tier,
        row.digest,
        Number(row.changed),
        Number(row.copy),
        answer === undefined ? null : (row.delivery ?? null),
        answer ?? null,
      ).lastInsertRowid,
    );
  }

  return {
    put,
    ready() {
      if (isReady) return;
      beginSessionSums(db);
      beginShadowStops(db);
      db.exec(SUM_SCHEMA);
      isReady = true;
    },
    putDetail(n, row, detail, { bodies, stored }) {
      insertDetail.run(n, bodyOf(detail, row, bodies));
      openFate(n, row, detail.event as Event);
      if (detail.heeds) putHeeds(n, detail.heeds);
      putShadowStop(n, row, detail);
      ruleDays.count(row, detail);
      ruleMarks.count(row, detail);
      const micros = stored ? totalOf(detail.times) : row.micros;
      sessions.count(n, row, detail, micros);
      leaving.count(row, detail, micros);
      if (stored) setMicros.run(micros, n);
    },
    batch(putAll) {
      // What a batch that failed had counted is counted again with it.
      for (const sums of [ruleDays, ruleMarks, sessions, leaving]) sums.drop();
      putAll();
      for (const sums of [ruleDays, ruleMarks, sessions, leaving]) sums.write();
    },
  };
}

/** Deletes what is over age or over number; returns how many rows went. */
export function rotateRows(db: Database, before: number, rows: number): number {
  const oldest = db.prepare('SELECT n FROM events ORDER BY n DESC LIMIT 1 OFFSET ?').get(rows) as
    | { n: number }
    | undefined;
  countLost(db, oldest?.n ?? 0, before);
  const removed = Number(db.prepare('DELETE FROM events WHERE n <= ? OR at < ?').run(oldest?.n ?? 0, before).changes);
  followDeleted(db);
  rotateRuleDays(db, before);
  rotateRuleMarks(db, before);
  if (removed === 0) return 0;
  rotateSessionSums(db);
  db.exec(`${HEED_SCHEMA}${SHADOW_STOP_SCHEMA}
             DELETE FROM details WHERE n NOT IN (SELECT n FROM events);
             DELETE FROM fates WHERE n NOT IN (SELECT n FROM events);
             DELETE FROM heeds WHERE n NOT IN (SELECT n FROM events);
             DELETE FROM shadow_stops WHERE n NOT IN (SELECT n FROM events);
             DELETE FROM sequences WHERE session NOT IN (SELECT session FROM events);
             DELETE FROM released WHERE session NOT IN (SELECT session FROM sequences);`);
  return removed;
}

/** Takes a session out that nobody worked in. */
export function forgetSession(db: Database, session: string): void {
  db.exec(SUM_SCHEMA);
  for (const table of ['details', 'heeds', 'shadow_stops'])
    db.prepare(`DELETE FROM ${table} WHERE n IN (SELECT n FROM events WHERE session = ?)`).run(session);
  for (const table of ['events', 'fates', 'sequences', 'released', 'session_sums'])
    db.prepare(`DELETE FROM ${table} WHERE session = ?`).run(session);
  followDeleted(db);
}

function bodyOf(detail: LedgerDetail, row: LedgerRow, bodies: number): string {
  const { times, attempts, unread, isTrial, traceparent, team } = detail;
  const about = {
    ...{ times: rounded(times), attempts },
    ...(unread === true ? { unread } : {}),
    ...(isTrial && { isTrial }),
    ...(traceparent !== undefined && { traceparent }),
    ...(team && { team }),
  };
  if (bodies === 0) return JSON.stringify({ ...withoutBodies(detail), ...about });
  // Nobody asks for the whole text of what changed nothing, and there is far more of it.
  const neutral = isNeutral(row);
  const length = neutral ? Math.min(bodies, NEUTRAL_BODY) : bodies;
  const { event, hidden } = coverSecretFiles(detail.event as Event, length + MARGIN);
  const trace = hideTexts(detail.trace, hidden) as LedgerDetail['trace'];
  const decision = hideTexts(detail.decision, hidden);
  const parts = [
    `"event":${cleanText(event, length)}`,
    ...(trace.length > 0 ? [`"trace":${cleanTrace(trace, length)}`] : []),
    ...(neutral ? [] : [`"decision":${cleanText(decision, length)}`]),
    JSON.stringify(about).slice(1, -1),
  ];
  return `{${parts.join(',')}}`;
}

/** Most parts name nothing secret: they are done with after one look at the whole of each. */
function cleanText(value: unknown, length: number): string {
  const text = JSON.stringify(cutTexts(value, length));
  return mayHoldSecret(text) ? JSON.stringify(redactValue(value, length)) : text;
}

/** All of it at one look; where that finds something, each rule's part by itself. */
function cleanTrace(trace: LedgerDetail['trace'], length: number): string {
  const text = JSON.stringify(trace.map((entry) => cutTexts(entry, length)));
  return mayHoldSecret(text) ? `[${trace.map((entry) => cleanText(entry, length)).join(',')}]` : text;
}

/** What happened and what was decided, without any text that came or went. */
function withoutBodies(detail: LedgerDetail): Pick<LedgerDetail, 'event' | 'trace' | 'decision'> {
  const { name, agent, agentEvent, session, hasSession, subagent, cwd, promptId, tool, depth, receivedAt } =
    detail.event as Event;
  const call = tool && {
    kind: tool.kind,
    name: tool.name,
    id: tool.id,
    input: {},
    hasInput: false,
    paths: [],
    edits: [],
  };
  const { action = 'pass', by = [], notes = [], warns = [] } = detail.decision as Partial<Decision>;
  const bare = ({ rule, variant }: { readonly rule: string; readonly variant?: string }) => ({
    rule,
    variant,
    text: '',
  });
  return {
    event: { name, agent, agentEvent, session, hasSession, subagent, cwd, promptId, tool: call, depth, receivedAt },
    trace: detail.trace.map(({ verdicts, reason, failed, ...entry }) => ({
      ...entry,
      ...(failed === undefined ? {} : { failed }),
      reason: failed === true ? 'failed' : reason,
      ...(verdicts && {
        verdicts: verdicts.map(({ kind, variant }) => ({ kind, ...(variant !== undefined && { variant }) })),
      }),
    })),
    decision: { action, by, notes: notes.map(bare), warns: warns.map(bare) },
  };
}

function isNeutral({ action, rules, changed }: LedgerRow): boolean {
  return action === 'pass' && rules === '' && !changed;
}

/** To tenths of a microsecond: what is finer is noise, and long to write. */
function rounded(times: StageTimes): StageTimes {
  const round = (micros: number) => Math.round(micros * 10) / 10;
  const { parse, workspace, effects = 0, select, rules, render, commit } = times;
  return {
    parse: round(parse),
    workspace: round(workspace),
    ...(effects > 0 && { effects: round(effects) }),
    select: round(select),
    rules: round(rules),
    render: round(render),
    commit: round(commit),
  };
}

function totalOf(times: StageTimes): number {
  return Object.values(times).reduce((sum: number, micros: number) => sum + micros, 0);
}
