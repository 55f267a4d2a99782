import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { plantProject } from '../project.fixture.ts';
import type { PlantedProject } from '../project.fixture.ts';
import type { FakeWorld } from '../world.fixture.ts';
import { list, show } from './rules-list.ts';

let project: PlantedProject;
let world: FakeWorld;
const RULE = 'basics/conflict-marker';

beforeEach(() => {
  project = plantProject();
  world = project.world();
});
afterEach(() => project.remove());

interface Listed {
  readonly rules: readonly {
    readonly id: string;
    readonly mode: string;
    readonly enabled: boolean;
    readonly source: string;
    readonly origin: { readonly layer: string; readonly key?: string };
  }[];
  readonly broken: readonly {
    readonly file: string;
    readonly state: string;
    readonly problems: readonly { readonly message: string }[];
  }[];
  readonly skipped: readonly string[];
}

async function listed(...argv: string[]): Promise<Listed> {
  const before = world.printed.out.length;
  expect(await world.run(list, '--json', ...argv)).toBe(0);
  return JSON.parse(world.printed.out.slice(before)) as Listed;
}

const OWN =
  '---\nname: own\nevent: bash\npattern: rm\naction: deny\nthrottle: once per turn\nexamples:\n  deny: [rm x]\n  pass: [ls]\n---\nNo `{command}` here.\n';

describe('rules list and show', () => {
  it('lists rules that are on, and with --all the others', async () => {
    project.putUser('config.yaml', `rules:\n  ${RULE}: off\n`);
    expect((await listed()).rules.map(({ id }) => id)).not.toContain(RULE);
    expect((await listed('--all')).rules.find(({ id }) => id === RULE)).toMatchObject({
      enabled: false,
      origin: { layer: 'user', key: `rules.${RULE}` },
    });
    await world.run(list);
    expect(world.printed.out).toMatch(/\d+ more are off; --all shows them\./);
  });

  it('shows the source, broken files and files without trust', async () => {
    const own = project.putUser('rules/own.md', OWN);
    const broken = project.putUser('rules/broken.md', '---\nevent: bsh\n---\nx\n');
    project.putProject('.fairlead/rules/theirs.md', OWN);
    const found = await listed();
    expect(found.rules.find(({ id }) => id === 'user/own')).toMatchObject({
      mode: 'enforce',
      source: own,
      origin: { layer: 'rule' },
    });
    expect(found.broken).toMatchObject([
      { file: broken, state: 'broken', problems: [{ message: expect.stringContaining('bsh') }] },
    ]);
    expect(found.skipped).toEqual(['rules/theirs.md']);
    await world.run(list);
    expect(world.printed.out).toMatch(/broken\.md cannot be used:\n {2}line 2: .*`bash`/);
    expect(world.printed.out).toContain('  .fairlead/rules/theirs.md\n');
  });

  it('lists one pack, and names the packs when it is unknown', async () => {
    project.putUser('rules/own.md', OWN);
    expect((await listed('--pack', 'user')).rules.map(({ id }) => id)).toEqual(['user/own']);
    await expect(world.run(list, '--pack', 'basic')).rejects.toThrow('did you mean "basics"');
  });

  it('shows all about a rule of a file', async () => {
    project.putUser('rules/own.md', OWN);
    project.putUser('config.yaml', 'rules:\n  user/own: ask\n');
    await world.run(show, 'user/own');
    for (const part of [
      /mode +ask \(rules\.user\/own in the user's config\.yaml\)/,
      /source +~\/\.fairlead\/config\/rules\/own\.md/,
      /listens to +tool\.before of shell/,
      /throttle +once per turn/,
      /guard +yes/,
      /message \(rule file\)\n {4}No `\{command\}` here\./,
      /deny +rm x\n {2}pass +ls/,
      /mode ask: deny becomes ask/,
      /claude-code +tool\.before +deny enforced +ask enforced +note advised +warn person/,
    ])
      expect(world.printed.out).toMatch(part);
  });

  it('shows overridden messages, needs, options and what is expected', async () => {
    project.putUser('messages/basics/repeated-failure/again.md', 'Stop, {count} times.\n');
    await world.run(show, 'basics/repeated-failure');
    for (const part of [
      /needs +a session/,
      /option after +3/,
      /expects +read within 4 tool calls/,
      /again \(user\)\n {4}Stop, \{count\} times\./,
    ])
      expect(world.printed.out).toMatch(part);
    await expect(world.run(show, 'basics/repeated-failures')).rejects.toThrow(
      'did you mean "basics/repeated-failure"?',
    );
  });
});

describe('with an agent', () => {
  it('says what each rule comes to there', async () => {
    const reach = async (agent: string) => {
      const { rules } = (await world.json(list, '--agent', agent)) as unknown as {
        rules: readonly { id: string; reach: object }[];
      };
      return Object.fromEntries(rules.map((rule) => [rule.id, rule.reach]));
    };
    expect((await reach('claude-code'))['guard/circumvention']).toMatchObject({ isHeard: true });
    const there = await reach('codex');
    expect(there['guard/settings-change']).toMatchObject({ isHeard: true });
    expect(there['guard/careful']).toMatchObject({ verdicts: { ask: 'denied' } });
    expect(there['guard/single-files']).toMatchObject({ saves: true });
    expect(there['basics/repeated-failure']).toMatchObject({ untold: ['tool.failed'] });
    await world.run(list, '--agent', 'codex');
    expect(world.printed.out).toContain('WITH CODEX');
    expect(world.printed.out).toContain('not told of tool.failed');
    await expect(world.run(list, '--agent', 'nobody')).rejects.toThrow('no agent named "nobody"');
  });
});
