import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Scope } from '../../adapters/installer.ts';
import { plantTree } from '../../roots/tree.fixture.ts';
import type { Tree } from '../../roots/tree.fixture.ts';
import { fakeWorld } from '../world.fixture.ts';
import type { FakeWorld, FakeWorldOptions } from '../world.fixture.ts';

export interface Server {
  readonly command: string;
  readonly args: readonly string[];
}

/** A home with a project in it, and the files where an agent looks for tool servers. */
export interface ServerStage {
  readonly tree: Tree;
  readonly project: string;
  world(options?: Partial<FakeWorldOptions>): FakeWorld;
  fileOf(scope: Scope): string;
  /** The servers of a scope, by name. */
  serversAt(scope: Scope, dir?: string): Record<string, Server>;
  remove(): Promise<void>;
}

/** The program is on the path, as a shared file needs it. */
export function createServerStage(): ServerStage {
  const tree = plantTree();
  const project = tree.repository('project');
  const worlds: FakeWorld[] = [];
  const fileOf = (scope: Scope): string =>
    scope === 'project' ? join(project, '.mcp.json') : join(tree.home, '.claude.json');
  return {
    tree,
    project,
    fileOf,
    world(options = {}) {
      const env = { PATH: `${join(process.cwd(), 'bin')}:${process.env['PATH']}` };
      const made = fakeWorld({ home: tree.home, cwd: project, env, ...options });
      worlds.push(made);
      return made;
    },
    serversAt(scope, dir = project) {
      const all = JSON.parse(read(fileOf(scope))) as Listed & { projects?: Record<string, Listed> };
      return (scope === 'local' ? all.projects?.[dir] : all)?.mcpServers ?? {};
    },
    remove() {
      for (const each of worlds) each.close();
      return tree.remove();
    },
  };
}

interface Listed {
  readonly mcpServers?: Record<string, Server>;
}

export function put(path: string, text: string): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return text;
}

export const read = (path: string): string => readFileSync(path, 'utf8');
export const PACK = ['--pack', 'autocontext', '--yes'];
