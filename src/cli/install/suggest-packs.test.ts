import { afterEach, beforeEach, expect, it } from 'vitest';
import { plantProject } from '../project.fixture.ts';
import type { PlantedProject } from '../project.fixture.ts';
import { suggestPacks } from './suggest-packs.ts';

let project: PlantedProject;
beforeEach(() => (project = plantProject()));
afterEach(() => project.remove());

it.each<[string, string[], string[], string | undefined, boolean]>([
  ['a project without an index', [], [], undefined, false],
  ['an index that nobody uses yet', ['.codegraph/codegraph.db'], [], undefined, true],
  ['another kind of index', ['graphify-out/graph.json'], [], undefined, true],
  ['the pack is being switched on', ['.codegraph/codegraph.db'], ['codegraph'], undefined, false],
  ['it is on', ['.codegraph/codegraph.db'], [], 'packs: { codegraph: advise }\n', false],
  ['somebody does not want it', ['.codegraph/codegraph.db'], [], 'packs: { codegraph: off }\n', false],
])('%s', (_name, files, chosen, config, speaks) => {
  for (const file of files) project.putProject(file, 'x');
  if (config !== undefined) project.putUser('config.yaml', config);
  const lines = suggestPacks(project.root, chosen, project.world());
  expect(lines.some((line) => line.includes('init --pack codegraph'))).toBe(speaks);
});
