import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { plantTree } from '../../roots/tree.fixture.ts';
import type { Tree } from '../../roots/tree.fixture.ts';
import { createKeyPair } from '../../platform/ed25519.ts';
import { KEYS, signed } from '../../team/policy.fixture.ts';
import { fakeWorld } from '../world.fixture.ts';
import { run } from './run.ts';

let tree: Tree;
let project: string;
beforeEach(() => {
  tree = plantTree();
  project = tree.repository('project');
});
afterEach(() => tree.remove());

const OFF = /disableAllHooks in its settings keeps the hooks from running, .*nothing was started/;
const OTHER = createKeyPair().public;

beforeEach(() => {
  writeFileSync(join(project, 'acme.json'), signed());
  writeFileSync(join(project, 'old.json'), signed({ expires: '2000-01-01' }));
  writeFileSync(join(project, 'broken.json'), '{}');
});

async function refusal(byAgent: boolean, ...argv: readonly string[]): Promise<string> {
  const world = fakeWorld({ home: tree.home, cwd: project, byAgent, agent: null });
  try {
    return `code ${await world.run(run, ...argv)}`;
  } catch (error) {
    return (error as Error).message;
  } finally {
    world.close();
  }
}

it.each<[string, readonly string[], RegExp]>([
  ['no command', [], /after --/],
  ['an empty command', ['--'], /after --/],
  ['words before the command', ['claude', '--', 'claude'], /unexpected argument: claude/],
  ['a program that is no agent', ['--', 'make'], /"make" is no agent that is known; name it with --agent/],
  ['an agent that nobody knows', ['--agent', 'x', '--', 'x'], /there is no agent "x"/],
  [
    'an agent that has no hooks for one run',
    ['--', 'gemini', '-p', 'x'],
    /gemini reads hooks only from files that stay[^]*fairlead init --agent gemini[^]*Agents that can: claude-code/,
  ],
  ['its package by another program', ['--', 'npx', '--yes', '@google/gemini-cli@latest'], /gemini reads hooks/],
  ['a policy that is not there', ['--policy', 'nowhere', '--', 'claude'], /there is no policy at .*nowhere/],
  ['a policy that is something else', ['--policy', '.', '--', 'claude'], /laid out as \.fairlead is/],
  ['settings of the command that switch hooks off', ['--', 'claude', '--settings', '{"disableAllHooks":true}'], OFF],
  ['an option that switches hooks off', ['--', 'claude', '--bare', '-p', 'x'], /--bare keeps the hooks from running/],
  ['a report that nobody can write', ['--report', 'no/where.json', '--', 'claude'], /report cannot be written/],
  ['a signed policy without a key', ['--policy', 'acme.json', '--', 'claude'], /no key says whose[^]*--key/],
  ['one that another has signed', ['--policy', 'acme.json', '--key', OTHER, '--', 'claude'], /is not signed by a key/],
  ['one that is damaged', ['--policy', 'broken.json', '--key', KEYS.public, '--', 'claude'], /is no policy/],
  ['one that has expired', ['--policy', 'old.json', '--key', KEYS.public, '--', 'claude'], /expired on 2000-01-01/],
  ['settings of the command that are not there', ['--', 'claude', '--settings', 'x.json'], /cannot be read: x\.json/],
])('%s starts nothing', async (_, argv, text) => {
  expect(await refusal(false, ...argv)).toMatch(text);
});

it('a policy of which a part cannot be read starts nothing', async () => {
  mkdirSync(join(project, '.fairlead', 'rules'), { recursive: true });
  writeFileSync(join(project, '.fairlead', 'rules', 'a.md'), '---\nevent: nothing\n---\nNo.\n');
  expect(await refusal(false, '--policy', '.fairlead', '--', 'claude')).toMatch(
    /nothing was started:\n {2}rules\/a\.md:2: /,
  );
});

it('an agent does not start one under rules of its own choice', async () => {
  expect(await refusal(true, '--', 'claude')).toMatch(/An agent is behind this process/);
});

it('settings of the administrator that switch hooks off start nothing', async () => {
  const machineRoot = join(tree.top, 'machine');
  mkdirSync(join(machineRoot, 'etc/claude-code'), { recursive: true });
  writeFileSync(join(machineRoot, 'etc/claude-code/managed-settings.json'), '{"disableAllHooks":true}');
  expect(await refusal(false, '--', 'claude')).toMatch(/code 127/);
  expect(await refusal(false, '--', 'claude')).not.toMatch(/managed-settings/);
  const world = fakeWorld({ home: tree.home, cwd: project, agent: null, machineRoot });
  await expect(world.run(run, '--', 'claude')).rejects.toThrow(/disableAllHooks in .*managed-settings\.json keeps/);
  world.close();
});
