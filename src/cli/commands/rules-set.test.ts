import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CommandError, UsageError } from '../command.ts';
import { knownRules, ruleNamed } from '../known-rules.ts';
import { plantProject } from '../project.fixture.ts';
import type { PlantedProject } from '../project.fixture.ts';
import type { FakeWorld } from '../world.fixture.ts';
import { list } from './rules-list.ts';
import { disable, enable, mode } from './rules-set.ts';

let project: PlantedProject;
let world: FakeWorld;
const RULE = 'basics/conflict-marker';

beforeEach(() => {
  project = plantProject();
  world = project.world();
});
afterEach(() => project.remove());

async function modeOf(id: string): Promise<string | undefined> {
  const before = world.printed.out.length;
  await world.run(list, '--json', '--all');
  const { rules } = JSON.parse(world.printed.out.slice(before)) as { rules: { id: string; mode: string }[] };
  return rules.find((rule) => rule.id === id)?.mode;
}

describe('a rule without its pack', () => {
  it('is taken by every verb, for every rule that is built in', async () => {
    await world.run(list, '--json', '--all');
    const { rules } = JSON.parse(world.printed.out) as { rules: { id: string }[] };
    const known = await knownRules(world);
    expect(rules.length).toBeGreaterThan(20);
    for (const { id } of rules) expect(ruleNamed(known, id.slice(id.indexOf('/') + 1)).meta.id).toBe(id);
    await world.run(mode, 'conflict-marker', 'shadow');
    expect(project.readUser('config.yaml')).toBe(`rules:\n  ${RULE}: shadow\n`);
    await world.run(enable, 'conflict-marker');
    await world.run(disable, 'conflict-marker');
    expect(await modeOf(RULE)).toBe('off');
  });

  it('is quiet for a time under its whole name', async () => {
    await world.run(mode, 'catastrophe', 'off', '--for', '1h');
    expect(world.printed.out).toContain('guard/catastrophe');
    expect(world.printed.out).toContain('`fairlead rules enable guard/catastrophe` ends it before');
  });

  it('is refused where two rules have the name, and the pack counts before a rule', async () => {
    const text = '---\nevent: bash\nwords: [x]\naction: note\n---\nX.\n';
    project.putUser('rules/git.md', text);
    project.putUser('rules/guard.md', text);
    world = project.world();
    await expect(world.run(mode, 'git', 'off')).rejects.toThrow(
      '"git" stands for guard/git and user/git; give the whole name',
    );
    await world.run(mode, 'guard', 'shadow');
    expect(project.readUser('config.yaml')).toBe('packs:\n  guard: shadow\n');
  });
});

describe('rules enable, disable and mode', () => {
  it.each<[what: string, before: string, run: () => Promise<number>, after: string, mode: string]>([
    ['disables in a file that is not there yet', '', () => world.run(disable, RULE), `rules:\n  ${RULE}: off\n`, 'off'],
    [
      'enables what a word switched off',
      `rules:\n  ${RULE}: off # tired\n`,
      () => world.run(enable, RULE),
      `rules:\n  ${RULE}: on # tired\n`,
      'advise',
    ],
    [
      'keeps the mode of an entry',
      `rules:\n  ${RULE}:\n    mode: ask\n`,
      () => world.run(disable, RULE),
      `rules:\n  ${RULE}:\n    mode: ask\n    enabled: false\n`,
      'off',
    ],
    [
      'enables out of the mode off',
      `rules:\n  ${RULE}:\n    mode: off\n    priority: 9\n`,
      () => world.run(enable, RULE),
      `rules:\n  ${RULE}:\n    priority: 9\n    enabled: true\n`,
      'advise',
    ],
    [
      'leaves a mode word alone',
      `rules:\n  ${RULE}: shadow\n`,
      () => world.run(enable, RULE),
      `rules:\n  ${RULE}: shadow\n`,
      'shadow',
    ],
    [
      'sets a mode',
      `# mine\n`,
      () => world.run(mode, RULE, 'enforce'),
      `# mine\nrules:\n  ${RULE}: enforce\n`,
      'enforce',
    ],
    [
      'sets a mode and switches on',
      `rules:\n  ${RULE}:\n    enabled: false\n`,
      () => world.run(mode, RULE, 'ask'),
      `rules:\n  ${RULE}:\n    enabled: true\n    mode: ask\n`,
      'ask',
    ],
    ['switches a pack off', '', () => world.run(disable, 'basics'), 'packs:\n  basics: off\n', 'off'],
    ['caps a pack', '', () => world.run(mode, 'basics', 'shadow'), 'packs:\n  basics: shadow\n', 'shadow'],
  ])('%s', async (_, before, run, after, expected) => {
    project.putUser('config.yaml', before);
    expect(await run()).toBe(0);
    expect(project.readUser('config.yaml')).toBe(after);
    expect(await modeOf(RULE)).toBe(expected);
  });

  it('says what changed, and that nothing did', async () => {
    await world.run(mode, RULE, 'shadow');
    expect(world.printed.out).toContain(`${RULE}: advise → shadow`);
    await world.run(mode, RULE, 'shadow');
    expect(world.printed.out).toContain('nothing was changed');
  });

  it('says when a trusted project is above it', async () => {
    project.putProject('.fairlead/config.yaml', `rules:\n  ${RULE}: ask\n`);
    project.trust();
    await world.run(disable, RULE);
    expect(world.printed.out).toContain(`${RULE} stays ask because of rules.${RULE} in the project's config.yaml`);
    expect(project.readUser('config.yaml')).toContain('off');
  });

  it('says which rules of a pack stay as they are', async () => {
    project.putUser('config.yaml', `rules:\n  ${RULE}: enforce\n`);
    await world.run(disable, 'basics');
    expect(world.printed.out).toContain(`${RULE} stays enforce because of rules.${RULE} in the user's config.yaml`);
    expect(world.printed.out).toContain('basics/generated-file: ask → off');
  });

  it('tells as data what changed', async () => {
    const told = async (...[command, ...argv]: Parameters<FakeWorld['run']>) => {
      world.printed.out = '';
      await world.run(command, ...argv, '--json');
      return JSON.parse(world.printed.out) as object;
    };
    const file = project.putUser('config.yaml', '');
    const off = { id: RULE, mode: 'off' };
    const base = { rule: RULE, set: 'off', file };
    expect(await told(disable, RULE)).toEqual({ ...base, changed: true, rules: [{ ...off, before: 'advise' }] });
    expect(await told(disable, RULE)).toEqual({ ...base, changed: false, rules: [{ ...off, before: 'off' }] });
    const because = `rules.${RULE} in the user's config.yaml`;
    expect(await told(mode, 'basics', 'ask')).toMatchObject({
      pack: 'basics',
      changed: true,
      rules: expect.arrayContaining([{ ...off, before: 'off', because }]),
    });
  });

  it('fails when the file has another problem, and still keeps the change', async () => {
    project.putUser('config.yaml', 'attention: 5\n');
    await expect(world.run(disable, RULE)).rejects.toThrow(/not in force yet:\n {2}line 1: expected a map/);
    await expect(world.run(disable, RULE)).rejects.toThrow(CommandError);
    expect(project.readUser('config.yaml')).toContain(`${RULE}: off`);
  });

  it.each([
    [['basics/conflict-maker', 'off'], /did you mean "basics\/conflict-marker"/],
    [['conflict-maker', 'off'], /no rule or pack "conflict-maker"; did you mean "basics\/conflict-marker"/],
    [['nothing-like-it', 'off'], /no rule or pack "nothing-like-it"; `fairlead rules list --all`/],
    [['basic', 'off'], /did you mean "basics"/],
    [[RULE, 'enforced'], /did you mean "enforce"/],
    [['project/none', 'off'], /no rule "project\/none"/],
  ])('refuses %j', async (argv, message) => {
    await expect(world.run(mode, ...argv)).rejects.toThrow(UsageError);
    await expect(world.run(mode, ...argv)).rejects.toThrow(message);
  });
});
