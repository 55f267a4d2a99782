import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startServer } from '../../src/mcp/server-process.fixture.ts';
import { plantTree } from '../../src/roots/tree.fixture.ts';
import type { Tree } from '../../src/roots/tree.fixture.ts';

let tree: Tree;
beforeEach(() => (tree = plantTree()));
afterEach(() => tree.remove());

it.each<[string, (state: string, config: string) => string[], expected: string]>([
  ['its entry says', (state, config) => ['--config', config, '--state', state], 'state'],
  ['a person has it by default, when its entry says nothing', () => ['--'], '.local/state/fairlead'],
])('keeps its state where %s, whatever the environment of the agent holds', async (_, argsFor, expected) => {
  const project = tree.repository('project');
  tree.put('project/tool.py', 'def run():\n    return 1\n');
  const at = (name: string) => join(tree.home, name);
  const server = await startServer({
    home: tree.home,
    cwd: project,
    env: { FAIRLEAD_HOME: at('other'), XDG_STATE_HOME: at('other') },
    args: argsFor(at('state'), at('config')),
  });
  const { text, isError } = await server.call('graph', { action: 'index' });
  expect(isError, text).toBe(false);
  expect([existsSync(at(expected)), existsSync(at('other'))]).toEqual([true, false]);
  expect(await server.close()).toBe(0);
});
