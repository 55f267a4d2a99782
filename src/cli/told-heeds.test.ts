import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import type { Heed } from '../event/heed.ts';
import { ask, grep, openIndexed } from '../packs/nudge.fixture.ts';
import { openWorld } from '../packs/world.fixture.ts';
import type { World } from '../packs/world.fixture.ts';
import { explain } from './commands/explain.ts';
import { log } from './commands/log.ts';
import { stats } from './commands/stats.ts';
import type { ToldHeed } from './told-heeds.ts';
import { fakeWorld } from './world.fixture.ts';

const LINT = `---
name: lint
event: file
paths: ['src/**']
expect: {tool: bash, words: [npm run lint], around: [--no-verify], within: 3}
---
Run \`npm run lint\`.
`;
const NO_PUSH = `---
name: no-push
event: bash
pattern: git push
action: deny
expect: {tool: bash, words: [gh pr create], within: 2}
---
Open a pull request instead.
`;

let world: World;
afterEach(() => world.close());

function openRules(): void {
  world = openWorld({
    homeFiles: { '.fairlead/config/rules/lint.md': LINT, '.fairlead/config/rules/no-push.md': NO_PUSH },
  });
}
const cli = () => fakeWorld({ home: world.home, cwd: world.root, columns: 160 });
const edit = (more = {}) => world.before('Write', { file_path: join(world.root, 'src/a.ts'), content: 'x' }, more);
const run = (command: string, more = {}) => world.before('Bash', { command }, more);

/** By the ids of the decisions, the oldest first. */
async function heedsIn(): Promise<{ id: string; heeds?: readonly ToldHeed[] }[]> {
  world.engine.ledger.flush();
  const terminal = cli();
  await terminal.run(log, '--json', '-n', 'all');
  const rows = terminal.printed.out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { id: string; heeds?: readonly ToldHeed[] });
  terminal.close();
  return rows;
}
const outcomesIn = async () =>
  (await heedsIn()).flatMap(({ heeds = [] }) =>
    heeds.map(({ outcome, calls }) => [outcome, ...calls.map((c) => c.what)]),
  );

it.each<[string, () => Promise<unknown>, readonly string[]]>([
  ['is awaited', async () => run('ls'), ['open']],
  [
    'is followed',
    async () => (await run('ls'), await run('npm run lint -- --fix')),
    ['followed', 'npm run lint -- --fix'],
  ],
  [
    'is ignored',
    async () => (
      await run('ls'),
      await world.before('Read', { file_path: join(world.root, 'b.md') }),
      await run('git status')
    ),
    ['ignored', 'ls', 'Read b.md', 'git status'],
  ],
  [
    'goes round it',
    async () => (await run('ls'), await run('git commit --no-verify -m x')),
    ['round', 'git commit --no-verify -m x'],
  ],
  ['has no chance to show', async () => world.event('Stop', {}), ['moot']],
  [
    'is judged by its own calls alone',
    async () => {
      await run('npm run lint', { agent_id: 'sub', agent_type: 'general' });
      await run('npm run lint', { session_id: 'another' });
      for (const command of ['a', 'b', 'c']) await run(command);
    },
    ['ignored', 'a', 'b', 'c'],
  ],
])('advice of a decision %s', async (_, next, told) => {
  openRules();
  await edit();
  await next();
  expect(await outcomesIn()).toEqual([told]);
});

it('survives the end of the engine in between', async () => {
  openRules();
  await edit();
  await run('ls');
  world.restart();
  await run('npm run lint');
  world.restart();
  expect(await outcomesIn()).toEqual([['followed', 'npm run lint']]);
});

it('what is said again is judged by the later one', async () => {
  openRules();
  await edit();
  await edit();
  await run('npm run lint');
  expect(await outcomesIn()).toEqual([['moot'], ['followed', 'npm run lint']]);
});

it('a denial that names another way says whether it was taken', async () => {
  openRules();
  expect((await run('git push origin main')).action).toBe('deny');
  await run('gh pr create --fill');
  expect(await outcomesIn()).toEqual([['followed', 'gh pr create --fill']]);
});

it('log, explain and stats tell it', async () => {
  openRules();
  await edit();
  await run('ls');
  await run('npm run lint');
  const [{ id, heeds } = { id: '' }, , followed] = await heedsIn();
  expect(heeds).toEqual([
    { rule: 'user/lint', outcome: 'followed', calls: [{ n: 3, id: followed?.id, tool: 'Bash', what: 'npm run lint' }] },
  ]);
  const terminal = cli();
  await terminal.run(log);
  expect(terminal.printed.out).toContain(`user/lint: followed with npm run lint (${followed?.id})`);
  await terminal.run(explain, id);
  expect(terminal.printed.out).toMatch(/then +user\/lint: followed with npm run lint/);
  expect((await terminal.json(explain, id))['heeds']).toEqual(heeds);
  const { rules } = (await terminal.json(stats, '--rule', 'user/lint')) as {
    rules: readonly Record<string, unknown>[];
  };
  expect(rules).toMatchObject([{ rule: 'user/lint', followed: 1, ignored: 0, round: 0, moot: 0 }]);
  terminal.close();
});

it('a rule that judges itself tells it of its decisions as well', async () => {
  world = await openIndexed();
  await grep(world);
  await world.before('Read', { file_path: 'x' });
  await ask(world);
  await world.prompt('next');
  await grep(world);
  await grep(world);
  await world.event('Stop', {});
  expect(await outcomesIn()).toEqual([
    ['followed', expect.stringContaining('codegraph_explore')],
    ['ignored', expect.stringContaining('Grep')],
  ]);
});

it('what an engine of an earlier build awaited names no decision, and is counted', async () => {
  openRules();
  await edit();
  const cell = Object.entries(world.cells('expect'))[0]?.[1] as (Heed & object)[];
  expect(cell).toHaveLength(1);
  const { store } = world.engine;
  const [{ id } = { id: '' }] = store.list('session', world.now).filter((one) => one.id.includes('expect'));
  const value = JSON.stringify(cell.map((open) => ({ ...open, decision: undefined })));
  store.commit({ reads: new Map(), changes: [{ op: 'set', id, value, expires: 0 }], now: world.now });
  await run('npm run lint');
  expect(await outcomesIn()).toEqual([['open']]);
  expect(Object.values(world.cells('followed'))).toEqual([1]);
});
