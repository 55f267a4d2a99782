import { own } from '../api/message-values.ts';
import { describe, expect, it } from 'vitest';
import { activeRule, NOW, plainEvent, promptEvent, send, testEngine, toolEvent } from '../engine.fixture.ts';
import type { ActiveRule } from '../match/rule-index.ts';
import type { Outcome, RuleContext } from '../rule.ts';
import { counter } from '../../state/cell.ts';
import { cellId } from '../../state/cells.ts';

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const slow = (ms: number, meta: Partial<ActiveRule['meta']> = {}, verdict: 'note' | 'deny' = 'note') =>
  activeRule('slow', async (_, context) => (await wait(ms), context[verdict]('said', { text: own('slow advice') })), {
    budgetMs: 5,
    ...meta,
  });
const denies = activeRule('guard', (_, context) => context.deny('said', { text: own('stopped') }));
const call = (id: string) => toolEvent({ id });

describe('each rule stops at a tier that is recorded', () => {
  it('names the rules that got past their filters, with what they said', async () => {
    const engine = testEngine([
      activeRule('filtered', () => undefined, { on: [{ event: 'tool.before', words: ['absent'] }] }),
      activeRule('guarded', () => undefined, { needs: { entry: 'absent' } }),
      activeRule('passes', (_, context) => context.pass('all is well')),
      activeRule('speaks', (_, context) => [
        context.note('said', { text: own('n') }),
        context.warn('said', { text: own('w') }),
      ]),
      activeRule('silent', () => undefined),
    ]);
    await send(engine, toolEvent({ command: 'ls' }));
    const [entry] = engine.recorded;
    expect(entry?.row).toMatchObject({ tier: 3, action: 'pass', rules: 'speaks', changed: true });
    expect(entry?.detail.trace.map(({ rule, tier, reason }) => [rule, tier, reason])).toEqual([
      ['guarded', 2, 'no absent in this workspace'],
      ['passes', 3, 'all is well'],
      ['silent', 3, 'nothing to say'],
      ['speaks', 3, 'note, warn'],
    ]);
  });

  it.each([
    ['nobody listens', [], 1],
    ['one was held back', [activeRule('a', () => undefined, { needs: { entry: 'absent' } })], 2],
    ['one ran', [activeRule('a', () => undefined)], 3],
  ])('counts how far an event got when %s', async (_, rules, tier) => {
    const engine = testEngine(rules);
    await send(engine, toolEvent());
    expect(engine.recorded[0]?.row).toMatchObject({ tier, action: 'pass', replyBytes: 0, changed: false });
    expect(engine.recorded[0]?.committed).toBe(false);
  });
});

describe('a rule that fails', () => {
  const failing: Record<string, (event: unknown, context: RuleContext) => unknown> = {
    throws: () => expect.fail('broken'),
    rejects: () => Promise.reject(new Error('broken')),
    'returns a word': () => 'deny',
    'returns a list with a hole': () => [undefined],
    'promises nonsense': () => Promise.resolve(42),
    'returns a promise of its own make': () => ({
      // oxlint-disable-next-line no-thenable
      then: (_: unknown, reject: (error: Error) => void) => reject(new Error('broken')),
    }),
  };

  it.each(Object.entries(failing))('and %s does not keep others from denying', async (_, check) => {
    const engine = testEngine([activeRule('broken', check as never), denies]);
    expect(await send(engine, call('1'))).toMatchObject({ action: 'deny', by: ['guard'] });
    expect(engine.recorded[0]?.detail.trace.find(({ rule }) => rule === 'broken')).toMatchObject({
      tier: 3,
      failed: true,
    });
    expect(engine.failures).toEqual([]);
  });

  it.each(Object.entries(failing))('and %s blocks when it is set to', async (_, check) => {
    const engine = testEngine([activeRule('broken', check as never, { onError: 'block' })]);
    expect(await send(engine, call('1'))).toMatchObject({ action: 'deny', by: ['broken'] });
  });

  it.each<[string, (_: unknown, context: RuleContext) => unknown]>([
    ['says', (_, context) => context.deny('said', { text: own('no') })],
    ['promises', (_, context) => Promise.resolve(context.deny('said', { text: own('no') }))],
  ])('is one that %s something where it only remembers', async (_, check) => {
    const engine = testEngine([activeRule('keeps', check as never, { remembersOn: ['tool.before'], onError: 'pass' })]);
    expect(await send(engine, call('1'))).toMatchObject({ action: 'pass' });
    expect(engine.recorded[0]?.detail.trace[0]).toMatchObject({ rule: 'keeps', failed: true });
  });

  it.each(['ask', 'advise'] as const)('blocks no harder than its mode %s', async (mode) => {
    const engine = testEngine([activeRule('broken', () => expect.fail('broken'), { onError: 'block' }, mode)]);
    const { action, notes } = await send(engine, call('1'));
    expect(action).toBe(mode === 'ask' ? 'ask' : 'pass');
    expect(notes).toHaveLength(mode === 'ask' ? 0 : 1);
  });

  it('cannot be loaded', async () => {
    const lost = { ...activeRule('lost', () => undefined), load: () => Promise.reject(new Error('no such file')) };
    const gone = { ...activeRule('gone', () => undefined), load: () => expect.fail('no such file') };
    const engine = testEngine([lost, gone, denies]);
    expect((await send(engine, call('1'))).action).toBe('deny');
    expect(engine.recorded[0]?.detail.trace.filter(({ failed }) => failed)).toHaveLength(2);
  });

  it('leaves none of its changes behind', async () => {
    const state = { count: counter('count') };
    const count = (context: RuleContext) => (context.state as unknown as { count: { add(): void } }).count.add();
    const engine = testEngine([
      activeRule('broken', (_, context) => (count(context), expect.fail('broken')), { state }),
      activeRule('well', (_, context) => count(context), { state }),
    ]);
    await send(engine, call('1'));
    expect(engine.store.get(cellId('session', 's1', 'count'), NOW)).toBe('1');
  });
});

describe('a rule that is late', () => {
  it('does not hold up the reply, and its advice goes with the next event that can carry it', async () => {
    const engine = testEngine([slow(30)]);
    expect(await send(engine, call('1'))).toMatchObject({ action: 'pass', notes: [] });
    expect(engine.recorded[0]?.detail.trace[0]).toMatchObject({ failed: true, reason: 'gave no answer within 5 ms' });
    engine.policy = testEngine([]).policy;
    await wait(500);
    expect((await send(engine, plainEvent('turn.stop'))).notes).toEqual([]);
    expect((await send(engine, promptEvent('go'))).notes).toMatchObject([{ rule: 'slow', text: '[slow] slow advice' }]);
    expect((await send(engine, call('2'))).notes).toEqual([]);
  });

  it('is told by its signal that its time is up', async () => {
    const aborted: boolean[] = [];
    const rule = activeRule('a', async (_, { signal }) => (await wait(20), void aborted.push(signal.aborted)), {
      budgetMs: 5,
    });
    const watched = activeRule(
      'b',
      async (_, context) => {
        const { signal } = context;
        await wait(20);
        aborted.push(signal.aborted);
      },
      { budgetMs: 5 },
    );
    await send(testEngine([rule, watched]), call('1'));
    await wait(500);
    expect(aborted).toContain(true);
  });

  it('blocks when it is set to, and its own denial comes too late to matter', async () => {
    const engine = testEngine([slow(20, { onError: 'block' }, 'deny')]);
    expect(await send(engine, call('1'))).toMatchObject({ action: 'deny', by: ['slow'] });
    await wait(500);
    engine.policy = testEngine([]).policy;
    expect(await send(engine, call('2'))).toMatchObject({ action: 'pass', notes: [] });
  });

  it('has spoken as far as its throttle goes', async () => {
    // So late that a busy machine does not take it for being in time.
    const engine = testEngine([slow(400, { throttle: { once: 'session' } })]);
    const first = await Promise.all([send(engine, call('1')), send(engine, call('2'))]);
    await wait(1_500);
    // Where the machine stood still meanwhile, the second one carries it.
    expect([...first, await send(engine, call('3'))].flatMap(({ notes }) => notes)).toHaveLength(1);
    expect((await send(engine, call('4'))).notes).toEqual([]);
    expect(engine.recorded.at(-1)?.detail.trace[0]).toMatchObject({ tier: 2, reason: 'spoke once for this session' });
  });

  it('that answers in time waits for nobody', async () => {
    const engine = testEngine([slow(0, { budgetMs: 1_000 }), denies]);
    expect(await send(engine, call('1'))).toMatchObject({ action: 'deny', notes: [{ text: '[slow] slow advice' }] });
  });
});

describe('state', () => {
  const counts = (id: string, check: (count: number, context: RuleContext) => Outcome) =>
    activeRule(
      id,
      (_, context) => check((context.state as unknown as { count: { next(): number } }).count.next(), context),
      { state: { count: counter('count') } },
    );

  it('is what it was before the event for every rule of the event', async () => {
    const seen: number[] = [];
    const engine = testEngine([
      counts('a', (count) => void seen.push(count)),
      counts('b', (count) => void seen.push(count)),
    ]);
    await send(engine, call('1'), call('2'));
    expect(seen).toEqual([1, 1, 3, 3]);
  });

  it('makes the rules look again when another process changed what they read', async () => {
    const seen: number[] = [];
    const engine = testEngine([counts('a', (count) => void seen.push(count))]);
    const { store } = engine;
    let meddled = 0;
    const meddling = {
      ...store,
      commit: (commit: Parameters<typeof store.commit>[0]) => {
        if (meddled++ < 3)
          store.commit({
            reads: new Map(),
            changes: [{ op: 'add', id: cellId('session', 's1', 'count'), by: 10, expires: 0 }],
            now: NOW,
          });
        return store.commit(commit);
      },
    };
    await send({ ...engine, store: meddling }, call('1'));
    expect(seen).toEqual([1, 11, 21, 31]);
    expect(engine.recorded[0]).toMatchObject({ committed: true, detail: { attempts: 4 } });
    expect(store.get(cellId('session', 's1', 'count'), NOW)).toBe('31');
  });

  it('does not wait for ever on an answer that cannot be read', async () => {
    const engine = testEngine([counts('a', () => undefined)]);
    const { store } = engine;
    const damaged = {
      ...store,
      answered: () => 'not JSON',
      commit: (commit: Parameters<typeof store.commit>[0]) =>
        commit.row?.delivery === undefined ? store.commit(commit) : false,
    };
    await send({ ...engine, store: damaged }, call('1'));
    expect(engine.recorded[0]?.detail.attempts).toBe(40);
    expect(store.get(cellId('session', 's1', 'count'), NOW)).toBe('1');
  });

  it('does not make the agent wait for ever', async () => {
    const engine = testEngine([counts('a', () => undefined)]);
    const { store } = engine;
    const busy = {
      ...store,
      commit: (commit: Parameters<typeof store.commit>[0]) => {
        store.commit({
          reads: new Map(),
          changes: [{ op: 'add', id: cellId('session', 's1', 'count'), by: 1, expires: 0 }],
          now: NOW,
        });
        return store.commit(commit);
      },
    };
    await send({ ...engine, store: busy }, call('1'));
    const attempts = engine.recorded[0]?.detail.attempts ?? 0;
    expect(attempts).toBe(40);
    expect(store.get(cellId('session', 's1', 'count'), NOW), 'a counter stays exact').toBe(`${attempts + 1}`);
  });
});
