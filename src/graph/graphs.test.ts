import { beforeEach, describe, expect, it } from 'vitest';
import type { Event } from '../event/event.ts';
import { createGraphs } from './graphs.ts';
import type { Graphs, GraphSight } from './graphs.ts';
import type { DrawRequest, IndexRequest } from './indexer/request.ts';
import type { InitRecord } from './init-record.ts';
import type { GraphReader } from './query/graph-reader.ts';
import type { GraphSettings } from './settings.ts';

const ROOT = '/code/app';
const EDIT = event('tool.after', {
  tool: { kind: 'edit', paths: [], edits: [{ path: `${ROOT}/a.ts`, operation: 'write' }] },
});
const SHELL = event('tool.after', { tool: { kind: 'shell', edits: [] } });
const PROMPT = event('prompt.submit', { prompt: { text: 'go', origin: 'human' } });

function event(name: string, more: object): Event {
  return { name, cwd: ROOT, session: 's', ...more } as unknown as Event;
}

/** With `settings`, the pack is on there. */
function sight(seen: Event, root: string, more: Partial<GraphSight['place']> & Partial<GraphSight> = {}): GraphSight {
  const { asides = [], silenced = [], ...place } = more;
  const about = { root, project: root, reason: 'file' as const, workspace: { markerBacked: true }, policy: {} };
  return { event: seen, asides, silenced, place: { ...about, ...place } };
}

const SETTINGS: GraphSettings = { walk: {}, pictures: 'auto', force: false };
const ON = { policy: { graph: SETTINGS } };
const READ = event('tool.after', { tool: { kind: 'read', paths: [`${ROOT}/a.ts`], edits: [] } });
const LIST = event('tool.after', { tool: { kind: 'list', paths: [ROOT], edits: [] } });

let stamps: Map<string, string>;
let asked: IndexRequest[];
let opened: string[];
let closed: string[];
let failures: string[];
let waiting: { ms: number; work: () => void }[];
let finish: ((error?: Error, files?: number) => void)[];
let drawn: DrawRequest[];
let finishDraw: (() => void)[];
let records: Map<string, InitRecord>;
let active: unknown[];
let changed: Set<string>;
let gone: Set<string>;
let isHeld: boolean;
let now: number;
let graphs: Graphs;

beforeEach(() => {
  stamps = new Map([[ROOT, '1']]);
  asked = [];
  opened = [];
  closed = [];
  failures = [];
  waiting = [];
  finish = [];
  drawn = [];
  finishDraw = [];
  records = new Map();
  active = [];
  changed = new Set();
  gone = new Set();
  isHeld = false;
  now = 1_000;
  graphs = createGraphs({
    stampOf: (root) => stamps.get(root),
    open(root) {
      opened.push(root);
      return { root, close: () => closed.push(root), named: () => [] } as unknown as GraphReader;
    },
    ask(task) {
      asked.push(task);
      return new Promise((resolve, reject) => {
        finish.push((error, files = 3) => (error ? reject(error) : resolve({ files })));
      });
    },
    draw(request) {
      drawn.push(request);
      return new Promise<void>((resolve) => {
        finishDraw.push(resolve);
      });
    },
    isThere: (root) => !gone.has(root),
    isChanged: (_reader, path) => changed.has(path),
    readScope: () => undefined,
    packageOf: () => undefined,
    isHeld: () => isHeld,
    readRecord: (root) => records.get(root),
    writeRecord: (record) => records.set(record.root, record),
    writeActive: (dir, where) => active.push([dir, where]),
    afterReply: (work) => waiting.push({ ms: 0, work }),
    soon: (ms, work) => waiting.push({ ms, work }),
    now: () => now,
    isOff: () => false,
    onFailure: (what) => failures.push(what),
  });
});

async function settle(): Promise<void> {
  for (const { work } of waiting.splice(0)) work();
  await new Promise(setImmediate);
}

async function done(error?: Error, files?: number): Promise<void> {
  finish.shift()?.(error, files);
  await new Promise(setImmediate);
}

describe('what an event asks for', () => {
  it.each([
    ['an edit', EDIT, { do: 'refresh', root: ROOT, paths: [`${ROOT}/a.ts`] }],
    ['a prompt', PROMPT, { do: 'sweep', root: ROOT }],
    ['a command', SHELL, { do: 'sweep', root: ROOT }],
    [
      'a command that failed',
      event('tool.failed', { tool: { kind: 'shell', edits: [] } }),
      { do: 'sweep', root: ROOT },
    ],
    ['a session that starts', event('session.start', {}), { do: 'sweep', root: ROOT }],
    [
      'a file that the agent saw change',
      event('file.changed', { place: { path: `${ROOT}/b.ts`, change: 'modified' } }),
      { do: 'refresh', root: ROOT, paths: [`${ROOT}/b.ts`] },
    ],
    ['a read', event('tool.after', { tool: { kind: 'read', edits: [] } }), undefined],
    [
      'an edit before it is made',
      event('tool.before', { tool: { kind: 'edit', edits: [{ path: `${ROOT}/a.ts`, operation: 'write' }] } }),
      undefined,
    ],
    ['a prompt by the system', event('prompt.submit', { prompt: { text: '', origin: 'system' } }), undefined],
  ])('%s', async (_, seen, task) => {
    graphs.see(sight(seen, ROOT));
    expect(asked).toEqual([]);
    await settle();
    expect(asked).toEqual(task === undefined ? [] : [task]);
  });

  it('gathers the changes of a burst, and what comes while work is under way', async () => {
    graphs.see(sight(EDIT, ROOT));
    graphs.see(sight(EDIT, ROOT));
    await settle();
    graphs.see(sight(SHELL, ROOT));
    graphs.see(sight(EDIT, ROOT));
    await settle();
    expect(asked).toHaveLength(1);
    await done();
    expect(asked.map((task) => task.do)).toEqual(['refresh', 'sweep']);
    await done();
    expect(asked).toHaveLength(2);
  });

  it('is left alone in a root without an index', async () => {
    graphs.see(sight(EDIT, '/code/other'));
    await settle();
    expect(asked).toEqual([]);
    expect(graphs.at('/code/other')).toBeUndefined();
  });
});

describe('what is open', () => {
  it('opens after the reply, says when it is behind, and opens again when there is newer data', async () => {
    graphs.see(sight(PROMPT, ROOT));
    expect(graphs.at(ROOT)).toBeUndefined();
    await settle();
    expect(graphs.at(ROOT)?.state).toBe('initialised');
    await done();
    expect(graphs.at(ROOT)?.state).toBe('stable');
    graphs.see(sight(EDIT, ROOT));
    expect(graphs.at(ROOT)?.state).toBe('initialised');
    await settle();
    stamps.set(ROOT, '2');
    await done();
    expect(graphs.at(ROOT)?.state).toBe('stable');
    expect([opened.length, closed.length]).toEqual([2, 1]);
  });

  it('goes when the index goes', async () => {
    graphs.see(sight(PROMPT, ROOT));
    await settle();
    await done();
    stamps.delete(ROOT);
    graphs.see(sight(PROMPT, ROOT));
    await settle();
    expect(graphs.at(ROOT)).toBeUndefined();
    expect(closed).toEqual([ROOT]);
  });

  it('keeps four roots', async () => {
    for (const name of 'abcde') {
      stamps.set(`/${name}`, '1');
      graphs.see(sight(PROMPT, `/${name}`));
      await settle();
      await done();
    }
    expect(closed).toEqual(['/a']);
    expect(graphs.at('/e')?.state).toBe('stable');
    expect(graphs.at('/a')?.state).toBe('initialised');
    expect(closed).toEqual(['/a', '/b']);
  });

  it('reports an indexing process that failed, and asks again with the next event', async () => {
    graphs.see(sight(EDIT, ROOT));
    await settle();
    await done(new Error('killed'));
    expect(failures).toEqual(['keeping the code graph current']);
    expect(graphs.at(ROOT)?.state).toBe('initialised');
    graphs.see(sight(EDIT, ROOT));
    await settle();
    expect(asked.map((task) => task.do)).toEqual(['refresh', 'sweep']);
  });

  it('says nothing of work that its own end cuts short, and opens nothing after it', async () => {
    graphs.see(sight(EDIT, ROOT));
    await settle();
    graphs.close();
    stamps.set(ROOT, '2');
    await done(new Error('no more is indexed'));
    expect(failures).toEqual([]);
    expect([opened.length, closed.length]).toEqual([1, 1]);
  });
});

describe('where an index is wanted', () => {
  const NEW = '/code/new';
  const see = (seen: Event, more: Parameters<typeof sight>[2] = {}) => graphs.see(sight(seen, NEW, { ...ON, ...more }));
  const state = () => records.get(NEW)?.state;

  it('work at a place has it made after the reply, once, and what changed meanwhile is read again', async () => {
    for (let times = 0; times < 20; times += 1) see(READ);
    expect(asked).toEqual([]);
    await settle();
    expect(asked).toEqual([{ do: 'index', root: NEW, walk: {} }]);
    expect(records.get(NEW)).toMatchObject({ state: 'indexing', reason: 'file', startedAt: 1_000, failures: 0 });
    see(READ);
    see(EDIT);
    await settle();
    expect(asked).toHaveLength(1);
    stamps.set(NEW, '1');
    now = 2_000;
    await done();
    expect(records.get(NEW)).toMatchObject({ state: 'stable', startedAt: 1_000, endedAt: 2_000, files: 3 });
    expect(asked.slice(1)).toEqual([{ do: 'refresh', root: NEW, paths: [`${ROOT}/a.ts`], walk: {} }]);
    await done();
    expect(graphs.at(NEW)?.state).toBe('stable');
    expect(drawn).toEqual([{ do: 'draw', root: NEW, what: 'architecture', origin: 'auto' }]);
  });

  it.each<[string, Event, Parameters<typeof sight>[2]]>([
    ['a prompt', PROMPT, {}],
    ['a directory that nothing marks', READ, { workspace: { markerBacked: false } }],
    ['a call whose environment silences the pack', READ, { silenced: ['autocontext'] }],
    ['a pack that is off', READ, { policy: {} }],
    ['a call before it is made', event('tool.before', { tool: { kind: 'read', paths: [], edits: [] } }), {}],
  ])('%s has none made', async (_what, seen, more) => {
    see(seen, more);
    await settle();
    expect(asked).toEqual([]);
  });

  it('a root without code is looked at again later, at once when a file of code is named', async () => {
    see(LIST);
    await settle();
    await done(undefined, 0);
    expect(state()).toBe('pending');
    expect(drawn).toEqual([]);
    see(LIST);
    await settle();
    expect(asked).toHaveLength(1);
    see(READ);
    await settle();
    expect(asked).toHaveLength(2);
    await done(undefined, 0);
    now += 5_000;
    see(LIST);
    await settle();
    expect(asked).toHaveLength(3);
  });

  it('a failure is written down, and tried again after a while, three times in all', async () => {
    for (const times of [1, 2, 3]) {
      see(READ);
      await settle();
      await done(new Error('out of memory'));
      expect(records.get(NEW)).toMatchObject({ state: 'failed', failures: times, error: 'out of memory' });
      see(READ);
      await settle();
      expect(asked).toHaveLength(times);
      now += 120_000;
    }
    see(READ);
    await settle();
    expect(asked).toHaveLength(3);
    expect(failures).toEqual(['indexing a workspace', 'indexing a workspace', 'indexing a workspace']);
  });

  it('while another process writes there, nothing is asked for and nothing has failed', async () => {
    isHeld = true;
    see(READ);
    await settle();
    expect([asked, failures, state()]).toEqual([[], [], undefined]);
    isHeld = false;
    now += 5_000;
    see(READ);
    await settle();
    isHeld = true;
    await done(new Error('the index is being written by process 7'));
    expect([failures, records.get(NEW)?.failures]).toEqual([[], 0]);
  });

  it('a root that is gone is pending, and open no more', async () => {
    stamps.set(NEW, '1');
    records.set(NEW, { version: 1, root: NEW, state: 'stable', reason: 'file', startedAt: 1, failures: 0 });
    see(READ);
    await settle();
    expect(graphs.at(NEW)).toBeDefined();
    gone.add(NEW);
    see(SHELL);
    await settle();
    expect([graphs.at(NEW), state(), asked, failures]).toEqual([undefined, 'pending', [], []]);
    gone.clear();
    see(event('session.start', {}));
    await settle();
    expect(graphs.at(NEW)).toBeDefined();
    expect(asked).toEqual([{ do: 'index', root: NEW, walk: {} }]);
    await done();
    expect(records.get(NEW)).toMatchObject({ state: 'stable', files: 3 });
  });

  it.each<[string, InitRecord['state'], number]>([
    ['was cut off', 'indexing', 0],
    ['broke, when its time has come', 'failed', 120_000],
  ])('an index whose making anew %s is made anew', async (_, broken, ms) => {
    stamps.set(NEW, '1');
    const settings = JSON.stringify([{}, undefined]);
    const record = { version: 1, root: NEW, reason: 'file', startedAt: now, endedAt: now, failures: 1 } as const;
    records.set(NEW, { ...record, state: broken, settings });
    now += ms / 2;
    see(READ);
    await settle();
    await done();
    now += ms;
    see(READ);
    await settle();
    await done();
    expect(asked.filter(({ do: what }) => what === 'index')).toEqual([
      { do: 'index', root: NEW, walk: {}, force: true },
    ]);
    expect([state(), graphs.at(NEW)?.state]).toEqual(['stable', 'stable']);
  });

  it('an index that is not open yet is opened for the first who asks, and compared with its files', async () => {
    stamps.set(NEW, '1');
    expect(graphs.at('/code/none')).toBeUndefined();
    expect(graphs.at(NEW)?.state).toBe('initialised');
    see(READ);
    await settle();
    expect(asked).toEqual([{ do: 'sweep', root: NEW, walk: {} }]);
    await done();
    expect([graphs.at(NEW)?.state, opened]).toEqual(['stable', [NEW]]);
  });

  it('settings other than those it was made under have it made anew', async () => {
    stamps.set(NEW, '1');
    const record = { version: 1, root: NEW, state: 'stable', reason: 'file', startedAt: 1, failures: 0 } as const;
    records.set(NEW, { ...record, settings: JSON.stringify([{}, undefined]) });
    see(READ);
    await settle();
    expect(asked).toEqual([]);
    see(READ, { policy: { graph: { ...SETTINGS, walk: { languages: ['go'] }, maxFile: 9 } } });
    await settle();
    expect(asked).toEqual([{ do: 'index', root: NEW, walk: { languages: ['go'] }, maxFile: 9, force: true }]);
  });

  it('what no event told of is found when it is read', async () => {
    stamps.set(NEW, '1');
    see(READ);
    await settle();
    expect(asked).toEqual([]);
    changed.add(`${ROOT}/a.ts`);
    see(READ);
    await settle();
    expect(asked).toMatchObject([{ do: 'refresh', paths: [`${ROOT}/a.ts`] }]);
  });

  it('a file that is being read again can be waited for, and no other', async () => {
    stamps.set(NEW, '1');
    see(READ);
    await settle();
    see(EDIT);
    const waits = graphs.at(NEW)?.settled(`${ROOT}/a.ts`, 300);
    expect(waits).toBeInstanceOf(Promise);
    expect(graphs.at(NEW)?.settled(`${ROOT}/b.ts`, 300)).toBeUndefined();
    waiting = waiting.filter(({ ms }) => ms === 0);
    await settle();
    stamps.set(NEW, '2');
    await done();
    await waits;
    expect(graphs.at(NEW)?.settled(`${ROOT}/a.ts`, 300)).toBeUndefined();
  });

  it('what an agent was told is drawn when nothing else is to be done, once for all who ask', async () => {
    stamps.set(NEW, '1');
    const impact = (symbol: string) => ({ asides: [{ kind: 'impact', root: NEW, symbol } as const] });
    see(EDIT, impact('a.ts#a'));
    see(READ, impact('a.ts#a'));
    see(READ, impact('b.ts#b'));
    await settle();
    expect(drawn).toEqual([]);
    await done();
    expect(drawn).toEqual([{ do: 'draw', root: NEW, what: 'impact', symbol: 'a.ts#a', origin: 'auto' }]);
    see(READ, { ...impact('c.ts#c'), policy: { graph: { ...SETTINGS, pictures: 'explicit' } } });
    await settle();
    expect(drawn).toHaveLength(1);
    for (let times = 0; times < 3; times += 1) {
      finishDraw.shift()?.();
      await new Promise(setImmediate);
    }
    expect(drawn.slice(1)).toMatchObject([{ symbol: 'b.ts#b' }, { symbol: 'c.ts#c', isTextOnly: true }]);
  });

  it('a session that works elsewhere than where it was started says so, and when it is back', async () => {
    const from = (seen: Event) => ({ ...seen, projectDir: '/code' });
    see(from(READ), { project: '/code', reason: 'single-child' });
    see(from(READ), { project: '/code' });
    await settle();
    expect(active).toEqual([['/code', { root: NEW, reason: 'single-child', at: 1_000 }]]);
    graphs.see(sight(from(READ), '/code', { ...ON, workspace: { markerBacked: false } }));
    await settle();
    expect(active).toHaveLength(1);
    graphs.see(sight(from(READ), '/code', ON));
    await settle();
    expect(active.slice(1)).toEqual([['/code', undefined]]);
  });
});
