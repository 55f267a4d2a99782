import { appendFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openEngine } from '../assembly/open-engine.ts';
import { openWorld } from '../packs/world.fixture.ts';
import { nodeFiles } from '../platform/files.ts';
import { graphsInProcess } from '../graph/resident/in-process-graphs.fixture.ts';
import { drainRoots, queueRoot } from './index-queue.ts';

let run: string;
beforeEach(() => {
  run = mkdtempSync(join(tmpdir(), 'fairlead-run-'));
});
afterEach(() => rmSync(run, { recursive: true, force: true }));

const take = () => drainRoots(nodeFiles, run);

it('what is left is taken once, each root as it was left first', () => {
  expect(take()).toEqual([]);
  queueRoot(nodeFiles, run, { root: '/a', reason: 'session-start' });
  queueRoot(nodeFiles, run, { root: '/b', reason: 'file' });
  queueRoot(nodeFiles, run, { root: '/a', reason: 'cwd' });
  expect(take()).toEqual([
    { root: '/a', reason: 'session-start' },
    { root: '/b', reason: 'file' },
  ]);
  expect(take()).toEqual([]);
  expect(readdirSync(run)).toEqual([]);
});

it('a line that is no root is passed over', () => {
  queueRoot(nodeFiles, run, { root: '/a', reason: 'file' });
  for (const name of readdirSync(run)) appendFileSync(join(run, name), '{"root":3,"reason":"file"}\nnull\n{"root":"/b');
  expect(take()).toEqual([{ root: '/a', reason: 'file' }]);
});

it('nothing is left where nobody can stay', () => {
  const missing = join(run, 'missing');
  queueRoot(nodeFiles, missing, { root: '/a', reason: 'file' });
  expect(drainRoots(nodeFiles, missing)).toEqual([]);
});

it('where nobody takes them, they stay few', () => {
  for (let at = 0; at < 2_000; at += 1) queueRoot(nodeFiles, run, { root: `/${'d'.repeat(100)}${at}`, reason: 'file' });
  expect(take().length).toBeLessThan(600);
});

it.each([
  ['on', 'packs: { autocontext: on }\n', ['index']],
  ['off', '', []],
])('where a process for one event was, one that stays indexes when the pack is %s', async (_, config, expected) => {
  const world = openWorld({ config, resident: false, files: { 'a.py': 'def f():\n    pass\n' } });
  const graphs = graphsInProcess();
  const { paths, home, root } = world;
  mkdirSync(paths.run, { recursive: true });
  const staying = openEngine({ paths, userHome: home, resident: true, createGraphs: (deps) => graphs.create(deps) });
  try {
    expect((await world.event('SessionStart', { source: 'startup' })).stdout).toBe('');
    await world.engine.finishLate(0);
    await staying.indexQueued();
    await graphs.idle();
    expect(graphs.asked.map(({ do: what, root: at }) => [what, at])).toEqual(expected.map((what) => [what, root]));
    await staying.indexQueued();
    await graphs.idle();
    expect(graphs.asked).toHaveLength(expected.length);
  } finally {
    staying.close();
    world.close();
  }
});
