import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { plantTree } from '../../roots/tree.fixture.ts';
import type { Tree } from '../../roots/tree.fixture.ts';
import { UsageError } from '../command.ts';
import { fakeWorld } from '../world.fixture.ts';
import type { FakeWorld } from '../world.fixture.ts';
import { check } from './check.ts';

const GOOD = `---
event: bash
pattern: ^npm publish
action: deny
examples:
  deny: [npm publish]
  pass: [npm pack]
---
Releases go through CI.
`;

let tree: Tree;
let project: string;
let world: FakeWorld;
beforeEach(() => {
  tree = plantTree();
  project = tree.repository('project');
  world = fakeWorld({ home: tree.home, cwd: project, env: { PATH: '/nowhere' } });
});
afterEach(() => {
  world.close();
  return tree.remove();
});

function put(name: string, text: string): void {
  mkdirSync(dirname(join(project, name)), { recursive: true });
  writeFileSync(join(project, name), text);
}

async function run(...args: readonly string[]): Promise<{ readonly code: number; readonly out: string }> {
  world.printed.out = '';
  const code = await world.run(check, ...args);
  return { code, out: world.printed.out };
}

interface Told {
  readonly passed: boolean;
  readonly rules: number;
  readonly problems: readonly Record<string, unknown>[];
}
const asJson = async (...args: readonly string[]) => JSON.parse((await run('--format', 'json', ...args)).out) as Told;

describe('a repository in order', () => {
  it.each([
    ['without anything of ours', () => {}, 0],
    ['with a rule', () => put('.fairlead/rules/no-publish.md', GOOD), 1],
  ])('%s passes, in every format', async (_, plant, rules) => {
    plant();
    for (const format of ['text', 'json', 'github', 'sarif', 'junit'])
      expect((await run('--format', format, '--strict')).code, format).toBe(0);
    expect(await asJson()).toMatchObject({ passed: true, rules, problems: [] });
  });

  it('is no other where the person has rules and settings of their own, trusts nothing, and has wired agents', async () => {
    put('.fairlead/rules/no-publish.md', GOOD);
    const before = await run();
    mkdirSync(join(world.paths.config, 'rules'), { recursive: true });
    writeFileSync(join(world.paths.config, 'rules', 'broken.md'), 'no front matter');
    writeFileSync(join(world.paths.config, 'config.yaml'), 'rules: [');
    put('.claude/settings.local.json', '{ "hooks": [');
    expect(await run()).toEqual(before);
  });

  it('leaves nothing behind', async () => {
    put('.fairlead/rules/no-publish.md', GOOD);
    await run();
    expect(readdirSync(tmpdir()).filter((name) => name.startsWith(`fairlead-check-`))).toEqual([]);
    expect(readdirSync(project).toSorted()).toEqual(['.fairlead', '.git']);
  });
});

describe('what is wrong', () => {
  const cases: readonly [string, Readonly<Record<string, string>>, object][] = [
    [
      'an example that fails',
      { '.fairlead/rules/a.md': GOOD.replace('[npm pack]', '[npm publish now]') },
      {
        level: 'error',
        about: 'project/a',
        file: '.fairlead/rules/a.md',
        text: expect.stringMatching(/^expected pass, got deny/),
      },
    ],
    [
      'no examples',
      { '.fairlead/rules/a.md': '---\nevent: bash\npattern: x\naction: deny\n---\nNo.\n' },
      { level: 'error', about: 'project/a', text: expect.stringContaining('has no examples') },
    ],
    [
      'a rule that cannot be read',
      { '.fairlead/rules/a.md': GOOD.replace('event: bash', 'event: nothing-known') },
      { level: 'error', about: 'project/a', file: '.fairlead/rules/a.md', line: 2 },
    ],
    [
      'settings that cannot be read',
      { '.fairlead/config.yaml': 'rules:\n  guard/system: [\n' },
      { level: 'error', about: 'Settings', file: '.fairlead/config.yaml' },
    ],
    [
      'shared hooks that the agent leaves out',
      { '.claude/settings.json': '{ "hooks": { "PreToolUse": [ { "hooks": [ { "type": "nonsense" } ] } ] } }' },
      { level: 'error', about: 'Shared hooks', file: '.claude/settings.json' },
    ],
    [
      'a switch in shared settings',
      { '.claude/settings.json': '{ "disableAllHooks": true }' },
      { level: 'error', about: 'Shared hooks', text: expect.stringContaining('sets disableAllHooks') },
    ],
  ];
  it.each(cases)('%s is said with its place', async (_, files, problem) => {
    for (const [name, text] of Object.entries(files)) put(name, text);
    const told = await asJson();
    expect(told.problems).toEqual([expect.objectContaining(problem)]);
    expect(told.passed).toBe(false);
    expect((await run()).code).toBe(1);
  });
});

describe('formats', () => {
  const BAD = GOOD.replace('event: bash', 'event: a,b:c%d');

  it('GitHub shows it at the line', async () => {
    put('.fairlead/rules/a, b.md', BAD);
    const { out } = await run('--format', 'github');
    const [line = ''] = out.split('\n');
    expect(line).toMatch(
      /^::error file=\.fairlead\/rules\/a%2C b\.md,line=2,title=fairlead%3A project\/a%2C b::[^\n]*%25d/,
    );
  });

  it('code scanning gets a rule, a level and a place', async () => {
    put('.fairlead/rules/a.md', BAD);
    const { runs } = JSON.parse((await run('--format', 'sarif')).out) as {
      runs: { tool: { driver: { rules: object[] } }; results: object[] }[];
    };
    expect(runs[0]?.tool.driver.rules).toEqual([{ id: 'project/a' }]);
    expect(runs[0]?.results).toMatchObject([
      {
        ruleId: 'project/a',
        level: 'error',
        locations: [
          { physicalLocation: { artifactLocation: { uri: '.fairlead/rules/a.md' }, region: { startLine: 2 } } },
        ],
      },
    ]);
  });

  it('a test report has a case for each rule and part, with what XML cannot hold spelled out', async () => {
    put('.fairlead/rules/a.md', GOOD.replace('[npm pack]', '["npm publish <\\u0001&>"]'));
    put('.fairlead/rules/b.md', GOOD);
    const { out } = await run('--format', 'junit');
    expect(out).toMatch(/<testsuite name="fairlead" tests="\d+" failures="1">/);
    expect(out).toContain('<testcase classname="fairlead" name="project/b">\n  </testcase>');
    expect(out).toMatch(/<failure message="expected pass, got deny[^"<]*&lt;/);
    expect(out).not.toContain('\u0001');
  });

  it('no line of a log begins with what the repository says', async () => {
    put('.fairlead/rules/a.md', GOOD.replace('event: bash', 'name: "x\\n::add-mask::y"\nevent: bash'));
    for (const format of ['text', 'github']) await world.run(check, '--format', format);
    expect(world.printed.out).toContain('::add-mask::y');
    expect(world.printed.out).not.toMatch(/^\s*::add-mask/m);
  });

  it('an unknown one is a mistake', async () => {
    await expect(run('--format', 'xml')).rejects.toThrow(UsageError);
  });
});
