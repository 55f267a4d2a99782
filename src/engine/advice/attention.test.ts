import { own } from '../api/message-values.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ATTENTION, fitNotes, keepWaiting, readWaiting, roomFor } from './attention.ts';
import type { Attention } from './attention.ts';
import { activeRule, NOW, plainEvent, promptEvent, send, testEngine, toolEvent } from '../engine.fixture.ts';
import type { ActiveRule } from '../match/rule-index.ts';
import type { Event } from '../../event/event.ts';
import type { Note } from '../../event/verdict.ts';
import { Draft } from '../../state/draft.ts';
import { createMemoryStore } from '../../state/memory.ts';

const says = (id: string, text: string | ((event: Event) => string), priority = 50): ActiveRule =>
  activeRule(
    id,
    (event, context) => context.note('said', { text: own(typeof text === 'string' ? text : text(event)) }),
    {
      priority,
    },
  );
const rulesOf = (notes: readonly Note[]) => notes.map(({ rule }) => rule);
const long = (letter: string, length: number) => letter.repeat(length);
const call = (id: string, more: Partial<Event> = {}) => toolEvent({ id, command: id }, more);

describe('attention', () => {
  it('has the limits it promises', () => {
    expect(ATTENTION).toEqual({ event: 9_000, turn: 12_000, session: 60_000 });
  });

  it('lets the important note through and the other wait for the next event', async () => {
    const engine = testEngine([says('low', long('l', 5_000), 10), says('high', long('h', 5_000), 90)]);
    expect(rulesOf((await send(engine, call('1'))).notes)).toEqual(['high']);
    engine.policy = testEngine([]).policy;
    expect(rulesOf((await send(engine, call('2'))).notes)).toEqual(['low']);
    expect(rulesOf((await send(engine, call('3'))).notes)).toEqual([]);
  });

  it('gives no turn more than its share, and the next turn what waited', async () => {
    const engine = testEngine([says('a', ({ tool }) => tool?.command + long('a', 5_000))]);
    const said: number[] = [];
    for (const id of ['1', '2', '3', '4']) said.push((await send(engine, call(id))).notes.length);
    expect(said, '5,000 characters fit twice into 12,000').toEqual([1, 1, 0, 0]);
    engine.policy = testEngine([]).policy;
    expect((await send(engine, promptEvent('go on'))).notes.map(({ text }) => text.slice(0, 5))).toEqual(['[a] 4']);
  });

  it('gives a session no more than its share, and keeps nothing that could never be said', async () => {
    const engine = testEngine([says('a', ({ receivedAt }) => `${receivedAt} ${long('a', 5_900)}`)]);
    let characters = 0;
    for (let turn = 0; turn < 30; turn += 1) {
      const decision = await send(engine, promptEvent(`${turn}`), toolEvent({}, { receivedAt: NOW + turn }));
      characters += decision.notes.reduce((sum, { text }) => sum + text.length, 0);
    }
    expect(characters).toBeGreaterThan(50_000);
    expect(characters).toBeLessThanOrEqual(60_000);
    expect(engine.store.list('session', NOW).filter(({ id }) => id.includes('waiting'))).toEqual([]);
  });

  it('gives a session its share again when the agent has forgotten what it was told', async () => {
    const engine = testEngine([says('a', ({ receivedAt }) => `${receivedAt} ${long('a', 5_900)}`)]);
    const speak = async (at: number) =>
      (await send(engine, promptEvent(`${at}`), toolEvent({}, { receivedAt: NOW + at }))).notes.length;
    for (let turn = 0; turn < 12; turn += 1) await speak(turn);
    expect(await speak(12)).toBe(0);
    await send(engine, plainEvent('session.start', { start: { source: 'resume' } }));
    expect(await speak(13)).toBe(0);
    await send(engine, plainEvent('session.start', { start: { source: 'compact' } }));
    expect(await speak(14)).toBe(1);
  });

  it('never cuts a denial, however long, nor bills it', async () => {
    const reason = long('d', 20_000);
    const engine = testEngine([
      activeRule('no', (_, context) => context.deny('said', { text: own(reason) })),
      says('a', 'beside'),
    ]);
    const decision = await send(engine, call('1'));
    expect(decision.reason).toBe(`[no] ${reason}\nA person can let it through: \`fairlead allow-once d1\`.`);
    expect(rulesOf(decision.notes)).toEqual(['a']);
  });

  it('says the same text once, however often it waited', async () => {
    const engine = testEngine([
      activeRule('a', (_, context) => context.note('said', { text: own('same') }), {
        on: [{ event: ['notification', 'tool.before'] }],
      }),
    ]);
    await send(engine, plainEvent('notification'), plainEvent('notification'));
    expect((await send(engine, call('1'))).notes).toHaveLength(1);
    engine.policy = testEngine([]).policy;
    expect((await send(engine, call('2'))).notes).toEqual([]);
  });

  it('keeps a note of an event that carries none for one that does', async () => {
    const engine = testEngine([
      activeRule('a', (_, context) => context.note('said', { text: own('later') }), {
        on: [{ event: 'notification' }],
      }),
    ]);
    expect((await send(engine, plainEvent('notification'))).notes).toEqual([]);
    expect((await send(engine, plainEvent('turn.stop'))).notes, 'a note must not keep the agent going').toEqual([]);
    expect((await send(engine, call('1', { session: 'other' }))).notes).toEqual([]);
    expect((await send(engine, call('1', { subagent: { id: 'x', type: 'y' } }))).notes).toEqual([]);
    expect((await send(engine, call('1'))).notes).toMatchObject([{ text: '[a] later' }]);
  });
});

const ownerOf = (scope: string) => scope;
const note = (text: string, priority = 50): Note => ({ rule: 'a', text, priority });

describe('fitNotes', () => {
  it('never says more than every limit, and loses no note that can still be said', () => {
    const limit = fc.nat({ max: 60 });
    fc.assert(
      fc.property(
        fc.record({ event: limit, turn: limit, session: limit }),
        fc.array(fc.string({ maxLength: 40 }), { maxLength: 6 }),
        (limits: Attention, texts) => {
          const draft = new Draft(createMemoryStore(), NOW);
          const { said, waits, dropped } = fitNotes(
            texts.map((text) => note(text)),
            limits,
            draft,
            ownerOf,
          );
          const spent = said.reduce((sum, { text }) => sum + text.length + 2, 0);
          expect(spent).toBeLessThanOrEqual(Math.min(limits.event, limits.turn, limits.session));
          expect(said.length + waits.length + dropped.length).toBe(texts.length);
        },
      ),
    );
  });

  it.each([
    ['at a line end', `${'line\n'.repeat(10)}end`, 40, `${'line\n'.repeat(5)}line\n[cut]`],
    ['in a line that is too long', 'x'.repeat(100), 22, `${'x'.repeat(14)}\n[cut]`],
    ['not inside a character', `${'x'.repeat(13)}\u{1f600}${'y'.repeat(90)}`, 22, `${'x'.repeat(13)}\n[cut]`],
  ])('cuts what no event could hold %s', (_, text, event, expected) => {
    const { said } = fitNotes(
      [note(text)],
      { event, turn: 100, session: 100 },
      new Draft(createMemoryStore(), NOW),
      ownerOf,
    );
    expect(said.map((one) => one.text)).toEqual([expected]);
  });

  it('cuts to what an empty session holds, too', () => {
    const { said } = fitNotes(
      [note('x'.repeat(500))],
      { event: 1_000, turn: 1_000, session: 50 },
      new Draft(createMemoryStore(), NOW),
      ownerOf,
    );
    expect(said[0]?.text.length).toBe(48);
  });
});

describe('roomFor', () => {
  it.each<[string, Partial<Attention>, number, number]>([
    ['the event', {}, 0, 98],
    ['what the turn has left', { turn: 120 }, 50, 68],
    ['what the session has left', { session: 110 }, 50, 58],
    ['nothing', { turn: 52 }, 50, 0],
  ])('is %s', (_, given, before, room) => {
    const limits = { event: 100, turn: 1_000, session: 1_000, ...given };
    const draft = new Draft(createMemoryStore(), NOW);
    if (before > 0) fitNotes([note('x'.repeat(before - 2))], limits, draft, ownerOf);
    expect(roomFor(limits, draft, ownerOf)).toBe(room);
    const said = (length: number) => fitNotes([note('y'.repeat(length))], limits, draft.branch(), ownerOf).said;
    expect(said(room + 1).map(({ text }) => text.includes('[cut]') || text)).not.toEqual(['y'.repeat(room + 1)]);
    if (room > 0) expect(said(room).map(({ text }) => text)).toEqual(['y'.repeat(room)]);
  });
});

describe('keepWaiting', () => {
  it('keeps the twenty most important, and of equal ones the newest', () => {
    const draft = new Draft(createMemoryStore(), NOW);
    const notes = Array.from({ length: 30 }, (_, at): Note => ({
      rule: 'a',
      text: `${at}`,
      priority: at === 0 ? 90 : 50,
    }));
    keepWaiting(draft, 'id', notes);
    const kept = readWaiting(draft, 'id').map(({ text }) => Number(text));
    expect(kept).toHaveLength(20);
    expect(kept[0]).toBe(0);
    expect(Math.min(...kept.slice(1))).toBe(11);
  });

  it('reads a damaged cell as empty', () => {
    const draft = new Draft(createMemoryStore(), NOW);
    draft.set('id', '{', 0);
    expect(readWaiting(draft, 'id')).toEqual([]);
  });
});
