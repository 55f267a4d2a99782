import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { plantTree } from '../roots/tree.fixture.ts';
import type { Tree } from '../roots/tree.fixture.ts';
import { fakeWorld } from './world.fixture.ts';
import type { FakeWorld, FakeWorldOptions } from './world.fixture.ts';

/** A repository in a home, and where an agent's settings would lie. */
export interface InitPlace {
  readonly tree: Tree;
  readonly project: string;
  readonly local: string;
  readonly user: string;
  world(options?: Partial<FakeWorldOptions>): FakeWorld;
}

export function plantInit(): InitPlace {
  const tree = plantTree();
  const project = tree.repository('project');
  return {
    tree,
    project,
    local: join(project, '.claude', 'settings.local.json'),
    user: join(tree.home, '.claude', 'settings.json'),
    world: (options = {}) =>
      fakeWorld({ home: tree.home, cwd: project, env: { PATH: process.env['PATH'] }, ...options }),
  };
}

export function put(path: string, text: string): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return text;
}

export const read = (path: string): string => readFileSync(path, 'utf8');

/** Settings with a hook of somebody else. */
export const MINE = '{\n  "hooks": {\n    "Stop": [{ "hooks": [{ "type": "command", "command": "mine.sh" }] }]\n  }\n}';

/** What `init` asks about the status line. */
export const LINE = 'Show rules, stopped calls and context left in the status line?';
