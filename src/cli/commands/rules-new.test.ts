import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CommandError, UsageError } from '../command.ts';
import { nodeFiles } from '../../platform/files.ts';
import { trustStatus } from '../../workspace/config/trust.ts';
import { plantProject } from '../project.fixture.ts';
import type { PlantedProject } from '../project.fixture.ts';
import { fakeWorld } from '../world.fixture.ts';
import { list, show } from './rules-list.ts';
import { create } from './rules-new.ts';
import { test } from './rules-test.ts';

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

describe('from one line', () => {
  it('a rule of this project that is ready, trusted and in shadow, and says so', async () => {
    const world = project.world();
    await world.run(create, 'no-deploy', '--command', 'npm run deploy*', '--deny', 'Deploys go through CI.');
    expect(await rules()).toMatchObject({ 'project/no-deploy': 'shadow' });
    expect(world.printed.out).toBe(
      'Wrote .fairlead/rules/no-deploy.md: the rule project/no-deploy.\n' +
        'It starts in shadow: it says nothing, and `fairlead log` shows what it would do. `fairlead rules mode project/no-deploy enforce` puts it in force.\n' +
        'Next: `fairlead rules test project/no-deploy`.\n',
    );
    world.printed.out = '';
    expect(await world.run(test, 'no-deploy')).toBe(0);
    expect(world.printed.out).toMatch(/^ok {4}project\/no-deploy {2}2 examples\n\n1 rule, all/);
  });

  it.each([
    [['--ask', 'Sure?', '--mode', 'ask'], 'ask'],
    [['--note', 'Mind the tests.', '--mode', 'advise'], 'advise'],
    [['--deny', 'No.', '--mode', 'enforce'], 'enforce'],
  ])('%j is in force at once', async (argv, mode) => {
    const world = project.world();
    await world.run(create, 'mine', '--path', 'db/**', '--user', ...argv);
    expect(await rules()).toMatchObject({ 'user/mine': mode });
    expect(world.printed.out).toContain(`Its mode is ${mode}.`);
  });

  it('one that an agent writes waits for trust, and so does one beside files that nobody has accepted', async () => {
    const agent = project.world({ byAgent: true });
    await agent.run(create, 'ours', '--command', 'x y', '--deny', 'No.');
    expect(agent.printed.out).toContain('until a person has accepted it with `fairlead trust`');
    for (const name of ['ours', 'project/ours'])
      await expect(project.world().run(show, name)).rejects.toThrow(
        /^project\/ours has no effect yet.*`fairlead trust`/,
      );
    const person = project.world();
    await person.run(create, 'second', '--command', 'x y', '--deny', 'No.');
    expect(person.printed.out).toContain('`fairlead trust`');
    expect(Object.keys(await rules()).filter((id) => id.startsWith('project/'))).toEqual([]);
  });

  it('does not accept the text of a directory on the way', async () => {
    project.putProject('.context/DECISIONS.md', '# Decisions\n');
    await project.world().run(create, 'ours', '--command', 'x y', '--deny', 'No.');
    const deps = { files: nodeFiles, state: project.world().paths.state, now: Date.now };
    expect(trustStatus(project.root, deps)).toMatchObject({ state: 'trusted', context: 'absent' });
  });

  it.each([
    [['--command', '*', '--deny', 'No.'], 'fits every command'],
    [['--path', '**', '--deny', 'No.'], 'fits every file'],
    [['--command', 'a', '--path', 'b'], 'not both'],
    [['--deny', 'a', '--ask', 'b'], 'not both'],
    [['--deny', 'a', '--action', 'ask'], 'not both'],
    [['--deny', ' '], 'what the agent is to read'],
    [['--command', 'a b', '--event', 'file'], 'is about bash, not file'],
    [['--command', 'a b', '--deny', 'No {nonsense} here.'], 'cannot be used'],
    [['--mode', 'hard'], 'one of off, shadow'],
    [['--user', '--scope', 'project'], 'not both'],
  ])('refuses %j, and writes nothing', async (argv, message) => {
    const run = project.world().run(create, 'x', ...argv);
    await expect(run).rejects.toThrow(UsageError);
    await expect(run).rejects.toThrow(message);
    expect(existsSync(join(project.root, '.fairlead'))).toBe(false);
  });

  it('outside of a project it says what to do', async () => {
    const world = fakeWorld({ home: project.home, cwd: project.home });
    await expect(world.run(create, 'x')).rejects.toThrow('--user makes the rule yours');
  });
});

describe('to start from', () => {
  it.each([
    ['bash', 'deny', 'enforce'],
    ['file', 'ask', 'ask'],
    ['prompt', 'note', 'advise'],
    ['stop', 'deny', 'enforce'],
  ])('writes a rule that works: %s, %s', async (event, action, mode) => {
    const world = project.world();
    const argv = ['--event', event, '--action', action, '--user', '--mode', mode];
    expect(await world.run(create, 'mine', ...argv)).toBe(0);
    expect(await rules()).toMatchObject({ 'user/mine': mode });
    expect(world.printed.out).toMatch(
      /Wrote ~\/.*rules\/mine\.md.*\n.*\nNext: edit it, then `fairlead rules test user\/mine`/,
    );
  });

  it.each([
    ['no-deploy', 'deny', /deploy/],
    ['ask-before-npm-publish', 'ask', /npm\\s\+publish/],
    ['prefer-pnpm', 'note', /prefer\\s\+pnpm/],
  ])('fits its name: %s', async (name, action, pattern) => {
    await project.world().run(create, name, '--user');
    const text = project.readUser(`rules/${name}.md`);
    expect(text).toContain(`\naction: ${action}\n`);
    expect(text).toMatch(pattern);
    expect(await project.world().run(test, name)).toBe(0);
  });

  it('never replaces a file', async () => {
    const path = project.putUser('rules/mine.md', 'kept');
    await expect(project.world().run(create, 'mine', '--user')).rejects.toThrow(/is there already/);
    expect(readFileSync(path, 'utf8')).toBe('kept');
  });

  it('refuses a name that another file has', async () => {
    await project.world().run(create, 'mine', '--user');
    const text = project.readUser('rules/mine.md');
    writeFileSync(project.putUser('rules/other.md', ''), text.replace('name: mine', 'name: second'));
    await expect(project.world().run(create, 'second', '--user')).rejects.toThrow(CommandError);
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
