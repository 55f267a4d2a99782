import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { nodeFiles } from '../../platform/files.ts';
import { trustStatus } from '../../workspace/config/trust.ts';
import { LINE, MINE, plantInit, put, read } from '../init.fixture.ts';
import type { InitPlace } from '../init.fixture.ts';
import { init } from './init.ts';
import { uninstall } from './uninstall.ts';

let tree: InitPlace['tree'];
let project: string;
let local: string;
let user: string;
let world: InitPlace['world'];

beforeEach(() => void ({ tree, project, local, user, world } = plantInit()));
afterEach(() => tree.remove());

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
    /^ {2}hooks +1 of others, which stay as they are; see `fairlead adopt`$/m,
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

it('a person who said no to a pack hears no more of it, and nobody else is left unaware', async () => {
  put(join(project, '.codegraph/codegraph.db'), 'x');
  const asked = world({ answer: false, letters: ['y'] });
  expect(await asked.run(init)).toBe(0);
  expect(asked.asked).toContain('Switch the pack codegraph on, in this project?');
  expect(asked.printed.out).not.toContain('packs on codegraph');
  await world().run(uninstall, '--yes');
  const unasked = world();
  expect(await unasked.run(init, '--yes')).toBe(0);
  expect(unasked.printed.out).toContain('packs on codegraph');
});

describe('hooks of others', () => {
  const OFFER =
    'One hook or rule of others can be adopted: Fairlead runs them, says what they cost, and gives them back. Show them?';

  it('are offered to a person, who sees all before a second yes, and come back', async () => {
    put(local, MINE);
    const at = world({ answer: true });
    expect(await at.run(init)).toBe(0);
    expect(at.asked.slice(-2)).toEqual([OFFER, 'Write this? [d]']);
    expect(at.printed.out).toMatch(/mine\.sh +Stop/);
    expect(read(local)).not.toContain('mine.sh');
    expect(await world().run(uninstall, '--yes')).toBe(0);
    expect(read(local)).toBe(MINE);
  });

  it('stay with a no, with --yes, and where an agent answers', async () => {
    put(user, MINE);
    const no = world({ answer: false, letters: ['y'] });
    expect(await no.run(init)).toBe(0);
    expect(no.asked).toContain(OFFER);
    for (const at of [world({ answer: true, byAgent: true }), world()])
      expect([await at.run(init, '--yes'), at.asked]).toEqual([0, []]);
    const agent = world({ answer: true, byAgent: true });
    await agent.run(init);
    expect(agent.asked).not.toContain(OFFER);
    expect(read(user)).toBe(MINE);
  });
});

it('taking it out is one screen too, with the diff on d', async () => {
  put(local, MINE);
  expect(await world().run(init, '--yes')).toBe(0);
  const at = world({ answer: false, letters: ['other', 'y'] });
  expect(await at.run(uninstall)).toBe(0);
  const [before = '', after = ''] = at.printed.out.split('--- ');
  expect(before).toBe("To be taken out\n  .claude/settings.local.json  fairlead's own entries; all else stays\n\n");
  expect(after).toContain(`+++ ${local}\n`);
  expect(at.asked).toEqual(['Write this? [d]', 'Write this? [d]']);
  expect(read(local)).toBe(MINE);
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
