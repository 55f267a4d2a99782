import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CommandError, UsageError } from '../command.ts';
import { plantProject } from '../project.fixture.ts';
import type { PlantedProject } from '../project.fixture.ts';
import { list } from './rules-list.ts';
import { create } from './rules-new.ts';

let project: PlantedProject;
beforeEach(() => void (project = plantProject()));
afterEach(() => project.remove());

async function rules(): Promise<Record<string, string>> {
  const world = project.world();
  await world.run(list, '--json', '--all');
  const found = JSON.parse(world.printed.out) as { rules: { id: string; mode: string }[]; broken: unknown[] };
  expect(found.broken).toEqual([]);
  return Object.fromEntries(found.rules.map(({ id, mode }) => [id, mode]));
}

describe('rules new', () => {
  it.each([
    ['bash', 'deny', 'enforce'],
    ['file', 'ask', 'ask'],
    ['prompt', 'note', 'advise'],
    ['stop', 'deny', 'enforce'],
  ])('writes a rule that is in force: %s, %s', async (event, action, mode) => {
    const world = project.world();
    expect(await world.run(create, 'mine', '--event', event, '--action', action)).toBe(0);
    expect(await rules()).toMatchObject({ 'user/mine': mode });
    expect(world.printed.out).toMatch(/Wrote ~\/.*rules\/mine\.md.*\nNext: .*`fairlead rules test user\/mine`/);
  });

  it('writes a rule of the project, which waits for trust', async () => {
    const world = project.world();
    await world.run(create, 'ours', '--scope', 'project');
    expect(existsSync(join(project.root, '.fairlead/rules/ours.md'))).toBe(true);
    expect(world.printed.out).toContain('fairlead trust');
    expect(await rules()).not.toHaveProperty('project/ours');
    project.trust();
    expect(await rules()).toHaveProperty('project/ours');
  });

  it('never replaces a file', async () => {
    const path = project.putUser('rules/mine.md', 'kept');
    await expect(project.world().run(create, 'mine')).rejects.toThrow(/is there already/);
    expect(readFileSync(path, 'utf8')).toBe('kept');
  });

  it('refuses a name that another file has', async () => {
    await project.world().run(create, 'mine');
    const text = project.readUser('rules/mine.md');
    writeFileSync(project.putUser('rules/other.md', ''), text.replace('name: mine', 'name: second'));
    await expect(project.world().run(create, 'second')).rejects.toThrow(CommandError);
  });

  it.each([
    [['No Spaces'], 'try "no-spaces"'],
    [['../up'], 'try "up"'],
    [['x', '--event', 'bsh'], 'did you mean "bash"'],
    [['x', '--action', 'allow'], 'one of note, ask, deny'],
    [['x', '--scope', 'me'], 'one of user, project'],
  ])('refuses %j', async (argv, message) => {
    await expect(project.world().run(create, ...argv)).rejects.toThrow(UsageError);
    await expect(project.world().run(create, ...argv)).rejects.toThrow(message);
  });
});
