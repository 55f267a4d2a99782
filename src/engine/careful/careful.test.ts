import { own } from '../api/message-values.ts';
import { describe, expect, it } from 'vitest';
import { isCareful } from './careful.ts';
import { EVERYWHERE, readCareful, writeCareful } from './book.ts';
import type { Careful } from './book.ts';
import { takeGrant } from './grant.ts';
import { activeRule, NOW, plainEvent, promptEvent, ROOT, send, testEngine, toolEvent } from '../engine.fixture.ts';
import type { TestEngine } from '../engine.fixture.ts';
import type { RuleMeta } from '../rule.ts';
import { cellId } from '../../state/cells.ts';
import { Draft } from '../../state/draft.ts';
import type { Event } from '../../event/event.ts';
import type { Mode } from '../../event/verdict.ts';

const BOOK = cellId('user', '', 'careful');
const COPY = cellId('user', '', 'careful-copy');
const HOUR = 3_600_000;

function write(engine: TestEngine, ...changes: ((draft: Draft) => void)[]): void {
  const draft = new Draft(engine.store, engine.now);
  for (const change of changes) change(draft);
  engine.store.commit({ reads: new Map(), changes: draft.changes, now: draft.now });
}

const on = (engine: TestEngine, careful: Partial<Careful> = {}, root = ROOT) =>
  write(engine, (draft) => writeCareful(draft, { on: { [root]: { since: NOW, by: 'user', ...careful } } }));

const holds = (engine: TestEngine, root = ROOT, now = engine.now) => isCareful(new Draft(engine.store, now), root);
const at = (event: Event, receivedAt: number): Event => ({ ...event, receivedAt });
const lines = (engine: TestEngine) =>
  engine.recorded.flatMap(({ detail }) => (detail.decision as { warns: { variant?: string }[] }).warns);

describe('where careful mode holds', () => {
  it.each<[string, string, string, boolean]>([
    ['its workspace', ROOT, ROOT, true],
    ['another workspace', ROOT, '/other', false],
    ['every workspace', EVERYWHERE, '/other', true],
  ])('%s', (_, root, asked, expected) => {
    const engine = testEngine([]);
    on(engine, {}, root);
    expect(holds(engine, asked)).toBe(expected);
    expect(isCareful(new Draft(engine.store, NOW), '/third', asked)).toBe(expected);
  });

  it('holds in the project, wherever its agent steps, once both roots are asked about', () => {
    const engine = testEngine([]);
    on(engine);
    expect(isCareful(new Draft(engine.store, NOW), '/elsewhere')).toBe(false);
    expect(isCareful(new Draft(engine.store, NOW), '/elsewhere', ROOT)).toBe(true);
  });

  it('ends with its time', () => {
    const engine = testEngine([]);
    on(engine, { until: NOW + HOUR });
    expect([holds(engine, ROOT, NOW + HOUR - 1), holds(engine, ROOT, NOW + HOUR)]).toEqual([true, false]);
  });
});

describe('a rule while careful mode is on', () => {
  it.each<[Mode, RuleMeta['careful'], Mode]>([
    ['advise', 'enforce', 'enforce'],
    ['advise', 'ask', 'ask'],
    ['ask', 'enforce', 'enforce'],
    ['enforce', 'ask', 'enforce'],
    ['advise', undefined, 'advise'],
    ['shadow', 'enforce', 'shadow'],
  ])('%s with careful %s acts as %s', async (mode, careful, expected) => {
    const seen: Mode[] = [];
    const meta = careful === undefined ? {} : { careful };
    const rule = activeRule(
      'a',
      (_, context) => (seen.push(context.mode), context.deny('said', { text: own('no') })),
      meta,
      mode,
    );
    const engine = testEngine([rule]);
    const before = await send(engine, toolEvent());
    on(engine);
    const { action } = await send(engine, toolEvent());
    expect(seen).toEqual([mode, expected]);
    expect(action).toBe(
      { enforce: 'deny', ask: 'ask', save: 'deny', advise: 'pass', shadow: 'pass', off: 'pass' }[expected],
    );
    expect(before.action).toBe(
      { enforce: 'deny', ask: 'ask', save: 'deny', advise: 'pass', shadow: 'pass', off: 'pass' }[mode],
    );
    expect(engine.recorded[1]?.detail.trace[0]?.mode).toBe(expected);
  });
});

describe('what the person hears', () => {
  it('one line when the time is up, at the next event that shows lines', async () => {
    const engine = testEngine([]);
    on(engine, { until: NOW + 1 });
    await send(engine, at(toolEvent({ id: 'early' }), NOW));
    await send(engine, at(plainEvent('notification'), NOW + 2));
    expect(lines(engine)).toEqual([]);
    const { warns } = await send(engine, at(toolEvent({ id: 'a' }), NOW + 2));
    expect(warns).toMatchObject([{ rule: 'guard/careful', variant: 'ended' }]);
    await send(engine, at(promptEvent('hello', { session: 's2' }), NOW + 3));
    expect(lines(engine)).toHaveLength(1);
    expect(engine.store.get(BOOK, NOW + 3)).toBeUndefined();
  });

  it('one line when an agent switched it on, in that workspace only', async () => {
    const engine = testEngine([]);
    on(engine, { by: 'agent', unsaid: true, reason: 'a release', until: NOW + HOUR }, '/other');
    await send(engine, toolEvent());
    expect(lines(engine)).toEqual([]);
    on(engine, { by: 'agent', unsaid: true, reason: 'a release', until: NOW + HOUR });
    const { warns } = await send(engine, toolEvent({ id: 'b' }));
    expect(warns).toMatchObject([{ variant: 'agent', text: expect.stringMatching(/for 60 min.*a release/) }]);
    await send(engine, toolEvent({ id: 'c' }));
    expect(lines(engine)).toHaveLength(1);
    expect(holds(engine)).toBe(true);
  });

  it('nothing, and nothing is stored, while it is simply on', async () => {
    const engine = testEngine([]);
    on(engine);
    await send(engine, toolEvent());
    expect(engine.recorded[0]).toMatchObject({ committed: false, row: { rules: '', changed: false } });
  });
});

describe('a record that something else has changed', () => {
  const past = JSON.stringify({ on: { [ROOT]: { since: 1, until: 2, by: 'user' } } });
  it.each<[string, string, string | undefined]>([
    ['the record is gone', BOOK, undefined],
    ['the copy is gone', COPY, undefined],
    ['the record says it is over', BOOK, past],
    ['the record says nothing is on', BOOK, '{"on":{}}'],
    ['the copy is not readable', COPY, '{"on":'],
    ['the record holds other things', BOOK, '{"on":{"/a":3}}'],
  ])('stays on and is told of when %s', async (_, id, value) => {
    const engine = testEngine([activeRule('a', () => undefined)]);
    on(engine, { until: NOW + HOUR, reason: 'kept' });
    write(engine, (draft) => (value === undefined ? draft.delete(id) : draft.set(id, value, 0)));
    expect(holds(engine)).toBe(true);
    const { warns } = await send(engine, toolEvent());
    expect(warns).toMatchObject([{ rule: 'guard/careful', variant: 'changed' }]);
    expect(engine.recorded[0]?.row.rules).toBe('guard/careful');
    const { book, intact } = readCareful(new Draft(engine.store, NOW));
    expect(intact).toBe(true);
    expect(book).toMatchObject({ on: { [ROOT]: { reason: 'kept', until: NOW + HOUR } }, changed: { at: NOW } });
    await send(engine, toolEvent({ id: 'next' }));
    expect(lines(engine)).toHaveLength(1);
  });

  it('is on everywhere when neither can be read', () => {
    const engine = testEngine([]);
    write(engine, (draft) => [BOOK, COPY].forEach((id) => draft.set(id, 'no', 0)));
    expect(holds(engine, '/any')).toBe(true);
  });

  it('is off when both are gone', () => {
    expect(holds(testEngine([]))).toBe(false);
  });
});

describe('the grant of an ask', () => {
  const command = 'fairlead careful off';
  const asks = activeRule('guard/careful', (event, context) =>
    event.tool?.command === command
      ? { ...context.ask('said', { text: own('sure?') }), grants: ['careful off', 'pause'] }
      : undefined,
  );
  const asked = toolEvent({ id: 't1', command });
  const grantIn = (engine: TestEngine) => takeGrant(new Draft(engine.store, NOW), 'careful off');

  it('is made for the very call, and can be taken once', async () => {
    const engine = testEngine([asks]);
    on(engine);
    expect((await send(engine, asked)).action).toBe('ask');
    const verbs = ['careful off', 'pause'];
    expect(grantIn(engine)).toEqual({ verbs, call: 't1', tool: 'shell', command, session: 's1', root: ROOT, at: NOW });
    write(engine, (draft) => void takeGrant(draft, 'careful off'));
    expect(grantIn(engine)).toBeUndefined();
    write(engine, (draft) => expect(takeGrant(draft, 'trust')).toBeUndefined());
    write(engine, (draft) => expect(takeGrant(draft, 'pause')).toBeDefined());
    write(engine, (draft) => expect(takeGrant(draft, 'pause')).toBeUndefined());
    expect(holds(engine)).toBe(true);
  });

  it('is not made by an ask that names no verb, nor by a note', async () => {
    const engine = testEngine([
      activeRule('b', (_, context) => context.ask('said', { text: own('sure?') })),
      activeRule(
        'c',
        (_, context) => ({ ...context.ask('said', { text: own('x') }), grants: ['pause'] }),
        {},
        'advise',
      ),
    ]);
    expect((await send(engine, asked)).action).toBe('ask');
    write(engine, (draft) => expect(takeGrant(draft, 'pause')).toBeUndefined());
  });

  it('is not made when another rule denies the call', async () => {
    const engine = testEngine([asks, activeRule('b', (_, context) => context.deny('said', { text: own('no') }))]);
    await send(engine, asked);
    expect(grantIn(engine)).toBeUndefined();
  });

  it.each<[string, Event, boolean]>([
    ['the dialog of the call', toolEvent({ command }, { name: 'permission.request' }), true],
    ['word of the dialog', plainEvent('notification'), true],
    ['a second delivery', asked, true],
    ['another session', toolEvent({ id: 't2', command: 'ls' }, { session: 's2' }), true],
    ['the dialog of another call', toolEvent({ command: 'ls' }, { name: 'permission.request' }), false],
    ['another call', toolEvent({ id: 't2', command: 'ls' }), false],
    ['its own end', toolEvent({ id: 't1', command }, { name: 'tool.after' }), false],
    ['a sub-agent', toolEvent({ id: 't2', command: 'ls' }, { subagent: { id: 'x', type: 'y' } }), false],
    ['an event that nobody wants', plainEvent('cwd.changed'), false],
  ])('after %s', async (_, event, lives) => {
    const engine = testEngine([asks]);
    await send(engine, asked, event);
    expect(grantIn(engine) !== undefined).toBe(lives);
  });

  it('goes when the record was changed', async () => {
    const engine = testEngine([asks]);
    on(engine);
    await send(engine, asked);
    write(engine, (draft) => draft.delete(COPY));
    expect(grantIn(engine)).toBeUndefined();
  });
});
