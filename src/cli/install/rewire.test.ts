import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { INSTALLERS } from '../../adapters/installers.generated.ts';
import { ADAPTERS } from '../../adapters/registry.ts';
import { plainEvent } from '../../engine/engine.fixture.ts';
import { nodeFiles } from '../../platform/files.ts';
import { acceptProject, listProject } from '../../workspace/config/trust.ts';
import { init } from '../commands/init.ts';
import { off, on } from '../commands/packs.ts';
import { create } from '../commands/rules-new.ts';
import { enable, mode } from '../commands/rules-set.ts';
import { trust, untrust } from '../commands/trust.ts';
import { uninstall } from '../commands/uninstall.ts';
import { checkWiring } from '../doctor/wiring.ts';
import { plantProject } from '../project.fixture.ts';
import type { PlantedProject } from '../project.fixture.ts';
import type { FakeWorld } from '../world.fixture.ts';
import { heardAt } from './heard.ts';
import { inspectInstall } from './inspect.ts';

const ALL = INSTALLERS[0]?.wired.map(({ name }) => name) ?? [];
const LATER = '---\nname: later\nevent: notification\n---\nLater.\n';

let planted: PlantedProject;
let file: string;
beforeEach(() => {
  planted = plantProject();
  file = join(planted.root, '.claude', 'settings.local.json');
});
afterEach(() => planted.remove());

const open = (byAgent = false): FakeWorld => planted.world({ env: { PATH: process.env['PATH'] }, byAgent });
const wiredIn = (path = file): string[] =>
  Object.keys((JSON.parse(readFileSync(path, 'utf8')) as { hooks: object }).hooks);

async function installed(...args: readonly string[]): Promise<FakeWorld> {
  const world = open();
  expect(await world.run(init, '--yes', ...args)).toBe(0);
  return world;
}

async function findings(world: FakeWorld) {
  const heard = await heardAt(planted.root, world);
  return checkWiring(planted.root, world, () => true, heard).findings.filter(({ what }) =>
    / call[s]? Fairlead on/.test(what),
  );
}

/** As versions before left it: every event. */
async function installedBefore(): Promise<void> {
  const world = await installed();
  const text = readFileSync(file, 'utf8');
  const { hooks, ...rest } = JSON.parse(text) as { hooks: Record<string, unknown> };
  const [installer] = INSTALLERS;
  const words = installer?.read(text).own.find(({ event }) => event === 'Stop')?.words ?? [];
  for (const name of ALL) {
    const args = words.slice(1).map((word) => (word === 'Stop' ? name : word));
    hooks[name] ??= [{ hooks: [{ type: 'command', command: words[0], args, timeout: 10 }] }];
  }
  writeFileSync(file, JSON.stringify({ ...rest, hooks }, null, 2));
  expect(wiredIn().sort()).toEqual([...ALL].sort());
  world.close();
}

describe('init', () => {
  it('wires less than there is, and every event on which the agent can be held', async () => {
    await installed();
    const [adapter] = ADAPTERS;
    const held = INSTALLERS[0]?.wired.filter(({ canonical }) => adapter?.capabilities(canonical).deny === 'enforced');
    expect(wiredIn()).toEqual(expect.arrayContaining(held?.map(({ name }) => name) ?? []));
    expect(wiredIn()).toEqual(expect.arrayContaining(['SessionStart', 'SessionEnd', 'PostToolUse']));
    expect(wiredIn()).not.toContain('Notification');
    expect(wiredIn()).not.toContain('CwdChanged');
  });

  it('leaves out what tells of calls where no rule listens to that', async () => {
    planted.putUser('config.yaml', 'packs:\n  guard: off\n  basics: off\n  increments: off\n  peers: off\n');
    await installed();
    for (const name of ['PostToolUse', 'PostToolUseFailure', 'PostToolBatch', 'PermissionDenied'])
      expect(wiredIn()).not.toContain(name);
  });

  it('takes older installations down, and doctor names what they have too much', async () => {
    await installedBefore();
    const world = open();
    expect(await findings(world)).toMatchObject([
      { level: 'note', what: expect.stringMatching(/calls Fairlead on .*Notification/), next: 'fairlead init' },
    ]);
    await world.run(init, '--yes');
    expect(wiredIn()).not.toContain('Notification');
    expect(wiredIn()).toContain('PreToolUse');
    expect(await findings(world)).toEqual([]);
    await world.run(uninstall, '--yes');
    expect(inspectInstall(planted.root, world).flatMap(({ wired }) => wired)).toEqual([]);
  });

  it('counts a pack that it switches on itself', async () => {
    await installed('--pack', 'codegraph');
    expect(wiredIn()).toContain('CwdChanged');
    expect(await findings(open())).toEqual([]);
  });

  it('wires all in a file that others share', async () => {
    mkdirSync(join(planted.home, 'bin'));
    writeFileSync(join(planted.home, 'bin', 'fairlead'), '#!/bin/sh\n', { mode: 0o755 });
    const world = planted.world({ env: { PATH: `${join(planted.home, 'bin')}:${process.env['PATH']}` } });
    await world.run(init, '--yes', '--scope', 'project');
    expect(wiredIn(join(planted.root, '.claude', 'settings.json'))).toEqual(ALL);
    expect((await findings(world)).map(({ what }) => what)).toEqual([]);
  });

  it('of a person wires what any project needs that is trusted', async () => {
    const other = join(planted.home, 'other');
    const settings = join(other, '.fairlead', 'config.yaml');
    mkdirSync(dirname(settings), { recursive: true });
    writeFileSync(join(other, 'package.json'), '{}');
    writeFileSync(settings, 'packs:\n  codegraph: on\n');
    const user = join(planted.home, '.claude', 'settings.json');
    await installed('--scope', 'user');
    expect(wiredIn(user)).not.toContain('CwdChanged');
    const world = open();
    const deps = { files: nodeFiles, state: world.paths.state, now: Date.now };
    expect(acceptProject(listProject(other, deps), deps).accepted).toBe(true);
    await world.run(init, '--yes', '--scope', 'user');
    expect(wiredIn(user)).toContain('CwdChanged');
  });
});

describe('rules that change', () => {
  it.each<[string, (world: FakeWorld) => Promise<unknown>, (world: FakeWorld) => Promise<unknown>]>([
    ['packs on and off', (world) => world.run(on, 'codegraph'), (world) => world.run(off, 'codegraph')],
    [
      'packs of a person',
      (world) => world.run(on, 'codegraph', '--user'),
      (world) => world.run(off, 'codegraph', '--user'),
    ],
    [
      'rules enable and mode',
      (world) => world.run(enable, 'codegraph'),
      (world) => world.run(mode, 'codegraph', 'off'),
    ],
  ])('%s', async (_, more, less) => {
    const world = await installed();
    const before = readFileSync(file, 'utf8');
    await more(world);
    expect(wiredIn()).toContain('CwdChanged');
    expect(world.printed.err).toContain('note: .claude/settings.local.json now calls Fairlead on CwdChanged.');
    expect(await findings(world)).toEqual([]);
    await less(world);
    expect(readFileSync(file, 'utf8')).toBe(before);
    expect(world.printed.err).toContain('calls Fairlead no more on CwdChanged.');
    await world.run(uninstall, '--yes');
    expect(nodeFiles.exists(file)).toBe(false);
  });

  it('a project that is trusted, and no more', async () => {
    const world = await installed();
    planted.putProject('.fairlead/rules/later.md', LATER);
    expect(await findings(world)).toEqual([]);
    await world.run(trust, '--yes');
    expect(wiredIn()).toContain('Notification');
    await world.run(untrust);
    expect(wiredIn()).not.toContain('Notification');
  });

  it('a rule that is new listens where all is wired already', async () => {
    const world = await installed();
    const before = readFileSync(file, 'utf8');
    await world.run(create, 'no-push', '--user', '--command', 'git push', '--deny', 'Ask first.');
    expect(readFileSync(file, 'utf8')).toBe(before);
    expect(world.printed.err).toBe('');
  });

  it('an agent is told what a person runs', async () => {
    await installed();
    const before = readFileSync(file, 'utf8');
    const world = open(true);
    await world.run(on, 'codegraph', '--user');
    expect(readFileSync(file, 'utf8')).toBe(before);
    expect(world.printed.err).toContain(
      'does not call Fairlead on CwdChanged, where rules listen now. A person runs `fairlead init`.',
    );
  });

  it('what init would have to mend as well is left to it', async () => {
    await installed();
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll('bin/current', 'bin/elsewhere'));
    const before = readFileSync(file, 'utf8');
    const world = open();
    await world.run(on, 'codegraph');
    expect(readFileSync(file, 'utf8')).toBe(before);
    expect(world.printed.err).toContain('A person runs `fairlead init`.');
  });

  it('where nothing is wired nothing is written or said', async () => {
    const world = open();
    await world.run(on, 'codegraph');
    expect(nodeFiles.exists(file)).toBe(false);
    expect(world.printed.err).toBe('');
  });
});

it('a session that starts names a rule that was added by hand, until init has wired it', async () => {
  const noticed = async () => {
    const event = { ...plainEvent('session.start'), cwd: planted.root };
    const { policy } = await open().engine().workspaces.locate(event, planted.root);
    return policy.notices.filter((text) => text.includes('user/later'));
  };
  const world = await installed();
  expect(await noticed()).toEqual([]);
  planted.putUser('rules/later.md', LATER);
  expect(await noticed()).toEqual([
    'The agent does not tell of notification, so user/later does not hear of it. `fairlead init` wires it.',
  ]);
  await world.run(init, '--yes');
  expect(await noticed()).toEqual([]);
});

describe('doctor', () => {
  it('names a rule that was added by hand and is not heard', async () => {
    const world = await installed();
    planted.putUser('rules/later.md', LATER);
    expect(await findings(world)).toMatchObject([
      {
        level: 'attention',
        what: '.claude/settings.local.json does not call Fairlead on Notification.',
        why: expect.stringContaining('user/later'),
        next: 'fairlead init',
      },
    ]);
  });

  it('names an entry that somebody took out', async () => {
    const world = await installed();
    const settings = JSON.parse(readFileSync(file, 'utf8')) as { hooks: Record<string, unknown> };
    delete settings.hooks['PreToolUse'];
    delete settings.hooks['TaskCreated'];
    writeFileSync(file, JSON.stringify(settings));
    expect(await findings(world)).toMatchObject([
      { level: 'attention', what: expect.stringContaining('on PreToolUse.') },
      { level: 'note', what: expect.stringContaining('on TaskCreated.') },
    ]);
  });
});
