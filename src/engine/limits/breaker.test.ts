import { own } from '../api/message-values.ts';
import { describe, expect, it } from 'vitest';
import { BREAKER_LIMITS, breakerState, recordFailure, recordSuccess } from './breaker.ts';
import { activeRule, NOW, send, testEngine, toolEvent } from '../engine.fixture.ts';
import type { RuleMeta } from '../rule.ts';
import type { Event } from '../../event/event.ts';
import { Draft } from '../../state/draft.ts';
import { createMemoryStore } from '../../state/memory.ts';

const at = (seconds: number): Event => toolEvent({}, { receivedAt: NOW + seconds * 1_000 });

/** A rule that fails while `broken.now` is true. */
function breakable(meta: Partial<RuleMeta> = {}) {
  const broken = { now: true, runs: 0 };
  const rule = activeRule(
    'shaky',
    (_, context) => {
      broken.runs += 1;
      if (broken.now) throw new Error('no such thing');
      return context.deny('said', { text: own('stopped') });
    },
    meta,
  );
  return { broken, engine: testEngine([rule]) };
}

describe('the breaker', () => {
  it('opens after five failures, tells the person once, and skips the rule', async () => {
    const { broken, engine } = breakable();
    for (let second = 0; second < 4; second += 1) expect((await send(engine, at(second))).warns).toEqual([]);
    const { action, warns } = await send(engine, at(4));
    expect(action).toBe('pass');
    expect(warns).toMatchObject([{ rule: 'shaky', variant: 'breaker-opened' }]);
    expect(warns[0]?.text).toContain('no such thing');
    expect(warns[0]?.text).toContain('30 s');
    expect((await send(engine, at(5), at(33))).warns).toEqual([]);
    expect(broken.runs).toBe(5);
    expect(engine.recorded.at(-1)?.detail.trace[0]).toMatchObject({
      tier: 2,
      reason: expect.stringContaining('breaker is open') as string,
    });
  });

  it('lets an event through after its recovery time, and closes when that goes well', async () => {
    const { broken, engine } = breakable();
    await send(engine, at(0), at(1), at(2), at(3), at(4));
    broken.now = false;
    expect((await send(engine, at(33))).action).toBe('pass');
    expect((await send(engine, at(34))).action).toBe('deny');
    broken.now = true;
    expect((await send(engine, at(35))).warns, 'one failure after that opens nothing').toEqual([]);
    broken.now = false;
    expect((await send(engine, at(36))).action).toBe('deny');
  });

  it('opens again at once when the trial fails, without telling it again', async () => {
    const { broken, engine } = breakable();
    await send(engine, at(0), at(1), at(2), at(3), at(4));
    expect((await send(engine, at(200))).warns).toEqual([]);
    expect(broken.runs).toBe(6);
    await send(engine, at(201), at(229));
    expect(broken.runs).toBe(6);
    await send(engine, at(230));
    expect(broken.runs).toBe(7);
  });

  it('stays closed for failures that lie far apart', async () => {
    const { broken, engine } = breakable();
    for (let minute = 0; minute < 10; minute += 1) await send(engine, at(minute * 20));
    expect(broken.runs).toBe(10);
  });

  it('does not count a denial as a failure', async () => {
    const { broken, engine } = breakable();
    broken.now = false;
    for (let second = 0; second < 20; second += 1) expect((await send(engine, at(second))).action).toBe('deny');
  });

  it('of a rule that must not be passed by denies three times, then asks, and asks while it is open', async () => {
    const { engine } = breakable({ onError: 'block' });
    const actions: string[] = [];
    for (let second = 0; second < 4; second += 1) actions.push((await send(engine, at(second))).action);
    expect(actions).toEqual(['deny', 'deny', 'deny', 'ask']);
    expect(await send(engine, at(4))).toMatchObject({
      action: 'ask',
      warns: [{ variant: 'ask' }, { variant: 'breaker-opened' }],
    });
    const { action, reason } = await send(engine, at(5));
    expect([action, reason]).toEqual(['ask', expect.stringContaining('breaker is open')]);
    expect((await send(engine, { ...at(6), asksPerson: false })).action).toBe('deny');
  });

  it('is not closed by a failure of an event that was under way when it opened', () => {
    const draft = (seconds: number) => new Draft(store, NOW + seconds * 1_000);
    const store = createMemoryStore();
    const keep = (one: Draft) => store.commit({ reads: one.reads, changes: one.changes, now: one.now });
    const fail = (seconds: number) => {
      const one = draft(seconds);
      const opened = recordFailure(one, 'r', 'x', BREAKER_LIMITS);
      keep(one);
      return opened;
    };
    expect([0, 1, 2, 3, 4].map(fail)).toEqual([false, false, false, false, true]);
    expect(fail(200), 'the trial').toBe(false);
    fail(201);
    expect(breakerState(draft(202), 'r', BREAKER_LIMITS)).toBe('open');
    const well = draft(240);
    recordSuccess(well, 'r');
    keep(well);
    expect(breakerState(draft(241), 'r', BREAKER_LIMITS)).toBe('closed');
  });
});
