import { existsSync } from 'node:fs';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { init } from './commands/context.ts';
import { plantProject } from '../../../cli/project.fixture.ts';
import type { PlantedProject } from '../../../cli/project.fixture.ts';
import { fittingPacks } from '../../../cli/install/fitting-packs.ts';
import { foundOfContext } from './setup.ts';

let project: PlantedProject;
beforeEach(() => (project = plantProject()));
afterEach(() => project.remove());

it.each<[string, string[], string | undefined, boolean]>([
  ['a project without an index', [], undefined, false],
  ['an index that nobody uses yet', ['.codegraph/codegraph.db'], undefined, true],
  ['another kind of index', ['graphify-out/graph.json'], undefined, true],
  ['it is on', ['.codegraph/codegraph.db'], 'packs: { codegraph: advise }\n', false],
  ['somebody does not want it', ['.codegraph/codegraph.db'], 'packs: { codegraph: off }\n', false],
])('%s', async (_name, files, config, speaks) => {
  for (const file of files) project.putProject(file, 'x');
  if (config !== undefined) project.putUser('config.yaml', config);
  const fitting = await fittingPacks(project.root, project.world());
  expect(fitting.some(({ pack, isOpen }) => pack === 'codegraph' && isOpen)).toBe(speaks);
});

const CTX = {
  '.context/TASKS.md': '',
  '.context/DECISIONS.md': '',
  '.context/reminders.json': '[{"id":1,"message":"x"}]',
  '.context/journal/2026-01-01-1000-abc.md': '',
  '.context/hooks/messages/qa-reminder/gate.txt': 'x',
  '.ctxrc': 'context_window: 200000\ntoken_budget: 1',
};

it.each<[string, Record<string, string>, string | undefined, string | undefined]>([
  ['a project without context', {}, undefined, undefined],
  [
    'a context as it is',
    CTX,
    undefined,
    '.context (2 files, 1 reminder, 1 in the journal, 1 message of its own), and .ctxrc with settings of ctx',
  ],
  ['settings alone', { '.ctxrc': '' }, undefined, '.ctxrc with settings of ctx'],
  ['reminders that cannot be read', { '.context/reminders.json': '{' }, undefined, '.context (0 files)'],
  ['a file of that name', { '.context': 'x' }, undefined, undefined],
  ['somebody does not want it', { '.context/TASKS.md': '' }, 'packs: { context: off }\n', undefined],
])('%s', async (_name, files, config, found) => {
  for (const [path, text] of Object.entries(files)) project.putProject(path, text);
  if (config !== undefined) project.putUser('config.yaml', config);
  const fitting = await fittingPacks(project.root, project.world());
  expect(fitting.filter(({ isOpen }) => isOpen).map(({ pack }) => pack)).toEqual(
    found === undefined ? [] : ['context'],
  );
  if (found === undefined) return;
  expect(fitting[0]?.found).toBe(found);
  expect(foundOfContext(project.root, project.world())?.found).toBe(found);
});

it('says what trust would add, until it has', () => {
  for (const [path, text] of Object.entries(CTX)) project.putProject(path, text);
  expect(foundOfContext(project.root, project.world())?.afterTrust).toEqual([
    'the text of .context/*.md, and reminders, go to the agent',
    '.ctxrc sets context_window where your own settings do not',
    '1 message in its words instead of the built-in ones',
  ]);
  project.trust();
  expect(foundOfContext(project.root, project.world())?.afterTrust).toEqual([]);
});

it('says of a context that was made here that its text waits for nothing', async () => {
  await project.world().run(init);
  const found = () => foundOfContext(project.root, project.world());
  expect(found()).toMatchObject({ isMadeHere: true, afterTrust: [] });
  project.putProject('.ctxrc', 'context_window: 200000');
  expect(found()?.afterTrust).toEqual(['.ctxrc sets context_window where your own settings do not']);
});

it('makes no state of its own to find that out', () => {
  project.putProject('.context/TASKS.md', '');
  const world = project.world();
  expect(foundOfContext(project.root, world)?.isMadeHere).toBe(false);
  expect(existsSync(world.paths.state)).toBe(false);
});
