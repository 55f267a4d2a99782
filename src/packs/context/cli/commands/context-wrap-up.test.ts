import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, utimesSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { LOAD_ORDER } from '../../files.ts';
import { cellId } from '../../../../state/cells.ts';
import { plantProject } from '../../../../cli/project.fixture.ts';
import type { PlantedProject } from '../../../../cli/project.fixture.ts';
import type { FakeWorld } from '../../../../cli/world.fixture.ts';
import { wrapUp } from './context-wrap-up.ts';
import { add, init } from './context.ts';

let project: PlantedProject;
let world: FakeWorld;
beforeEach(() => {
  project = plantProject();
  world = project.world();
});
afterEach(() => {
  vi.unstubAllEnvs();
  return project.remove();
});

const inContext = (name: string) => join(project.root, '.context', name);
const git = (...args: readonly string[]) =>
  execFileSync('git', ['-C', project.root, '-c', 'user.name=a', '-c', 'user.email=a@b', ...args]);
const cell = (name: string, key?: string) => project.cell(world, name, key);

const yesterday = () => Date.now() / 1_000 - 2 * 86_400;

it('says what is not saved and hushes advice for two hours', async () => {
  git('init', '-q');
  await world.run(init);
  git('add', '-A');
  git('commit', '-qm', 'x');
  for (const name of LOAD_ORDER) utimesSync(inContext(name), yesterday(), yesterday());
  await world.run(add, 'learning', 'Unfilled');
  const unsaved = await world.json(wrapUp);
  expect(unsaved).toMatchObject({
    changed: ['LEARNINGS.md'],
    unchanged: ['TASKS.md', 'DECISIONS.md'],
    uncommitted: ['.context/LEARNINGS.md'],
    openTasks: ['Describe this project in ARCHITECTURE.md'],
  });
  expect(unsaved['unfilled']).toEqual([expect.stringMatching(/^LEARNINGS\.md: \[.+\] Unfilled$/)]);
  const { at } = cell('context.wrapped_up') as { at: number };
  expect(unsaved['until']).toBe(at + 7_200_000);
  const [stored] = world.engine().store.list(cellId('workspace', project.root, 'context.wrapped_up'), at);
  expect(stored?.expires).toBe(at + 7_200_000);
  expect(
    world.engine().store.get(cellId('workspace', project.root, 'context.wrapped_up'), at + 7_200_001),
  ).toBeUndefined();
  world.printed.out = '';
  await world.run(wrapUp);
  expect(world.printed.out).toContain('Not changed in the last day: TASKS.md, DECISIONS.md\n');
  expect(world.printed.out).toContain('fairlead context add');
  expect(world.printed.out).toMatch(/Wrapped up: .* until /);
});

const MINUTE = 60_000;
it.each<[string, string | undefined, readonly [string, number][], string | undefined, readonly string[]]>([
  [
    'the session that calls',
    's1',
    [
      ['s1', 120 * MINUTE],
      ['s2', 600 * MINUTE],
      ['s2', MINUTE],
    ],
    's1',
    [],
  ],
  [
    'the one that is active beside a person',
    undefined,
    [
      ['s1', 120 * MINUTE],
      ['s1', MINUTE],
    ],
    's1',
    [],
  ],
  ['a longer one', 's1', [['s1', 240 * MINUTE]], 's1', ['DECISIONS.md', 'TASKS.md']],
  [
    'the last day, when none was heard of for a while',
    undefined,
    [['s1', 11 * MINUTE]],
    undefined,
    ['DECISIONS.md', 'TASKS.md'],
  ],
])('counts from the beginning of %s', async (_name, own, heard, session, changed) => {
  world = project.world(own === undefined ? {} : { env: { CLAUDE_CODE_SESSION_ID: own } });
  await world.run(init, '--minimal');
  const threeHoursAgo = Date.now() / 1_000 - 3 * 3_600;
  for (const name of ['TASKS.md', 'DECISIONS.md']) utimesSync(inContext(name), threeHoursAgo, threeHoursAgo);
  for (const [each, ago] of heard) project.heard(world, each, ago);
  const unsaved = await world.json(wrapUp);
  expect(unsaved['session']).toBe(session);
  expect(unsaved['changed']).toEqual(['CONSTITUTION.md', ...changed]);
  expect((cell('context.wrapped_up') as { session?: string }).session).toBe(session);
  expect(unsaved).not.toHaveProperty('uncommitted');
});

it('is about the context where it was called', async () => {
  mkdirSync(join(project.root, 'packages/a/.context'), { recursive: true });
  Object.defineProperty(world, 'cwd', { value: join(project.root, 'packages/a') });
  await world.run(wrapUp);
  expect(['', 'packages/a'].filter((key) => cell('context.wrapped_up', key) !== undefined)).toEqual(['packages/a']);
});

it('does not wait long for git, and says that it did not answer', async () => {
  await world.run(init, '--minimal');
  const bin = dirname(project.putProject('bin/git', "#!/bin/sh\ntrap '' TERM\nexec sleep 60\n"));
  chmodSync(join(bin, 'git'), 0o755);
  vi.stubEnv('PATH', `${bin}:${process.env['PATH']}`);
  const began = Date.now();
  await world.run(wrapUp);
  expect(Date.now() - began).toBeLessThan(50_000);
  expect(world.printed.out).toContain('Not committed: unknown, git did not answer within 2 s\n');
  expect(world.printed.out).toContain('Wrapped up: ');
});

it('lasts as long as the settings say', async () => {
  project.putUser('config.yaml', 'packs: { context: { wrap_up: { hours: 50 } } }\n');
  await world.run(init, '--minimal');
  const { until } = await world.json(wrapUp);
  expect(until).toBe((cell('context.wrapped_up') as { at: number }).at + 50 * 3_600_000);
});
