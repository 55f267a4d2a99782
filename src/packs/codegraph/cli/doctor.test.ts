import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { EXPLORE, grep, INDEXED, openIndexed, seen } from '../../nudge.fixture.ts';
import type { World } from '../../world.fixture.ts';
import { knownRules } from '../../../cli/known-rules.ts';
import { enable } from '../../../cli/commands/rules-set.ts';
import { fakeWorld } from '../../../cli/world.fixture.ts';
import type { FakeWorld } from '../../../cli/world.fixture.ts';
import { checkCodegraph } from './doctor.ts';
import type { Section } from '../../../cli/doctor/report.ts';
import { checkRules } from '../../../cli/doctor/rules.ts';

let world: World;
let cli: FakeWorld | undefined;
afterEach(() => {
  cli?.close();
  cli = undefined;
  world.close();
});

/** The command line has the real clock, so what it looks at happened now. */
async function open(files: Readonly<Record<string, string>> = INDEXED): Promise<void> {
  world = await openIndexed({ files, turn: 0 });
  world.now = Date.now();
  await world.event('SessionStart', { source: 'startup' });
  await world.prompt('go');
}

async function examine(cwd = world.root): Promise<Section | undefined> {
  await world.pass(1_000);
  cli = fakeWorld({ home: world.home, cwd });
  const [section] = checkCodegraph(await knownRules(cli), cli);
  return section;
}

const told = (section: Section | undefined) =>
  section?.findings.map(({ what, next }) => `${what} → ${next}`).join('\n');

it('says nothing where the pack is off', async () => {
  world = await openIndexed({ config: 'packs: { codegraph: off }' });
  expect(await examine()).toBeUndefined();
});

it('names the indexes and how they are asked', async () => {
  await open();
  const section = await examine();
  expect(section?.facts).toEqual([['indexes', `CodeGraph, asked by ${EXPLORE}`]]);
  expect(section?.findings).toEqual([]);
});

it('no rule of the pack says what the agent has no channel for', async () => {
  await open();
  cli = fakeWorld({ home: world.home, cwd: world.root });
  const { findings } = checkRules(await knownRules(cli), cli);
  expect(findings.filter(({ what }) => what.includes('codegraph/'))).toEqual([]);
});

it('an index that nobody can ask', async () => {
  await open({ '.codegraph/codegraph.db': 'x' });
  expect(told(await examine())).toMatch(
    /CodeGraph has an index here, and no way to ask it is known.* → register its server/,
  );
});

it('an index of the main checkout, in a linked work tree', async () => {
  await open();
  const gitDir = world.put('.git/worktrees/topic/gitdir', `${world.home}/topic/.git\n`);
  world.put('.git/worktrees/topic/commondir', '../..\n');
  world.put(`${world.home}/topic/.git`, `gitdir: ${join(gitDir, '..')}\n`);
  expect(told(await examine(`${world.home}/topic`))).toMatch(
    /lies in the main checkout, .*project.* → index this work tree/,
  );
});

it('an index that is older than the code', async () => {
  await open();
  world.put('.codegraph/codegraph.db', 'x', world.now - 60_000);
  const path = join(world.root, 'src/a.ts');
  await world.after('Edit', { file_path: path, old_string: 'a', new_string: 'b' }, { filePath: path });
  expect(told(await examine())).toMatch(/CodeGraph index is older than the code/);
});

it('graph calls that never ended', async () => {
  await open();
  world.now -= 200_000;
  await world.before(EXPLORE, { query: 'x' }, { tool_use_id: 'one' });
  await world.before(EXPLORE, { query: 'x' }, { tool_use_id: 'two' });
  world.now += 130_000;
  await world.before(EXPLORE, { query: 'x' }, { tool_use_id: 'three' });
  await world.after(EXPLORE, { query: 'x' }, 'found', { tool_use_id: 'three' });
  world.now += 70_000;
  expect(told(await examine())).toMatch(/^2 graph calls began here and were never seen to end/);
});

it('few notes followed, and how the rule speaks again', async () => {
  await open();
  for (let session = 0; session < 20; session += 1) {
    const own = { session_id: `many-${session}` };
    await world.prompt('go', own);
    await grep(world, {}, own);
    await grep(world, {}, own);
    await world.event('Stop', own);
  }
  expect(seen(await grep(world))).toBe('pass');
  const section = await examine();
  expect(section?.facts).toContainEqual(['notes followed', '0 % of the last 20']);
  expect(told(section)).toMatch(/0 % were followed.* → fairlead rules mode codegraph\/search-nudge off retires it/);

  expect(await cli?.run(enable, 'codegraph/search-nudge')).toBe(0);
  expect(cli?.printed.out).toContain('codegraph/search-nudge speaks again in this project');
  expect(seen(await grep(world))).toBe('note');
});
