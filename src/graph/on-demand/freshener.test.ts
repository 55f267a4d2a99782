import { afterEach, beforeEach, expect, it } from 'vitest';
import { openProject } from '../indexer/project.fixture.ts';
import type { Project } from '../indexer/project.fixture.ts';
import { nodeFiles } from '../../platform/files.ts';
import { openFreshener } from './freshener.ts';

let project: Project;
beforeEach(async () => {
  project = openProject(Object.fromEntries(Array.from({ length: 200 }, (_, n) => [`f${n}.py`, `def f${n}(): pass\n`])));
  await project.indexer().indexAll();
});
afterEach(() => project.close());

const indexing = { ask: () => Promise.reject(new Error('nothing is indexed here')) };

async function sweep(sweepMs: number) {
  const { state, root } = project;
  const freshener = openFreshener({ state, root, files: nodeFiles, indexing, sweepMs });
  try {
    await freshener.sweep();
    return { partial: freshener.isPartial(), behind: freshener.behind() };
  } finally {
    freshener.close();
  }
}

it('does not claim to be up to date when there was no time to look at all files', async () => {
  expect(await sweep(60_000)).toEqual({ partial: false, behind: 0 });
  expect(await sweep(0)).toEqual({ partial: true, behind: 0 });
});

it('counts what changed and could not be read again', async () => {
  project.write('f7.py', 'def other(): pass\n');
  project.remove('f8.py');
  expect(await sweep(60_000)).toEqual({ partial: false, behind: 2 });
});
