import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { UsageError } from '../../../../cli/command.ts';
import { plantProject } from '../../../../cli/project.fixture.ts';
import type { PlantedProject } from '../../../../cli/project.fixture.ts';
import type { FakeWorld } from '../../../../cli/world.fixture.ts';
import { add, dismiss, list } from './remind.ts';

let project: PlantedProject;
let world: FakeWorld;
beforeEach(() => {
  project = plantProject();
  mkdirSync(join(project.root, '.context'));
  world = project.world();
});
afterEach(() => project.remove());

const store = () => join(project.root, '.context/reminders.json');
const stored = () => JSON.parse(readFileSync(store(), 'utf8')) as { id: number; message: string }[];
async function json(...[command, ...argv]: Parameters<FakeWorld['run']>): Promise<unknown> {
  world.printed.out = '';
  await world.run(command, ...argv, '--json');
  return JSON.parse(world.printed.out);
}

it('adds, lists and dismisses; no id comes twice', async () => {
  expect(await json(add, 'Rotate  the key', '--after', '2999-01-01')).toMatchObject({ id: 1, after: '2999-01-01' });
  expect(await json(add, 'Call')).toMatchObject({ id: 2, message: 'Call', after: null });
  world.printed.out = '';
  await world.run(list);
  expect(world.printed.out).toBe('id  due         text\n 1  2999-01-01  Rotate the key\n 2  now         Call\n');
  expect(await json(list)).toMatchObject([
    { id: 1, due: false },
    { id: 2, due: true },
  ]);
  expect(await world.run(dismiss, '2')).toBe(0);
  expect(await json(add, 'Again')).toMatchObject({ id: 3 });
  expect(await world.run(dismiss, '3', '9')).toBe(1);
  expect(world.printed.err).toContain('id 9');
  expect(await json(dismiss, '--all')).toEqual({ dismissed: [1], unknown: [] });
  expect(await json(add, 'After all')).toMatchObject({ id: 4 });
  expect(stored().map(({ id }) => id)).toEqual([4]);
});

it('takes over what another program wrote, and its ids count although it dismissed them here', async () => {
  project.putProject(
    '.context/reminders.json',
    '[{"id": 7, "message": "theirs", "created": "2026-02-01T10:00:00Z", "after": null, "tag": 1}]',
  );
  await world.run(dismiss, '7');
  expect(await json(add, 'ours')).toMatchObject({ id: 8 });
});

it('changes nothing when there is nothing to change', async () => {
  expect(await world.run(dismiss, '--all')).toBe(0);
  expect(existsSync(store())).toBe(false);
  const theirs = '[{"id":1,"message":"x"}]';
  project.putProject('.context/reminders.json', theirs);
  expect(await world.run(dismiss, '5')).toBe(1);
  expect(readFileSync(store(), 'utf8')).toBe(theirs);
});

it('keeps its hands off a store that it cannot read', async () => {
  project.putProject('.context/reminders.json', '[{"id": 1,');
  for (const [command, ...argv] of [[add, 'x'], [list], [dismiss, '--all']] as const)
    await expect(world.run(command, ...argv)).rejects.toThrow(/not a JSON list/);
  expect(readFileSync(store(), 'utf8')).toBe('[{"id": 1,');
});

it.each([
  [add, ['  ']],
  [add, []],
  [add, ['x', '--after', 'tomorrow']],
  [add, ['x', '--after', '2026-02-30']],
  [dismiss, []],
  [dismiss, ['one']],
  [dismiss, ['1', '--all']],
] as const)('wrong usage %#', async (command, argv) => {
  await expect(world.run(command, ...argv)).rejects.toThrow(UsageError);
});
