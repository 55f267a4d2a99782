import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { nodeFiles } from '../../platform/files.ts';
import { plantTree } from '../../roots/tree.fixture.ts';
import type { Tree } from '../../roots/tree.fixture.ts';
import { projectKey } from './project-key.ts';

let tree: Tree;
const at = (path: string): string => join(tree.top, path);

beforeAll(() => {
  tree = plantTree();
  tree.repository('main');
  for (const dir of ['main/src/deep', 'plain/below']) tree.putDir(dir);
  tree.git(at('main'), 'worktree', 'add', '-q', at('tree'));
  tree.putDir('tree/src');
  cpSync(at('tree'), at('copy'), { recursive: true });
  tree.git(tree.top, 'clone', '-q', '--bare', at('main'), at('bare.git'));
  tree.git(at('bare.git'), 'worktree', 'add', '-q', at('of-bare'));
  tree.git(at('main'), 'submodule', 'add', '-q', at('bare.git'), 'module');
  tree.put('forged/.git', `gitdir: ${at('nowhere')}\n`);
});
afterAll(() => tree.remove());

it.each([
  ['the top of a repository', 'main', 'main'],
  ['a directory in it', 'main/src/deep', 'main'],
  ['a linked work tree', 'tree', 'main'],
  ['a directory in that', 'tree/src', 'main'],
  ['a copy of a work tree, which its repository does not know', 'copy', 'copy'],
  ['a work tree of a bare repository', 'of-bare', 'bare.git'],
  ['a submodule', 'main/module', 'main/module'],
  ['a link that leads nowhere', 'forged', 'forged'],
  ['no repository', 'plain/below', 'plain/below'],
])('%s', (_, dir, key) => {
  expect(projectKey(at(dir), nodeFiles)).toBe(at(key));
});
