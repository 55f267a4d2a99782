import type { Event } from '../../event/event.ts';
import type { LedgerDetail } from '../../event/ledger-row.ts';
import type { Decision } from '../../event/verdict.ts';
import { FATE_WORDS, readFates } from '../../ledger/fates.ts';
import { requireJudgements } from '../../ledger/judgements.ts';
import { hasTable } from '../../ledger/has-table.ts';
import { ANSWERED_YES, outcomeOf, readDetail, readRows } from '../../ledger/read.ts';
import type { StoredRow } from '../../ledger/read.ts';
import { wouldStop } from '../../ledger/shadow-stops.ts';
import { readSessionSum, readSessionSums } from '../../ledger/session-sums.ts';
import type { SessionSum } from '../../ledger/session-sums.ts';
import type { Database } from '../../platform/database.ts';
import { mayLoosen } from '../mode-step.ts';
import { printable } from '../table.ts';
import { describeHeed, toldHeeds } from '../told-heeds.ts';
import { whatHappened } from '../what-happened.ts';
import type { Session, SessionLine, Sessions, StopLine, Stops, TimelineRow } from './shapes.ts';

const LONGEST = 1_000;
const TAIL = 300;
const STOPS_PER_PAGE = 50;
const SESSIONS_PER_PAGE = 50;
const ROWS_PER_PAGE = 200;

/** Which rule says it stands beside it anyway. */
export const withoutTag = (text: string): string => text.replace(/^\[[\w/-]+\] /, '');
/** As a terminal would show it: nothing turns around or hides what follows. Of a long text the end counts, too. */
export const shownAs = (text: string): string => {
  const cut = text.length > LONGEST ? `${text.slice(0, LONGEST - TAIL)} … ${text.slice(-TAIL)}` : text;
  return printable(cut);
};

export interface StopQuery {
  readonly before?: number;
  readonly rule?: string;
  /** `shadow`: what rules in shadow would have stopped. */
  readonly action?: string;
}

interface FoundStop {
  readonly n: number;
  readonly id: string;
  readonly at: number;
  readonly session: string;
  readonly agent: string;
  readonly root: string;
  readonly action: string;
  readonly body: string | null;
  readonly judgement: 'right' | 'wrong' | null;
  readonly passed?: 0 | 1;
}

/** The newest first, a page at a time, by the number of the row: however many there are, a page is found at once. */
export function stopsBefore(db: Database, query: StopQuery, userHome: string, most = STOPS_PER_PAGE): Stops {
  requireJudgements(db);
  const { before = Number.MAX_SAFE_INTEGER, rule, action } = query;
  if (action === 'shadow') return shadowStopsBefore(db, before, rule, userHome, most);
  // As the index of stops is made, so that it is used.
  const tests = ["action IN ('deny', 'ask')", 'copy = 0', 'events.n < ?'];
  const values: (string | number)[] = [before];
  if (rule !== undefined) {
    tests.push(`instr(',' || events.rules || ',', ',' || ? || ',') > 0`);
    values.push(rule);
  }
  if (action !== undefined) {
    tests.push('action = ?');
    values.push(action);
  }
  const found = db
    .prepare(
      `SELECT events.n, events.id, events.at, events.session, agent, root, action, body, judgement, ${ANSWERED_YES} AS passed FROM events
       LEFT JOIN details ON details.n = events.n LEFT JOIN judgements ON judgements.id = events.id
       WHERE ${tests.join(' AND ')} ORDER BY events.n DESC LIMIT ?`,
    )
    .all(...values, most + 1) as FoundStop[];
  const page = found.slice(0, most);
  const fates = readFates(db, page);
  const stops = page.map((row) => stopOf(row, fates.get(row.n), userHome));
  return { stops, ...nextAfter(found, page) };
}

/** What rules in shadow would have stopped, likewise. Few rows are of that kind, so those of other rules are passed over. */
function shadowStopsBefore(
  db: Database,
  before: number,
  rule: string | undefined,
  userHome: string,
  most: number,
): Stops {
  if (!hasTable(db, 'shadow_stops')) return { stops: [] };
  const rows = db
    .prepare(
      `SELECT events.n, events.id, events.at, session, agent, root, action, body, judgement FROM shadow_stops
       JOIN events USING (n) JOIN details USING (n) LEFT JOIN judgements ON judgements.id = events.id
       WHERE shadow_stops.n < ? AND (? = '' OR instr(body, ?) > 0) ORDER BY shadow_stops.n DESC LIMIT ?`,
    )
    .all(before, rule ?? '', JSON.stringify(rule ?? ''), most + 1) as FoundStop[];
  const page = rows.slice(0, most);
  const stops = page
    .map((row) => stopOf(row, undefined, userHome))
    .filter((stop) => rule === undefined || stop.rules.includes(rule));
  return { stops, ...nextAfter(rows, page) };
}

function nextAfter(
  found: readonly { readonly n: number }[],
  page: readonly { readonly n: number }[],
): { readonly next?: number } {
  const last = page.at(-1);
  return found.length > page.length && last ? { next: last.n } : {};
}

function stopOf(
  { body, judgement, passed, ...row }: FoundStop,
  fate: keyof typeof FATE_WORDS | 'open' | undefined,
  userHome: string,
): StopLine {
  const { event = {}, decision = {}, trace = [] } = JSON.parse(body ?? '{}') as Partial<LedgerDetail>;
  const { by = [], reason = '' } = decision as Partial<Decision>;
  const isShadow = row.action !== 'deny' && row.action !== 'ask';
  const would = isShadow ? wouldStop(trace) : undefined;
  const rules = would?.rules ?? by;
  const milder = rules.find(mayLoosen);
  return {
    ...row,
    ...{ action: would?.action ?? (row.action as StopLine['action']), isShadow },
    root: shownAs(row.root),
    rules,
    passed: passed === 1,
    ...(milder !== undefined && { milder }),
    reason: shownAs(withoutTag(would?.reason ?? reason)),
    what: shownAs(whatHappened(event as Partial<Event>, { root: row.root, userHome })),
    ...(fate !== undefined && fate !== 'open' && { fate: FATE_WORDS[fate] }),
    ...(judgement !== null && { judgement }),
  };
}

export function lineOf({ first_n: _first, last_n: _last, ended, micros, ...sum }: SessionSum): SessionLine {
  return { ...sum, root: shownAs(sum.root), ended: ended === 1, ms: Math.round(micros / 100) / 10 };
}

/** `before`: the last event and the id of the session where the page before ended. */
export function sessionsBefore(db: Database, before: string | undefined): Sessions {
  const [last = '', ...session] = before?.split(' ') ?? [];
  const from = before === undefined ? {} : { before: { last: Number(last), session: session.join(' ') } };
  const found = readSessionSums(db, { ...from, most: SESSIONS_PER_PAGE + 1 });
  const page = found.slice(0, SESSIONS_PER_PAGE);
  const end = page.at(-1);
  const next = found.length > page.length && end ? { next: `${end.last} ${end.session}` } : {};
  return { sessions: page.map(lineOf), ...next };
}

/** A page of its rows, the newest first; undefined when there is no such session. */
export function timelineOf(
  db: Database,
  session: string,
  before: number | undefined,
  userHome: string,
): Pick<Session, 'line' | 'rows' | 'next'> | undefined {
  const sum = readSessionSum(db, session);
  if (!sum) return undefined;
  // All of its rows lie between these two, so the others are not looked at.
  const range = { after: sum.first_n - 1, before: Math.min(before ?? Number.MAX_SAFE_INTEGER, sum.last_n + 1) };
  const found = readRows(db, { session, ...range, last: ROWS_PER_PAGE + 1 }).toReversed();
  const page = found.slice(0, ROWS_PER_PAGE);
  const fates = readFates(db, page);
  const heeds = toldHeeds(db, page, userHome);
  const rows = page
    .map((row) => timelineRow(db, row, fates.get(row.n), userHome))
    .map((row) => ({
      ...row,
      heeds: (heeds.get(row.n) ?? []).map((heed) => shownAs(`${heed.rule}: ${describeHeed(heed)}`)),
    }));
  // Numbers say in which order rows were written; what came when says the clock.
  const inOrder = rows.toSorted((one, other) => other.at - one.at || other.n - one.n);
  return { line: lineOf(sum), rows: inOrder, ...nextAfter(found, page) };
}

function timelineRow(
  db: Database,
  row: StoredRow,
  fate: keyof typeof FATE_WORDS | 'open' | undefined,
  userHome: string,
): TimelineRow {
  const detail = readDetail(db, row.n);
  const event = (detail?.event ?? {}) as Partial<Event>;
  const { reason, notes = [], warns = [], kept } = (detail?.decision ?? {}) as Partial<Decision>;
  const said = [reason, ...notes.map(({ text }) => text), ...warns.map(({ text }) => text)];
  return {
    ...{ n: row.n, id: row.id, at: row.at, event: row.event, tool: shownAs(row.tool), micros: Math.round(row.micros) },
    what: shownAs(whatHappened(event, { root: row.root, userHome })),
    outcome: outcomeOf(row),
    rules: row.rules === '' ? [] : row.rules.split(','),
    said: said.filter((text) => text !== undefined && text !== '').map((text) => shownAs(withoutTag(text as string))),
    subagent: event.subagent !== undefined,
    heeds: [],
    ...(fate !== undefined && fate !== 'open' && { fate: FATE_WORDS[fate] }),
    ...(kept?.number !== undefined && { undo: kept.number }),
    ...(event.tool?.id !== undefined && { call: event.tool.id }),
  };
}
