import { writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { plantProject } from '../project.fixture.ts';
import type { PlantedProject } from '../project.fixture.ts';
import { create } from './rules-new.ts';
import { test } from './rules-test.ts';

let project: PlantedProject;
beforeEach(() => void (project = plantProject()));
afterEach(() => project.remove());

const RULE =
  '---\nname: mine\nevent: bash\npattern: \\brm\\b\naction: deny\nexamples:\n  deny: [rm x]\n  pass: [npm run arm]\n---\nNo.\n';

interface Result {
  readonly passed: number;
  readonly failed: number;
  readonly rules: readonly {
    readonly id: string;
    readonly examples: number;
    readonly failures: readonly string[];
    readonly warnings: readonly string[];
  }[];
}

async function tested(...argv: string[]): Promise<Result & { readonly code: number }> {
  const world = project.world();
  const code = await world.run(test, '--json', ...argv);
  return { code, ...(JSON.parse(world.printed.out) as Result) };
}

describe('rules test', () => {
  it('finds every built-in rule as its examples say', async () => {
    const result = await tested();
    expect(result).toMatchObject({ code: 0, failed: 0 });
    expect(result.rules.find(({ id }) => id === 'basics/conflict-marker')?.examples).toBe(3);
  });

  it.each(['bash', 'file', 'prompt', 'stop'])('finds a new rule as its examples say: %s', async (event) => {
    for (const action of ['note', 'ask', 'deny']) {
      if (action === 'ask' && (event === 'prompt' || event === 'stop')) continue;
      await project.world().run(create, `${event}-${action}`, '--user', '--event', event, '--action', action);
      expect((await tested(`user/${event}-${action}`)).rules).toMatchObject([{ failures: [], examples: 2 }]);
    }
  });

  it.each([
    ['acts on what it should let through', ['npm run arm', 'rm -r arm'], /^expected pass, got deny: rm -r arm/],
    [
      'lets through what it should stop',
      ['[rm x]', '[ls]'],
      /^expected deny, got pass: ls\n {2}because: the text does not match/,
    ],
    ['has another verdict', ['  deny: [rm x]', '  ask: [rm x]'], /^expected ask, got deny: rm x/],
    ['has no near miss', ['[npm run arm]', '[{ event: prompt, prompt: rm x }]'], /^has no near miss/],
    ['has no examples', ['examples:\n  deny: [rm x]\n  pass: [npm run arm]\n', ''], /^has no examples/],
    ['cannot be read', ['event: bash', 'event: bsh'], /^line 3: there is no event `bsh`/],
  ])('fails a rule that %s', async (_, [from, to], failure) => {
    project.putUser('rules/mine.md', RULE.replace(from as string, to as string));
    const result = await tested('user/mine');
    expect(result).toMatchObject({
      code: 1,
      failed: 1,
      rules: [{ id: 'user/mine', failures: [expect.stringMatching(failure)] }],
    });
  });

  it('tests rules of a project before they are trusted', async () => {
    project.putProject('.fairlead/rules/ours.md', RULE.replace('name: mine', 'name: ours'));
    expect(await tested('project')).toMatchObject({ code: 0, rules: [{ id: 'project/ours', examples: 2 }] });
  });

  it('tests a rule that is switched off, too', async () => {
    project.putUser('rules/mine.md', RULE.replace('event: bash', 'event: bash\nenabled: false'));
    expect(await tested('user/mine')).toMatchObject({ code: 0, passed: 1 });
  });

  it('fails the second rule of one name, and a file that is no text', async () => {
    project.putUser('rules/a.md', RULE);
    project.putUser('rules/b.md', RULE);
    writeFileSync(project.putUser('rules/c.md', ''), Buffer.from([0xff, 0xfe]));
    expect((await tested('user')).rules.map(({ failures }) => failures)).toEqual([
      [],
      [expect.stringContaining('already in rules/a.md')],
      ['is not UTF-8 text'],
    ]);
  });

  it('prints one line for each rule, and details of failures', async () => {
    project.putUser('rules/mine.md', RULE.replace('[rm x]', '[ls]'));
    const world = project.world();
    expect(await world.run(test, 'user/mine', 'basics')).toBe(1);
    expect(world.printed.out).toMatch(/^ok {4}basics\/conflict-marker {2}3 examples$/m);
    expect(world.printed.out).toMatch(
      /^FAIL {2}user\/mine {2}2 examples {2}~\/.*mine\.md\n {6}expected deny, got pass: ls\n {8}because: /m,
    );
    expect(world.printed.out).toMatch(/rules, 1 failed\n$/);
  });

  it('knows no other rules', async () => {
    await expect(project.world().run(test, 'basics/conflict-maker')).rejects.toThrow(
      'did you mean "basics/conflict-marker"?',
    );
  });
});
