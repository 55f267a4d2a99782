import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { plantTree } from '../../roots/tree.fixture.ts';
import type { Tree } from '../../roots/tree.fixture.ts';
import { fakeWorld } from '../world.fixture.ts';
import { run } from './run.ts';

let tree: Tree;
let project: string;
beforeEach(() => {
  tree = plantTree();
  project = tree.repository('project');
});
afterEach(() => tree.remove());

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
