import { beforeEach, describe, expect, it } from 'vitest';
import type { Event } from '../../event/event.ts';
import { editOf, event, ON, planGraphs, readOf, ROOT, SETTINGS, seenAt } from './graphs.fixture.ts';
import type { PlannedGraphs, SeenOptions } from './graphs.fixture.ts';
import type { InitRecord } from '../store/init-record.ts';

const EDIT = editOf('a.ts');
const SHELL = event('tool.after', { tool: { kind: 'shell', edits: [] } });
const PROMPT = event('prompt.submit', { prompt: { text: 'go', origin: 'human' } });
const READ = readOf('a.ts');
const LIST = event('tool.after', { tool: { kind: 'list', paths: [ROOT], edits: [] } });

let world: PlannedGraphs;
beforeEach(() => {
  world = planGraphs();
});

describe('where an index is wanted', () => {
  const NEW = '/code/new';
  const see = (seen: Event, more: SeenOptions = {}) => world.graphs.see(seenAt(seen, NEW, { ...ON, ...more }));
  const state = () => world.records.get(NEW)?.state;

  it('work at a place has it made after the reply, once, and what changed meanwhile is read again', async () => {
    for (let times = 0; times < 20; times += 1) see(READ);
    expect(world.asked).toEqual([]);
    await world.idle();
    expect(world.asked).toEqual([{ do: 'index', root: NEW, walk: {} }]);
    expect(world.records.get(NEW)).toMatchObject({ state: 'indexing', reason: 'file', startedAt: 1_000, failures: 0 });
    see(READ);
    see(EDIT);
    await world.idle();
    expect(world.asked).toHaveLength(1);
    world.stamps.set(NEW, '1');
    world.now = 2_000;
    await world.done();
    expect(world.records.get(NEW)).toMatchObject({ state: 'stable', startedAt: 1_000, endedAt: 2_000, files: 3 });
    expect(world.asked.slice(1)).toEqual([{ do: 'refresh', root: NEW, paths: [`${ROOT}/a.ts`], walk: {} }]);
    await world.done();
    expect(world.graphs.at(NEW)?.state).toBe('stable');
    expect(world.drawn).toEqual([{ do: 'draw', root: NEW, what: 'architecture', origin: 'auto' }]);
  });

  it.each<[string, Event, SeenOptions]>([
    ['a prompt', PROMPT, {}],
    ['a directory that nothing marks', READ, { workspace: { markerBacked: false } }],
    ['a call whose environment silences the pack', READ, { silenced: ['autocontext'] }],
    ['a pack that is off', READ, { policy: {} }],
    ['a call before it is made', event('tool.before', { tool: { kind: 'read', paths: [], edits: [] } }), {}],
  ])('%s has none made', async (_what, seen, more) => {
    see(seen, more);
    await world.idle();
    expect(world.asked).toEqual([]);
  });

  it('a root without code is looked at again later, at once when a file of code is named', async () => {
    see(LIST);
    await world.idle();
    await world.done(undefined, 0);
    expect(state()).toBe('pending');
    expect(world.drawn).toEqual([]);
    see(LIST);
    await world.idle();
    expect(world.asked).toHaveLength(1);
    see(READ);
    await world.idle();
    expect(world.asked).toHaveLength(2);
    await world.done(undefined, 0);
    world.now += 5_000;
    see(LIST);
    await world.idle();
    expect(world.asked).toHaveLength(3);
  });

  it('a failure is written down, and tried again after a while, three times in all', async () => {
    for (const times of [1, 2, 3]) {
      see(READ);
      await world.idle();
      await world.done(new Error('out of memory'));
      expect(world.records.get(NEW)).toMatchObject({ state: 'failed', failures: times, error: 'out of memory' });
      see(READ);
      await world.idle();
      expect(world.asked).toHaveLength(times);
      world.now += 120_000;
    }
    see(READ);
    await world.idle();
    expect(world.asked).toHaveLength(3);
    expect(world.failures).toEqual(['indexing a workspace', 'indexing a workspace', 'indexing a workspace']);
  });

  it('while another process writes there, nothing is asked for and nothing has failed', async () => {
    world.isHeld = true;
    see(READ);
    await world.idle();
    expect([world.asked, world.failures, state()]).toEqual([[], [], undefined]);
    world.isHeld = false;
    world.now += 5_000;
    see(READ);
    await world.idle();
    world.isHeld = true;
    await world.done(new Error('the index is being written by process 7'));
    expect([world.failures, world.records.get(NEW)?.failures]).toEqual([[], 0]);
  });

  it('a root that is gone is pending, and open no more', async () => {
    world.stamps.set(NEW, '1');
    world.records.set(NEW, { version: 1, root: NEW, state: 'stable', reason: 'file', startedAt: 1, failures: 0 });
    see(READ);
    await world.idle();
    expect(world.graphs.at(NEW)).toBeDefined();
    world.gone.add(NEW);
    see(SHELL);
    await world.idle();
    expect([world.graphs.at(NEW), state(), world.asked, world.failures]).toEqual([undefined, 'pending', [], []]);
    world.gone.clear();
    see(event('session.start', {}));
    await world.idle();
    expect(world.graphs.at(NEW)).toBeDefined();
    expect(world.asked).toEqual([{ do: 'index', root: NEW, walk: {} }]);
    await world.done();
    expect(world.records.get(NEW)).toMatchObject({ state: 'stable', files: 3 });
  });

  it.each<[string, InitRecord['state'], number]>([
    ['was cut off', 'indexing', 0],
    ['broke, when its time has come', 'failed', 120_000],
  ])('an index whose making anew %s is made anew', async (_, broken, ms) => {
    world.stamps.set(NEW, '1');
    const settings = JSON.stringify([{}, undefined]);
    const record = {
      version: 1,
      root: NEW,
      reason: 'file',
      startedAt: world.now,
      endedAt: world.now,
      failures: 1,
    } as const;
    world.records.set(NEW, { ...record, state: broken, settings });
    world.now += ms / 2;
    see(READ);
    await world.idle();
    await world.done();
    world.now += ms;
    see(READ);
    await world.idle();
    await world.done();
    expect(world.asked.filter(({ do: what }) => what === 'index')).toEqual([
      { do: 'index', root: NEW, walk: {}, force: true },
    ]);
    expect([state(), world.graphs.at(NEW)?.state]).toEqual(['stable', 'stable']);
  });

  it('an index that somebody else has made meanwhile is there at once', async () => {
    world.isHeld = true;
    see(READ);
    await world.idle();
    expect(world.graphs.at(NEW)).toBeUndefined();
    world.stamps.set(NEW, '1');
    expect(world.graphs.at(NEW)?.state).toBe('initialised');
  });

  it('an index that is not open yet is opened for the first who asks, and compared with its files', async () => {
    world.stamps.set(NEW, '1');
    expect(world.graphs.at('/code/none')).toBeUndefined();
    expect(world.graphs.at(NEW)?.state).toBe('initialised');
    see(READ);
    await world.idle();
    expect(world.asked).toEqual([{ do: 'sweep', root: NEW, walk: {} }]);
    await world.done();
    expect([world.graphs.at(NEW)?.state, world.opened]).toEqual(['stable', [NEW]]);
  });

  it('settings other than those it was made under have it made anew', async () => {
    world.stamps.set(NEW, '1');
    const record = { version: 1, root: NEW, state: 'stable', reason: 'file', startedAt: 1, failures: 0 } as const;
    world.records.set(NEW, { ...record, settings: JSON.stringify([{}, undefined]) });
    see(READ);
    await world.idle();
    expect(world.asked).toEqual([]);
    see(READ, { policy: { graph: { ...SETTINGS, walk: { languages: ['go'] }, maxFile: 9 } } });
    await world.idle();
    expect(world.asked).toEqual([{ do: 'index', root: NEW, walk: { languages: ['go'] }, maxFile: 9, force: true }]);
  });

  it('what no event told of is found when it is read', async () => {
    world.stamps.set(NEW, '1');
    see(READ);
    await world.idle();
    expect(world.asked).toEqual([]);
    world.changed.add(`${ROOT}/a.ts`);
    see(READ);
    await world.idle();
    expect(world.asked).toMatchObject([{ do: 'refresh', paths: [`${ROOT}/a.ts`] }]);
  });

  it('a file that is being read again can be waited for, and no other', async () => {
    world.stamps.set(NEW, '1');
    see(READ);
    await world.idle();
    see(EDIT);
    const waits = world.graphs.at(NEW)?.whenCurrent(`${ROOT}/a.ts`, 300);
    expect(waits).toBeInstanceOf(Promise);
    expect(world.graphs.at(NEW)?.whenCurrent(`${ROOT}/b.ts`, 300)).toBeUndefined();
    world.waiting = world.waiting.filter(({ ms }) => ms === 0);
    await world.idle();
    world.stamps.set(NEW, '2');
    await world.done();
    await waits;
    expect(world.graphs.at(NEW)?.whenCurrent(`${ROOT}/a.ts`, 300)).toBeUndefined();
  });

  it('what an agent was told is drawn when nothing else is to be done, once for all who ask', async () => {
    world.stamps.set(NEW, '1');
    const impact = (symbol: string) => ({ followUps: [{ kind: 'impact', root: NEW, symbol } as const] });
    see(EDIT, impact('a.ts#a'));
    see(READ, impact('a.ts#a'));
    see(READ, impact('b.ts#b'));
    await world.idle();
    expect(world.drawn).toEqual([]);
    await world.done();
    expect(world.drawn).toEqual([{ do: 'draw', root: NEW, what: 'impact', symbol: 'a.ts#a', origin: 'auto' }]);
    see(READ, { ...impact('c.ts#c'), policy: { graph: { ...SETTINGS, pictures: 'explicit' } } });
    await world.idle();
    expect(world.drawn).toHaveLength(1);
    for (let times = 0; times < 3; times += 1) {
      world.finishDraw.shift()?.();
      await new Promise(setImmediate);
    }
    expect(world.drawn.slice(1)).toMatchObject([{ symbol: 'b.ts#b' }, { symbol: 'c.ts#c', isTextOnly: true }]);
  });

  it('a session that works elsewhere than where it was started says so, and when it is back', async () => {
    const from = (seen: Event) => ({ ...seen, projectDir: '/code' });
    see(from(READ), { project: '/code', reason: 'single-child' });
    see(from(READ), { project: '/code' });
    await world.idle();
    expect(world.active).toEqual([['/code', { root: NEW, reason: 'single-child', at: 1_000 }]]);
    world.graphs.see(seenAt(from(READ), '/code', { ...ON, workspace: { markerBacked: false } }));
    await world.idle();
    expect(world.active).toHaveLength(1);
    world.graphs.see(seenAt(from(READ), '/code', ON));
    await world.idle();
    expect(world.active.slice(1)).toEqual([['/code', undefined]]);
  });
});
