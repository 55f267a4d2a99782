import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { plantTree } from '../../roots/tree.fixture.ts';
import type { Tree } from '../../roots/tree.fixture.ts';
import { doctor } from '../commands/doctor.ts';
import { init } from '../commands/init.ts';
import { fakeWorld } from '../world.fixture.ts';
import type { FakeWorld } from '../world.fixture.ts';

const PLUGIN = join(import.meta.dirname, '..', '..', '..', 'plugin');
const ID = 'fairlead@fairlead';

let tree: Tree;
let project: string;
let worlds: FakeWorld[];
beforeEach(() => {
  tree = plantTree();
  project = tree.repository('project');
  worlds = [];
});
afterEach(() => {
  for (const each of worlds) each.close();
  return tree.remove();
});

function world(): FakeWorld {
  const made = fakeWorld({ home: tree.home, cwd: project, env: { PATH: '/nowhere' }, columns: 2_000 });
  worlds.push(made);
  return made;
}

function put(path: string, value: object): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, JSON.stringify(value, null, 2));
}

/** As the client leaves it. */
function install(isOn: boolean, settings = join(tree.home, '.claude', 'settings.json')): void {
  const at = join(tree.home, '.claude', 'plugins', 'cache', 'fairlead', 'fairlead', '0.1.0');
  cpSync(PLUGIN, at, { recursive: true });
  put(join(tree.home, '.claude', 'plugins', 'installed_plugins.json'), {
    version: 2,
    plugins: { [ID]: [{ scope: 'user', installPath: at }] },
  });
  put(settings, { enabledPlugins: { [ID]: isOn } });
}

const local = (): string => join(project, '.claude', 'settings.local.json');
const hooksIn = (path: string): number =>
  existsSync(path) ? readFileSync(path, 'utf8').split('--agent').length - 1 : 0;

it('init writes no hooks beside a plugin that calls, says so, and lets the plugin start this copy', async () => {
  install(true);
  for (const scope of ['local', 'user']) {
    const at = world();
    expect(await at.run(init, '--yes', '--scope', scope)).toBe(0);
    expect(at.printed.err).toContain(`claude-code calls Fairlead by its plugin ${ID}, so no hooks are written for it`);
    expect(at.printed.err).toContain(`claude plugin uninstall ${ID}`);
    expect(at.printed.out).toContain('Nothing to do.');
    expect(existsSync(join(at.paths.state, 'bin', 'current', 'fairlead'))).toBe(true);
  }
  expect(hooksIn(local()) + hooksIn(join(tree.home, '.claude', 'settings.json'))).toBe(0);
});

it.each([
  ['is off', () => install(false)],
  [
    'is off in this project',
    () => (install(true), put(join(project, '.claude', 'settings.json'), { enabledPlugins: { [ID]: false } })),
  ],
])('init writes hooks where the plugin %s', async (_, plant) => {
  plant();
  expect(await world().run(init, '--yes')).toBe(0);
  expect(hooksIn(local())).toBeGreaterThan(0);
});

it('init for all projects writes hooks where only this project switches the plugin on', async () => {
  install(true, join(project, '.claude', 'settings.json'));
  const at = world();
  expect(await at.run(init, '--yes', '--scope', 'user')).toBe(0);
  expect(hooksIn(join(tree.home, '.claude', 'settings.json'))).toBeGreaterThan(0);
  expect(at.printed.err).toContain(`\`claude plugin uninstall ${ID}\` takes that one out`);
});

it('is seen in an agent that names its plugins in TOML, and agrees to hooks by hand', async () => {
  const dir = join(tree.home, '.codex');
  cpSync(PLUGIN, join(dir, 'plugins', 'cache', 'fairlead', 'fairlead', '0.1.0'), { recursive: true });
  const set = (isOn: boolean) => writeFileSync(join(dir, 'config.toml'), `[plugins."${ID}"]\nenabled = ${isOn}\n`);
  set(true);
  const argv = ['--yes', '--scope', 'user', '--agent', 'codex'];
  const at = world();
  expect(await at.run(init, ...argv)).toBe(0);
  expect(at.printed.err).toMatch(
    /codex calls Fairlead by its plugin fairlead@fairlead, .*`codex plugin remove fairlead@fairlead`/,
  );
  expect(at.printed.err).toContain('type /hooks');
  expect(hooksIn(join(dir, 'hooks.json'))).toBe(0);
  await at.run(doctor);
  expect(at.printed.out).toMatch(/codex, plugin +\d+ events by fairlead@fairlead/);
  set(false);
  expect(await world().run(init, ...argv)).toBe(0);
  expect(hooksIn(join(dir, 'hooks.json'))).toBeGreaterThan(0);
  set(true);
  const both = world();
  await both.run(doctor);
  expect(both.printed.out).toMatch(/codex calls Fairlead twice on \d+ events/);
});

it('doctor counts the plugin as wiring, and says which of two to take out', async () => {
  install(true);
  const alone = world();
  await alone.run(doctor);
  expect(alone.printed.out).toMatch(/claude-code, plugin +27 events by fairlead@fairlead/);
  expect(alone.printed.out).not.toContain('No agent that works in');
  // Written before the plugin came.
  put(join(tree.home, '.claude', 'settings.json'), {});
  expect(await world().run(init, '--yes')).toBe(0);
  put(join(tree.home, '.claude', 'settings.json'), { enabledPlugins: { [ID]: true } });
  const both = world();
  await both.run(doctor);
  expect(both.printed.out).toMatch(/claude-code calls Fairlead twice on \d+ events/);
  expect(both.printed.out).toContain('Next: fairlead uninstall --scope local\n');
  const again = world();
  expect(await again.run(init, '--yes')).toBe(0);
  expect(again.printed.err).toContain('calls it a second time; `fairlead uninstall --scope local` takes that one out');
});
