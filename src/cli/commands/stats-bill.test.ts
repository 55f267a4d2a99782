import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Decision } from '../../event/verdict.ts';
import type { LedgerRow } from '../../event/ledger-row.ts';
import { databaseOf } from '../database.ts';
import { createStage } from '../played.fixture.ts';
import type { Stage } from '../played.fixture.ts';
import { CHARS_PER_TOKEN } from '../show-bill.ts';
import type { BillData } from '../show-bill.ts';
import { stats } from './stats.ts';

let stage: Stage;
beforeEach(() => {
  stage = createStage();
});
afterEach(() => stage.remove());

const bill = async (...argv: string[]) => (await stage.world().json(stats, '--bill', ...argv)) as unknown as BillData;
const ruleIn = ({ rules }: BillData, id: string) => rules.find(({ rule }) => rule === id);

/** What the model was given, by the decisions themselves. */
function charsOf({ action, reason = '', notes }: Decision): number {
  return notes.reduce((sum, { text }) => sum + text.length, action === 'ask' ? 0 : reason.length);
}

const SEARCH_RULE = 'codegraph/search-nudge';

/** Writes rows as an engine would; returns their numbers. */
function record(
  rows: readonly { event: string; command?: string; decision?: Partial<Decision>; session?: string }[],
): number[] {
  const world = stage.world();
  const { ledger } = world.engine();
  const at = Date.now();
  for (const { event, command, decision = {}, session = 's' } of rows) {
    const whole: Decision = { action: 'pass', by: [], notes: [], warns: [], ...decision };
    const rules = [...whole.by, ...whole.notes.map(({ rule }) => rule)].join(',');
    const chars = whole.notes.reduce((sum, { text }) => sum + text.length, whole.reason?.length ?? 0);
    const row: LedgerRow = {
      ...{ id: ledger.nextId(at), at, session, agent: 'some-agent', event, tool: 'Bash', root: stage.project },
      ...{ action: whole.action, rules, chars, replyBytes: chars, micros: 1_000, tier: 3, digest: '' },
      ...{ changed: false, copy: false },
    };
    const trace = [...whole.by, ...whole.notes.map(({ rule }) => rule)].map((rule) => ({
      ...{ rule, tier: 3, reason: '', mode: 'enforce', micros: 250 },
    })) as never;
    const tool = { kind: 'shell', name: 'Bash', input: {}, hasInput: true, paths: [], edits: [], command };
    const times = { parse: 0, workspace: 0, select: 0, rules: 0, commit: 0, render: 0 };
    ledger.record(row, () => ({ event: { name: event, tool }, trace, decision: whole, times, attempts: 1 }), false);
  }
  ledger.flush();
  const found = databaseOf(world).prepare('SELECT n FROM events ORDER BY n').all() as { n: number }[];
  return found.map(({ n }) => n);
}

const note = (rule: string, text: string, variant = 'again') => ({ rule, variant, text, priority: 50 });

describe('stats --bill', () => {
  it('bills a session for what its model was given and for the time it waited', async () => {
    const played = await stage.play(stage.calls('heavy-parcel'));
    const { total, events, sessions, rules, perSession, charsPerToken } = await bill();
    const given = played.reduce((sum, { detail }) => sum + (detail ? charsOf(detail.decision as Decision) : 0), 0);
    expect(given).toBeGreaterThan(500);
    expect(events).toBe(94);
    expect(charsPerToken).toBe(CHARS_PER_TOKEN);
    expect(total).toMatchObject({ chars: given, tokens: Math.round(given / CHARS_PER_TOKEN), lostTokens: 0 });
    expect(rules.reduce((sum, { chars }) => sum + chars, 0)).toBe(given);
    expect(sessions).toMatchObject([{ events: 94, chars: given, ms: total.ms }]);
    expect(perSession).toEqual({ tokens: total.tokens, ms: total.ms });
    // `npm test` failed three times, was spoken of, and passed after that.
    expect(total.cutShort).toBe(1);
    expect(rules.filter(({ cutShort }) => cutShort > 0).map(({ rule }) => rule)).toEqual(['basics/repeated-failure']);
    const inRules = rules.reduce((sum, { ms }) => sum + ms, 0);
    expect(inRules).toBeGreaterThan(0);
    expect(inRules).toBeLessThan(total.ms);
  });

  it('is of a session, a time or a rule, as the rest of stats is', async () => {
    await stage.play(stage.calls('heavy-parcel'));
    await stage.play(stage.calls('compacted'), { startAt: Date.now() - 7_200_000 });
    expect((await bill()).sessions).toHaveLength(2);
    expect((await bill('--since', '1h')).sessions).toHaveLength(1);
    expect((await bill('--session', '586f')).events).toBe(94);
    const only = await bill('--rule', 'repeated-failure');
    expect(only.rules.map(({ rule }) => rule)).toEqual(['basics/repeated-failure']);
    expect(only.total).toMatchObject({ chars: only.rules[0]?.chars, cutShort: 1 });
    await expect(stage.world().run(stats, 'guard', '--bill')).rejects.toThrow('--rule');
  });

  it('counts searches answered, and no note that answers none', async () => {
    record([
      { event: 'tool.before', decision: { notes: [note(SEARCH_RULE, 'x'.repeat(400), 'answer')] } },
      { event: 'tool.before', decision: { notes: [note(SEARCH_RULE, 'x'.repeat(40), 'nudge')] } },
      { event: 'tool.before', decision: { notes: [note('user/mine', 'x'.repeat(40), 'answer')] } },
    ]);
    const data = await bill();
    expect(ruleIn(data, SEARCH_RULE)).toMatchObject({ chars: 440, tokens: 110, answered: 1, ms: 0.5 });
    expect(data.total).toMatchObject({ chars: 480, answered: 1, ms: 3 });
  });

  it('counts a failure as cut short when the call failed before and not again, once the turn is over', async () => {
    const again = { notes: [note('user/mine', 'Look at it.'), note('user/other', 'So it is.')] };
    const failed = { event: 'tool.failed', command: 'make' };
    const rows = [
      { event: 'prompt.submit' },
      ...[failed, { ...failed, decision: again }, { event: 'tool.after', command: 'make' }],
      { ...failed, command: 'other' },
    ];
    record(rows);
    expect((await bill()).total.cutShort, 'while the turn lasts').toBe(0);
    record([{ event: 'turn.stop' }]);
    const counted = await bill();
    expect(counted.total.cutShort).toBe(1);
    expect(counted.rules.map(({ cutShort }) => cutShort)).toEqual([1, 1]);
    // Failed again after it, failed for the first time, failed before in another turn only, and went on failing when it was about to stop.
    record(
      rows
        .map((row) => ({ ...row, session: 'a' }))
        .concat([
          { ...failed, session: 'a' },
          { event: 'turn.stop', session: 'a' },
        ]),
    );
    record([{ ...failed, decision: again }, { event: 'turn.stop' }].map((row) => ({ ...row, session: 'b' })));
    record(
      [failed, { event: 'prompt.submit' }, { ...failed, decision: again }, { event: 'session.end' }].map((row) => ({
        ...row,
        session: 'c',
      })),
    );
    record(
      [failed, { ...failed, decision: again }, { event: 'turn.stop' }, failed, { event: 'turn.stop' }].map((row) => ({
        ...row,
        session: 'd',
      })),
    );
    const { total, sessions } = await bill();
    expect(total.cutShort).toBe(1);
    expect(sessions).toHaveLength(5);
  });

  it('leaves out what is for the person, and tells apart what did not reach the model', async () => {
    const reason = 'r'.repeat(100);
    const [, second] = record([
      { event: 'tool.before', decision: { action: 'ask', by: ['user/mine'], reason } },
      { event: 'tool.before', decision: { action: 'deny', by: ['user/mine', 'user/other'], reason } },
      { event: 'tool.before', decision: { notes: [note(SEARCH_RULE, 'x'.repeat(40), 'answer')] } },
    ]);
    expect((await bill()).total).toMatchObject({ chars: 140, lostTokens: 0, answered: 1 });
    const db = databaseOf(stage.world());
    db.exec(`UPDATE fates SET fate = CASE WHEN n = ${second} THEN 'denied' ELSE 'unseen' END`);
    const data = await bill();
    expect(data.total).toMatchObject({ chars: 100, lostTokens: 10, answered: 0 });
    expect(ruleIn(data, 'user/mine')).toMatchObject({ chars: 100 });
    expect(ruleIn(data, 'user/other')).toMatchObject({ chars: 0 });
  });

  it('counts characters also where no text is kept, and claims nothing that it cannot see', async () => {
    const dir = join(stage.home, '.fairlead/config');
    mkdirSync(dir, { recursive: true });
    writeFileSync(join(dir, 'config.yaml'), 'ledger:\n  bodies: off\n');
    const played = await stage.play(stage.calls('heavy-parcel'));
    const given = played.reduce((sum, { detail }) => sum + (detail ? charsOf(detail.decision as Decision) : 0), 0);
    expect((await bill()).total).toMatchObject({ chars: given, cutShort: 0 });
  });

  it('says in words that it is an estimate, and how long and how much per session', async () => {
    record([
      { event: 'tool.before', decision: { notes: [note(SEARCH_RULE, 'x'.repeat(400), 'answer')] } },
      { event: 'tool.before', session: 'other' },
    ]);
    const world = stage.world();
    await world.run(stats, '--bill');
    const { out } = world.printed;
    expect(out).toContain('2 sessions in the last 24h, 2 events');
    expect(out).toContain(
      'cost: about 100 tokens (400 characters, 4 taken for a token: an estimate), 2 ms in the engine',
    );
    expect(out).toContain('per session about 50 tokens and 1 ms');
    expect(out).toContain('saved: 1 search answered, 0 repeated failures cut short');
    expect(out).toMatch(/^codegraph\/search-nudge +100 +50 +0\.3 +0\.1 +1 +0$/m);
    const none = createStage();
    const empty = none.world();
    await empty.run(stats, '--bill');
    expect(empty.printed.out).toBe('No event in the last 24h.\n');
    none.remove();
  });
});
