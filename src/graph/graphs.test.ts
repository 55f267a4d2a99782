import { beforeEach, describe, expect, it } from 'vitest';
import type { Event } from '../event/event.ts';
import { createGraphs } from './graphs.ts';
import type { Graphs, GraphTask } from './graphs.ts';
import type { GraphReader } from './query/graph-reader.ts';

const ROOT = '/code/app';
const EDIT = event('tool.after', { tool: { kind: 'edit', edits: [{ path: `${ROOT}/a.ts`, operation: 'write' }] } });
const SHELL = event('tool.after', { tool: { kind: 'shell', edits: [] } });
const PROMPT = event('prompt.submit', { prompt: { text: 'go', origin: 'human' } });

function event(name: string, more: object): Event {
  return { name, cwd: ROOT, session: 's', ...more } as unknown as Event;
}

let stamps: Map<string, string>;
let asked: GraphTask[];
let opened: string[];
let closed: string[];
let failures: string[];
let waiting: { ms: number; work: () => void }[];
let finish: ((error?: Error) => void)[];
let graphs: Graphs;

beforeEach(() => {
  stamps = new Map([[ROOT, '1']]);
  asked = [];
  opened = [];
  closed = [];
  failures = [];
  waiting = [];
  finish = [];
  graphs = createGraphs({
    stampOf: (root) => stamps.get(root),
    open(root) {
      opened.push(root);
      return { root, close: () => closed.push(root), named: () => [] } as unknown as GraphReader;
    },
    ask(task) {
      asked.push(task);
      return new Promise<void>((resolve, reject) => {
        finish.push((error) => (error ? reject(error) : resolve()));
      });
    },
    afterReply: (work) => waiting.push({ ms: 0, work }),
    soon: (ms, work) => waiting.push({ ms, work }),
    now: () => 0,
    isOff: () => false,
    onFailure: (what) => failures.push(what),
  });
});

async function settle(): Promise<void> {
  for (const { work } of waiting.splice(0)) work();
  await new Promise(setImmediate);
}

async function done(error?: Error): Promise<void> {
  finish.shift()?.(error);
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
    graphs.see(seen, ROOT);
    expect(asked).toEqual([]);
    await settle();
    expect(asked).toEqual(task === undefined ? [] : [task]);
  });

  it('gathers the changes of a burst, and what comes while work is under way', async () => {
    graphs.see(EDIT, ROOT);
    graphs.see(EDIT, ROOT);
    await settle();
    graphs.see(SHELL, ROOT);
    graphs.see(EDIT, ROOT);
    await settle();
    expect(asked).toHaveLength(1);
    await done();
    expect(asked.map((task) => task.do)).toEqual(['refresh', 'sweep']);
    await done();
    expect(asked).toHaveLength(2);
  });

  it('is left alone in a root without an index', async () => {
    graphs.see(EDIT, '/code/other');
    await settle();
    expect(asked).toEqual([]);
    expect(graphs.at('/code/other')).toBeUndefined();
  });
});

describe('what is open', () => {
  it('opens after the reply, says when it is behind, and opens again when there is newer data', async () => {
    graphs.see(PROMPT, ROOT);
    expect(graphs.at(ROOT)).toBeUndefined();
    await settle();
    expect(graphs.at(ROOT)?.state).toBe('initialised');
    await done();
    expect(graphs.at(ROOT)?.state).toBe('stable');
    graphs.see(EDIT, ROOT);
    expect(graphs.at(ROOT)?.state).toBe('initialised');
    await settle();
    stamps.set(ROOT, '2');
    await done();
    expect(graphs.at(ROOT)?.state).toBe('stable');
    expect([opened.length, closed.length]).toEqual([2, 1]);
  });

  it('goes when the index goes', async () => {
    graphs.see(PROMPT, ROOT);
    await settle();
    await done();
    stamps.delete(ROOT);
    graphs.see(PROMPT, ROOT);
    await settle();
    expect(graphs.at(ROOT)).toBeUndefined();
    expect(closed).toEqual([ROOT]);
  });

  it('keeps four roots', async () => {
    for (const name of 'abcde') {
      stamps.set(`/${name}`, '1');
      graphs.see(PROMPT, `/${name}`);
      await settle();
      await done();
    }
    expect(closed).toEqual(['/a']);
    expect(graphs.at('/a')).toBeUndefined();
    expect(graphs.at('/e')?.state).toBe('stable');
  });

  it('reports an indexing process that failed, and asks again with the next event', async () => {
    graphs.see(EDIT, ROOT);
    await settle();
    await done(new Error('killed'));
    expect(failures).toEqual(['keeping the code graph current']);
    expect(graphs.at(ROOT)?.state).toBe('initialised');
    graphs.see(EDIT, ROOT);
    await settle();
    expect(asked.map((task) => task.do)).toEqual(['refresh', 'sweep']);
  });

  it('says nothing of work that its own end cuts short, and opens nothing after it', async () => {
    graphs.see(EDIT, ROOT);
    await settle();
    graphs.close();
    stamps.set(ROOT, '2');
    await done(new Error('no more is indexed'));
    expect(failures).toEqual([]);
    expect([opened.length, closed.length]).toEqual([1, 1]);
  });
});
