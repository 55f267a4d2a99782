import { beforeEach, expect, it } from 'vitest';
import type { Event } from '../event/event.ts';
import { createGraphs } from './graphs.ts';
import type { Graphs } from './graphs.ts';
import type { IndexRequest } from './indexer/request.ts';
import type { GraphReader } from './query/graph-reader.ts';
import type { Scope } from './scope.ts';

const ROOT = '/code/app';

let hasIndex: boolean;
let scope: Scope | undefined;
let isHeld: boolean;
let asked: IndexRequest[];
let finish: ((error?: Error) => void)[];
let waiting: (() => void)[];
let graphs: Graphs;

beforeEach(() => {
  hasIndex = true;
  scope = scopeOf('core');
  isHeld = false;
  asked = [];
  finish = [];
  waiting = [];
  graphs = createGraphs({
    stampOf: () => (hasIndex ? '1' : undefined),
    open: (root) => ({ root, close() {} }) as unknown as GraphReader,
    ask(task) {
      asked.push(task);
      return new Promise((resolve, reject) => {
        finish.push((error) => (error ? reject(error) : resolve({ files: 10 })));
      });
    },
    draw: () => Promise.resolve(),
    isThere: () => true,
    isChanged: () => false,
    readScope: () => scope,
    packageOf: (root, path) =>
      path
        .slice(root.length + 1)
        .split('/')
        .at(-2),
    isHeld: () => isHeld,
    readRecord: () => undefined,
    writeRecord() {},
    writeActive() {},
    afterReply: (work) => waiting.push(work),
    soon: (_ms, work) => waiting.push(work),
    now: () => 1_000,
    isOff: () => false,
    onFailure() {},
  });
});

function scopeOf(...touched: string[]): Scope {
  return { version: 1, root: ROOT, files: 10, of: 12, touched, first: touched };
}

async function see(kind: 'read' | 'edit', path: string): Promise<void> {
  const full = `${ROOT}/${path}`;
  const edits = kind === 'edit' ? [{ path: full, operation: 'write' }] : [];
  const tool = { kind, paths: kind === 'read' ? [full] : [], edits };
  const place = { root: ROOT, project: ROOT, reason: 'file' as const, workspace: { markerBacked: true } };
  graphs.see({
    event: { name: 'tool.after', cwd: ROOT, session: 's', tool } as unknown as Event,
    asides: [],
    silenced: [],
    place: { ...place, policy: { graph: { walk: {}, pictures: 'off', force: false } } },
  });
  for (const work of waiting.splice(0)) work();
  await new Promise(setImmediate);
}

async function done(error?: Error): Promise<void> {
  finish.shift()?.(error);
  await new Promise(setImmediate);
}

const touched = () => asked.map((task) => task.touched);

it('a package that comes first already, and a file of the root itself, are not asked for', async () => {
  await see('read', 'core/a.ts');
  await see('read', 'top.ts');
  expect(asked).toEqual([]);
  expect(graphs.at(ROOT)?.hasPartialScope).toBe(true);
});

it('another one is asked for once', async () => {
  await see('read', 'zeta/a.ts');
  expect(asked).toEqual([{ do: 'sweep', root: ROOT, touched: ['zeta'], walk: {} }]);
  // No file came with it, so that nothing else tells of it.
  scope = scopeOf('zeta', 'core');
  await done();
  await see('read', 'zeta/b.ts');
  expect(asked).toHaveLength(1);
});

it('one that is written to counts as well', async () => {
  await see('edit', 'zeta/a.ts');
  expect(touched()).toEqual([['zeta']]);
});

it('and is asked for again when that failed', async () => {
  isHeld = true;
  await see('read', 'zeta/a.ts');
  await done(new Error('another process writes'));
  isHeld = false;
  await see('read', 'core/a.ts');
  expect(touched()).toEqual([['zeta'], ['zeta']]);
});

it('one that was touched before there was an index is asked for when there is', async () => {
  hasIndex = false;
  await see('read', 'zeta/a.ts');
  hasIndex = true;
  await done();
  expect(asked).toMatchObject([{ do: 'index' }, { do: 'sweep', touched: ['zeta'] }]);
});

it('where all files are indexed, none is asked for', async () => {
  scope = undefined;
  await see('read', 'zeta/a.ts');
  expect(asked).toEqual([]);
  expect(graphs.at(ROOT)?.hasPartialScope).toBe(false);
});
