import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { plantTree } from '../../roots/tree.fixture.ts';
import type { Tree } from '../../roots/tree.fixture.ts';
import { rewire } from '../install/rewire.ts';
import { fakeWorld } from '../world.fixture.ts';
import type { FakeWorld, FakeWorldOptions } from '../world.fixture.ts';
import { doctor } from './doctor.ts';
import { init } from './init.ts';
import { uninstall } from './uninstall.ts';

const SETTINGS = '# mine\nmodel = "x" # and this\n';
const HOOKS = '{ "hooks": { "Stop": [{ "hooks": [{ "type": "command", "command": "mine" }] }] } }\n';

let tree: Tree;
let project: string;
let worlds: FakeWorld[];
let settings: string;
let hooks: string;
beforeEach(() => {
  tree = plantTree();
  project = tree.repository('project');
  worlds = [];
  settings = join(tree.home, '.codex', 'config.toml');
  hooks = join(tree.home, '.codex', 'hooks.json');
  mkdirSync(dirname(settings));
  writeFileSync(settings, SETTINGS);
  writeFileSync(hooks, HOOKS);
});
afterEach(() => {
  for (const each of worlds) each.close();
  return tree.remove();
});

function world(options: Partial<FakeWorldOptions> = {}): FakeWorld {
  const env = { PATH: '/nowhere' };
  const made = fakeWorld({ home: tree.home, cwd: project, env, columns: 300, agent: 'codex', ...options });
  worlds.push(made);
  return made;
}

const read = (path: string): string => readFileSync(path, 'utf8');
const USER = ['--scope', 'user'];

async function findings(): Promise<string> {
  const at = world();
  await at.run(doctor);
  return at.printed.out;
}

describe('an agent that runs only what a person has agreed to', () => {
  it('is wired, and init and doctor say that it does not call yet, and what to do', async () => {
    const at = world();
    expect(await at.run(init, ...USER, '--yes')).toBe(0);
    expect(at.printed.out).toMatch(/codex does not call them yet: \d+ entries are not agreed to by a person\./);
    expect(at.printed.out).toContain('type /hooks');
    expect(at.printed.out).toContain('fairlead init --agent codex --scope user --trust');
    expect(read(settings)).toBe(SETTINGS);
    expect(await findings()).toContain('codex leaves out hooks of ~/.codex/hooks.json');
    const again = world();
    expect(await again.run(init, ...USER, '--yes')).toBe(0);
    expect(again.printed.out).toContain('Nothing to do');
    expect(again.printed.out).toContain('codex does not call them yet');
  });

  it('with --trust the person agrees, and uninstall gives every byte back', async () => {
    const at = world();
    expect(await at.run(init, ...USER, '--trust', '--yes')).toBe(0);
    expect(at.printed.out).not.toContain('does not call them yet');
    expect(read(settings)).toMatch(
      /^# mine\nmodel = "x" # and this\n\n\[hooks\.state\.".*hooks\.json:\w+:\d:\d"\]\ntrusted_hash = "sha256:/,
    );
    expect(await findings()).not.toContain('codex leaves out');
    expect(await world().run(uninstall, ...USER, '--yes')).toBe(0);
    expect([read(settings), read(hooks)]).toEqual([SETTINGS, HOOKS]);
  });

  it('what the agent wrote in the meantime stays', async () => {
    await world().run(init, ...USER, '--trust', '--yes');
    const more = '\n[projects."/x"]\ntrust_level = "trusted"\n';
    writeFileSync(settings, read(settings) + more);
    expect(await world().run(uninstall, ...USER, '--yes')).toBe(0);
    expect([read(settings), read(hooks)]).toEqual([SETTINGS + more, HOOKS]);
  });

  it('what a person agreed to in the agent is left to the agent', async () => {
    await world().run(init, ...USER, '--yes');
    const own = `${SETTINGS}\n[hooks.state."${hooks}:stop:1:0"]\ntrusted_hash = "sha256:by-hand"\n`;
    writeFileSync(settings, own);
    expect(await findings()).toContain('1 entry is changed since a person agreed to them');
    expect(await world().run(uninstall, ...USER, '--yes')).toBe(0);
    expect([read(settings), read(hooks)]).toEqual([own, HOOKS]);
  });

  it('a change of rules that wires more says that the agent leaves it out', async () => {
    await world().run(init, ...USER, '--trust', '--yes');
    expect(read(hooks)).not.toContain('PostCompact');
    const rules = join(world().paths.config, 'rules');
    mkdirSync(rules, { recursive: true });
    writeFileSync(join(rules, 'told.md'), '---\nname: told\nevent: compact.after\n---\nTold.\n');
    const at = world();
    await rewire(project, at);
    expect(read(hooks)).toContain('PostCompact');
    expect(at.printed.err).toContain(
      'codex leaves out what is new: 1 entry is not agreed to by a person. A person: start codex',
    );
  });

  it('a person at a terminal is asked, an agent is not', async () => {
    const yes = world({ answer: true });
    expect(await yes.run(init, ...USER)).toBe(0);
    expect(yes.asked.join('\n')).toContain('codex skips hooks that you have not agreed to.');
    expect(read(settings)).toContain('trusted_hash');
    await world().run(uninstall, ...USER, '--yes');
    const agent = world({ answer: true, byAgent: true });
    expect(await agent.run(init, ...USER)).toBe(0);
    expect(agent.asked.join('\n')).not.toContain('agreed');
    expect(read(settings)).toBe(SETTINGS);
  });

  it('a shared file needs a project that is trusted too, and a file that was made goes again', async () => {
    mkdirSync(join(tree.home, 'bin'));
    writeFileSync(join(tree.home, 'bin', 'fairlead'), '', { mode: 0o755 });
    const env = { PATH: join(tree.home, 'bin') };
    const at = world({ env });
    expect(await at.run(init, '--scope', 'project', '--trust', '--yes')).toBe(0);
    expect(at.printed.out).toContain('codex does not call them yet: the project is not marked as trusted.');
    expect(read(join(project, '.codex', 'hooks.json'))).toContain('"fairlead hook --agent codex --event PreToolUse');
    expect(await world({ env }).run(uninstall, '--yes')).toBe(0);
    expect([existsSync(join(project, '.codex')), read(settings)]).toEqual([false, SETTINGS]);
  });
});

it('init without --agent takes the agents on the PATH, and says what to run for one without that scope', async () => {
  mkdirSync(join(tree.home, 'bin'));
  for (const name of ['claude', 'codex']) writeFileSync(join(tree.home, 'bin', name), '', { mode: 0o755 });
  const env = { PATH: join(tree.home, 'bin') };
  const local = world({ env, agent: null });
  expect(await local.run(init, '--yes')).toBe(0);
  expect(local.printed.out).toContain('Wired claude-code for');
  expect(local.printed.err).toContain('it has project and user: `fairlead init --agent codex --scope user`');
  const user = world({ env, agent: null });
  expect(await user.run(init, ...USER, '--yes')).toBe(0);
  expect(user.printed.out).toMatch(/Wired claude-code for all your sessions.*\nWired codex for all your sessions/);
});
