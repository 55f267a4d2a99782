import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startServer } from '../../src/mcp/server-process.fixture.ts';
import { plantTree } from '../../src/workspace/tree.fixture.ts';
import type { Tree } from '../../src/workspace/tree.fixture.ts';

let tree: Tree;
beforeEach(() => (tree = plantTree()));
afterEach(() => tree.remove());

it('keeps its state where its entry says, whatever the environment of the agent holds', async () => {
  const project = tree.repository('project');
  tree.put('project/tool.py', 'def run():\n    return 1\n');
  const [config, state, other] = ['config', 'state', 'other'].map((name) => join(tree.home, name)) as [
    string,
    string,
    string,
  ];
  const server = await startServer({
    home: tree.home,
    cwd: project,
    env: { FAIRLEAD_HOME: other },
    args: ['--config', config, '--state', state],
  });
  const { text, isError } = await server.call('graph', { action: 'index' });
  expect(isError, text).toBe(false);
  expect([existsSync(state), existsSync(other)]).toEqual([true, false]);
  expect(await server.close()).toBe(0);
});
