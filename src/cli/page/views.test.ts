import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readRuleMarks } from '../../ledger/rule-marks.ts';
import { readSessionSums } from '../../ledger/session-sums.ts';
import { readRuleCounts, readSessions } from '../../ledger/stats.ts';
import { databaseOf } from '../database.ts';
import { createStage } from '../played.fixture.ts';
import type { Stage } from '../played.fixture.ts';
import type { FakeWorld } from '../world.fixture.ts';
import { stopsBefore, timelineOf } from './rows.ts';
import type { DecisionDetail, Now, RuleDetail, Rules, Session, Sessions, Stops } from './shapes.ts';
import { createViews } from './views.ts';

const SESSIONS = ['heavy-parcel', 'code-search', 'diagrams', 'increments', 'compacted'];
let stage: Stage;
let world: FakeWorld;

beforeAll(async () => {
  stage = createStage();
  // The last one goes on.
  for (const name of SESSIONS) await stage.play(stage.calls(name).slice(0, name === SESSIONS.at(-1) ? -1 : undefined));
  world = stage.world();
});
afterAll(() => stage.remove());

const db = () => databaseOf(world);
async function view<T>(name: string, query: Readonly<Record<string, string>> = {}): Promise<T> {
  return (await createViews(world).answer(name, (key) => query[key])) as T;
}

describe('what is kept of rows', () => {
  it('is what reading them all would tell of sessions', () => {
    const kept = readSessionSums(db(), { most: 100 });
    const read = readSessions(db(), { since: 0 });
    expect(kept.length).toBe(read.length);
    const span = db().prepare('SELECT min(n) AS first_n, max(n) AS last_n FROM events WHERE session = ?');
    for (const { session } of read)
      expect(kept.find((one) => one.session === session)).toMatchObject(span.get(session) as object);
    for (const { session, first, last, events, denies, asks, chars } of read)
      expect(kept.find((one) => one.session === session)).toMatchObject({ first, last, events, denies, asks, chars });
  });

  it('is what reading them all would tell of rules', () => {
    const kept = readRuleMarks(db(), 0);
    for (const { rule, denies, asks, notes, failures, micros } of readRuleCounts(db(), { since: 0 })) {
      const mark = kept.get(rule);
      expect({ rule, ...mark }).toMatchObject({ rule, deny: denies, ask: asks, note: notes, failed: failures });
      // In steps of a half octave.
      if (micros && micros.p50 > 8)
        expect((mark?.p50 ?? 0) / micros.p50).toSatisfy((ratio: number) => ratio > 0.6 && ratio < 1.7);
    }
  });
});

describe('the views', () => {
  it('tell all stops, page by page, each once', () => {
    const all = stopsBefore(db(), {}, world.userHome, 1_000).stops;
    expect(all.length).toBeGreaterThan(2);
    const paged: string[] = [];
    for (let before: number | undefined; ;) {
      const page = stopsBefore(db(), before === undefined ? {} : { before }, world.userHome, 2);
      paged.push(...page.stops.map(({ id }) => id));
      if (page.next === undefined) break;
      before = page.next;
    }
    expect(paged).toEqual(all.map(({ id }) => id));
    expect(all.every(({ what, rules }) => what !== '' && rules.length > 0)).toBe(true);
  });

  it('find a page of stops by their index', () => {
    const plan = db()
      .prepare(
        `EXPLAIN QUERY PLAN SELECT n FROM events WHERE action IN ('deny', 'ask') AND copy = 0 AND events.n < 9 ORDER BY n DESC`,
      )
      .all() as { detail: string }[];
    expect(plan.map(({ detail }) => detail).join('\n')).toContain('USING INDEX stopped');
  });

  it('tell what goes on', async () => {
    const { live, stops, days } = await view<Now>('now');
    expect(live.length).toBeGreaterThan(0);
    expect(live[0]?.doing).not.toBe('');
    expect(stops.length).toBeGreaterThan(0);
    expect(days.at(-1)?.events).toBeGreaterThan(100);
  });

  it('tell of a session all of its rows', async () => {
    const { sessions } = await view<Sessions>('sessions');
    for (const { session, events } of sessions) {
      const { rows, line } = await view<Session>('session', { id: session });
      expect([line.events, rows.length]).toEqual([events, Math.min(events, 200)]);
    }
    expect(timelineOf(db(), 'nobody', undefined, world.userHome)).toBeUndefined();
  });

  it('tell of rules what they did and what they say', async () => {
    const { rules } = await view<Rules>('rules');
    const spoke = rules.filter(({ fires }) => fires > 0);
    expect(spoke.length).toBeGreaterThan(2);
    expect(spoke.every(({ fireDays, fires }) => fireDays.reduce((sum, count) => sum + count, 0) === fires)).toBe(true);
    const { messages, examples } = await view<RuleDetail>('rule', { id: 'guard/git' });
    expect(messages.length).toBeGreaterThan(0);
    expect(examples.length).toBeGreaterThan(0);
  });

  it('offer no way past what was let through, and none to loosen what holds catastrophes', async () => {
    const { stops } = await view<Stops>('stops');
    expect(stops.filter(({ passed }) => passed).map(({ action }) => action)).toEqual(['ask']);
    for (const { rules, milder } of stops)
      expect(milder).toBe(rules.find((rule) => !['guard/catastrophe', 'increments/completion-guard'].includes(rule)));
    expect(stops.filter(({ milder }) => milder === undefined)).not.toEqual([]);
    expect(await view<RuleDetail>('rule', { id: 'guard/catastrophe' })).toMatchObject({ mayLoosen: false });
    expect(await view<RuleDetail>('rule', { id: 'guard/git' })).toMatchObject({ mayLoosen: true });
  });

  it('explain a decision as the verb does', async () => {
    const { stops } = await view<Stops>('stops');
    for (const { id, rules, reason, action } of stops) {
      const told = await view<DecisionDetail>('decision', { id });
      expect(told).toMatchObject({ id, action, by: rules, reason });
      const decided = told.rules.find(({ rule }) => rule === rules[0]);
      expect(decided).toMatchObject({ tier: 3, failed: false });
      expect(decided?.verdicts.some(({ kind, change }) => kind === action || change.includes(action))).toBe(true);
      expect(told.stages.reduce((sum, { micros }) => sum + micros, 0)).toBeGreaterThan(0);
    }
    const command = stops.find(({ what }) => what.includes('git'));
    const told = await view<DecisionDetail>('decision', { id: command?.id ?? '' });
    expect(told.about).toContainEqual({ label: 'command', text: command?.what });
    expect(told.reading[0]?.text).toContain('git');
    expect(told.effects.length).toBeGreaterThan(0);
    await expect(view('decision', { id: 'none' })).rejects.toThrow('no decision');
  });

  it('run no verb that changes anything', async () => {
    expect(await view('uninstall')).toBeUndefined();
    expect(await view('constructor')).toBeUndefined();
  });
});
