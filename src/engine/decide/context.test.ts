import { own } from '../api/message-values.ts';
import { describe, expect, it } from 'vitest';
import type { FollowUp } from '../../event/follow-up.ts';
import type { Seen } from '../engine.ts';
import { activeRule, NOW, ROOT, send, testEngine, toolEvent } from '../engine.fixture.ts';
import type { ActiveRule } from '../match/rule-index.ts';
import type { Later, RuleContext } from '../rule.ts';
import type { Event } from '../../event/event.ts';
import type { Mode } from '../../event/verdict.ts';
import { dirtyId, readDirty } from '../../state/due-work.ts';
import { createMemoryStore } from '../../state/memory.ts';
import type { Store } from '../../state/store.ts';

const OTHER = '/home/dev/other';

/** What was left to do after an event, and what is stored by then. */
async function after(
  rules: readonly ActiveRule[],
  event: Event = toolEvent(),
  store: Store = createMemoryStore(),
): Promise<{ followUps: readonly FollowUp[]; trace: Seen['trace']; dirty(key: string, root?: string): unknown }> {
  const seen: Seen[] = [];
  await send({ ...testEngine(rules, { store }), after: (one) => void seen.push(one) }, event);
  expect(seen).toHaveLength(1);
  const { followUps = [], trace = [] } = seen[0] ?? {};
  return { followUps, trace, dirty: (key, root = ROOT) => readDirty(store.get(dirtyId(root, 'test', key), NOW)) };
}

const ruleThat = (use: (later: Later, context: RuleContext) => void, mode?: Mode) =>
  activeRule('test/a', (_, context) => use(context.later, context), {}, mode);

describe('what a rule leaves for later', () => {
  const relayed = { at: NOW, event: 'relay', rule: 'test/a', variant: 'v', message: 'test/a: done', root: ROOT };
  it.each<[string, (later: Later) => void, FollowUp]>([
    ['a count', (later) => later.count('hits'), { kind: 'count', pack: 'test', root: ROOT, name: 'hits', by: 1 }],
    ['many', (later) => later.count('hits', 7), { kind: 'count', pack: 'test', root: ROOT, name: 'hits', by: 7 }],
    ['a span', (later) => later.time('scan', 1.5), { kind: 'time', pack: 'test', root: ROOT, name: 'scan', ms: 1.5 }],
    ['a record', (later) => later.relay('v', 'done'), { kind: 'relay', record: { ...relayed, session: 's1' } }],
    [
      'a record with values',
      (later) => later.relay('v', 'done', { n: 1 }),
      { kind: 'relay', record: { ...relayed, session: 's1', variables: { n: 1 } } },
    ],
    [
      'a sign of life',
      (later) => later.relay('v', 'done', undefined, 'heartbeat'),
      { kind: 'relay', record: { ...relayed, event: 'heartbeat', session: 's1' } },
    ],
    ['a job', (later) => later.run('sync', '0001-a'), { kind: 'job', pack: 'test', root: ROOT, key: '0001-a:sync' }],
    [
      'a job elsewhere',
      (later) => later.run('sync', '0001-a', OTHER),
      { kind: 'job', pack: 'test', root: OTHER, key: '0001-a:sync' },
    ],
  ])('%s', async (_, use, followUp) => {
    expect((await after([ruleThat(use)])).followUps).toEqual([followUp]);
  });

  it('is in the order of the asking, whoever asks', async () => {
    const use = (later: Later, context: RuleContext) => {
      later.count('a');
      context.later.count('b');
    };
    const { followUps } = await after([ruleThat(use), activeRule('test/b', (_, { later }) => later.count('c'))]);
    expect(followUps.map((followUp) => 'name' in followUp && followUp.name)).toEqual(['a', 'b', 'c']);
  });

  it('a session that nobody named is in no record', async () => {
    const { followUps } = await after(
      [ruleThat((later) => later.relay('v', 'done'))],
      toolEvent({}, { hasSession: false }),
    );
    expect(followUps).toEqual([{ kind: 'relay', record: relayed }]);
  });

  it('a job is stored with its event, with those to tell of it', async () => {
    const store = createMemoryStore();
    const rule = ruleThat((later) => later.run('sync', 'x'));
    await after([rule], toolEvent(), store);
    const later = toolEvent({}, { receivedAt: NOW + 5, subagent: { id: 'a1', type: '' } });
    expect((await after([rule], later, store)).dirty('x:sync')).toEqual({
      first: NOW,
      last: NOW + 5,
      marks: 2,
      told: [
        { session: 's1', agent: 'main' },
        { session: 's1', agent: 'a1' },
      ],
    });
  });

  it('a rule that only watches counts, but starts nothing', async () => {
    const use = (later: Later) => {
      later.count('hits');
      later.run('sync', 'x');
    };
    const { followUps, dirty } = await after([ruleThat(use, 'shadow')]);
    expect(followUps.map(({ kind }) => kind)).toEqual(['count']);
    expect(dirty('x:sync')).toBeUndefined();
  });

  it('the record of a rule that only watches is for the log', async () => {
    const { followUps } = await after([ruleThat((later) => later.relay('v', 'done'), 'shadow')]);
    expect(followUps).toEqual([{ kind: 'relay', record: { ...relayed, session: 's1', isLogOnly: true } }]);
  });

  it('a rule that fails leaves nothing', async () => {
    const use = (later: Later) => {
      later.count('hits');
      later.run('sync', 'x');
      expect.fail('broken');
    };
    const { followUps, dirty } = await after([ruleThat(use)]);
    expect(followUps).toEqual([]);
    expect(dirty('x:sync')).toBeUndefined();
  });

  it('is asked for once, however often the event has to be decided', async () => {
    const memory = createMemoryStore();
    let refused = 2;
    const store: Store = { ...memory, commit: (wanted) => (refused-- > 0 ? false : memory.commit(wanted)) };
    const { followUps, dirty } = await after([ruleThat((later) => later.run('sync', 'x'))], toolEvent(), store);
    expect(followUps).toHaveLength(1);
    expect(dirty('x:sync')).toMatchObject({ marks: 1 });
  });
});

describe('a remark', () => {
  it.each<[string, (context: RuleContext) => ReturnType<RuleContext['pass']>[], object]>([
    ['is marked in the trace', ({ pass }) => [pass('seen late', 'remark')], { reason: 'seen late', remark: true }],
    ['is not every reason', ({ pass }) => [pass('seen late')], { reason: 'seen late' }],
    [
      'gives way to what the rule says',
      ({ pass, note }) => [pass('x', 'remark'), note('said', { text: own('y') })],
      {},
    ],
  ])('%s', async (_, answer, expected) => {
    const { trace } = await after([activeRule('test/a', (_event, context) => answer(context))]);
    expect(trace[0]).toMatchObject(expected);
    expect(trace[0]?.remark).toBe('remark' in expected ? true : undefined);
  });
});
