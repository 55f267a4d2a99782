import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { nodeFiles } from '../../platform/files.ts';
import { plantTree } from '../../roots/tree.fixture.ts';
import type { Tree } from '../../roots/tree.fixture.ts';
import { trustStatus } from '../../workspace/config/trust.ts';
import { fakeWorld } from '../world.fixture.ts';
import type { FakeWorld, FakeWorldOptions } from '../world.fixture.ts';
import { init } from './init.ts';
import { uninstall } from './uninstall.ts';

let tree: Tree;
let project: string;
let local: string;
let user: string;

beforeEach(() => {
  tree = plantTree();
  project = tree.repository('project');
  local = join(project, '.claude', 'settings.local.json');
  user = join(tree.home, '.claude', 'settings.json');
});
afterEach(() => tree.remove());

function world(options: Partial<FakeWorldOptions> = {}): FakeWorld {
  return fakeWorld({ home: tree.home, cwd: project, env: { PATH: process.env['PATH'] }, ...options });
}

function put(path: string, text: string): string {
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, text);
  return text;
}

const read = (path: string): string => readFileSync(path, 'utf8');
const MINE = '{\n  "hooks": {\n    "Stop": [{ "hooks": [{ "type": "command", "command": "mine.sh" }] }]\n  }\n}';
const LINE = 'Show rules, stopped calls and context left in the status line?';

it('one screen says what is there, what is written, and the diff on d', async () => {
  put(join(project, '.claude/settings.json'), MINE);
  put(join(project, '.claude/hookify.no-force.local.md'), '---\nevent: bash\n---\nNo.\n');
  put(join(project, '.codegraph/codegraph.db'), 'x');
  put(join(project, '.specweave/increments/0001-login/spec.md'), '');
  put(join(project, '.context/TASKS.md'), '');
  const at = world({ answer: false, letters: ['other', 'n'], columns: 80 });
  expect(await at.run(init)).toBe(1);
  const [before = '', after = ''] = at.printed.out.split('--- ');
  for (const words of [
    /^Found\n {2}agent +claude-code, /,
    /^ {2}project +\//m,
    /^ {2}hooks +1 of others, which stay as they are$/m,
    /^ {2}hookify +1 rule in \.claude; /m,
    /^ {2}pack codegraph +\.codegraph, an index of CodeGraph; the pack points/m,
    /^ {2}pack context +\.context \(1 file\); the pack gives/m,
    /^ {2}pack increments +\.specweave with 1 increment; the pack is on by itself$/m,
    /^To be written\n {2}\.claude\/settings\.local\.json +\d+ events; command, by /m,
  ])
    expect(before).toMatch(words);
  expect(before.split('\n').length).toBeLessThanOrEqual(24);
  expect(after).toContain(`+++ ${local}\n`);
  expect(at.asked).toEqual([
    'Switch the pack codegraph on, in this project?',
    'Switch the pack context on, in this project?',
    LINE,
    'Write this? [d]',
    'Write this? [d]',
  ]);
  expect(existsSync(local)).toBe(false);
});

describe('the status line', () => {
  const lineIn = (path: string) => (JSON.parse(read(path)) as { statusLine?: { command: string } }).statusLine?.command;

  it('is wired when the person says so, kept up to date, and taken out again to the byte', async () => {
    put(local, MINE);
    const at = world({ answer: true });
    expect(await at.run(init)).toBe(0);
    expect(lineIn(local)).toMatch(/fairlead.? statusline --config .* --state /);
    const again = world();
    expect(await again.run(init, '--yes')).toBe(0);
    expect(again.printed.out).toContain('Nothing to do');
    expect(await world().run(uninstall, '--yes')).toBe(0);
    expect(read(local)).toBe(MINE);
  });

  it.each([undefined, '{}', '{"statusLine":{"type":"command","command":"/old/bin/fairlead statusline"}}'])(
    'with --statusline, in %j',
    async (before) => {
      if (before !== undefined) put(local, before);
      expect(await world().run(init, '--yes', '--statusline')).toBe(0);
      expect(lineIn(local)).toMatch(/fairlead.? statusline --config .* --state /);
    },
  );

  it.each(['local', 'user'])('of somebody else stays, and nobody is asked: %s', async (scope) => {
    const theirs = '{"statusLine":{"type":"command","command":"mine.sh"}}';
    put(scope === 'local' ? local : user, theirs);
    const at = world({ answer: true });
    expect(await at.run(init, '--statusline')).toBe(0);
    expect(at.asked).toEqual(['Write this? [d]']);
    expect(lineIn(scope === 'local' ? local : user)).toBe('mine.sh');
    await world().run(uninstall, '--yes');
    expect(read(scope === 'local' ? local : user)).toBe(theirs);
  });

  it('of the person, everywhere', async () => {
    expect(await world({ answer: true }).run(init, '--scope', 'user')).toBe(0);
    expect(lineIn(user)).toBeDefined();
  });
});

describe('--pack', () => {
  it.each([
    [undefined, 'packs:\n  basics: on\n'],
    ['# mine\npacks:\n  basics: off # noisy\n', '# mine\npacks:\n  basics: on # noisy\n'],
    ['packs:\n  basics: advise\n', 'packs:\n  basics: advise\n'],
    ['packs:\n  basics:\n    mode: shadow\n', 'packs:\n  basics:\n    mode: shadow\n    enabled: true\n'],
  ])('over %j', async (before, after) => {
    const at = world();
    const files = { project: join(project, '.fairlead/config.yaml'), user: join(at.paths.config, 'config.yaml') };
    for (const [where, args] of [
      ['project', []],
      ['user', ['--user']],
    ] as const) {
      if (before !== undefined) put(files[where], before);
      at.printed.out = '';
      expect(await at.run(init, '--pack', 'basics', '--yes', ...args)).toBe(0);
      expect(read(files[where])).toBe(after);
      expect(at.printed.out.includes('packs: basics')).toBe(before !== after);
    }
  });

  it('of a project that an agent switches on waits for trust', async () => {
    const agent = world({ byAgent: true });
    await agent.run(init, '--pack', 'diagrams', '--yes');
    expect(agent.printed.out).toContain('once a person has accepted it with `fairlead trust`');
    const deps = { files: nodeFiles, state: agent.paths.state, now: Date.now };
    expect(trustStatus(project, deps).state).toBe('untrusted');
  });
});
