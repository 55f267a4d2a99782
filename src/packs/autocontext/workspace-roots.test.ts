import { mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { recorded } from '../../../test/fixtures/claude-code.ts';
import { parse } from '../../adapters/claude-code/parse.ts';
import { callOf } from '../../adapters/contract.ts';
import type { Event } from '../../event/event.ts';
import { graphsInProcess } from '../../graph/resident/in-process-graphs.fixture.ts';
import { graphPaths } from '../../graph/index.ts';
import { walkWorkspace } from '../../graph/graph.fixture.ts';
import { nodeFiles } from '../../platform/files.ts';
import { findWorkspaceRoot } from '../../roots/find-root.ts';
import type { FindOptions } from '../../roots/find-root.ts';
import { createResolver } from '../../roots/resolver.ts';
import type { ResolverOptions } from '../../roots/resolver.ts';
import { plantTree, rootedAt } from '../../roots/tree.fixture.ts';
import type { Tree } from '../../roots/tree.fixture.ts';
import { openWorld } from '../world.fixture.ts';

let tree: Tree;
let w: string;
beforeEach(() => {
  tree = plantTree();
  w = tree.top;
});
afterEach(() => tree.remove());

function find(start: string, options: Partial<FindOptions> = {}) {
  return findWorkspaceRoot(start, { files: nodeFiles, home: tree.home, preferEnv: false, ...options });
}

function resolver(options: Partial<ResolverOptions> = {}) {
  return createResolver({ files: nodeFiles, home: tree.home, now: Date.now, ...options });
}

/** A Read as the client tells of it, or a command where no file is named. */
function eventIn(cwd: string, file?: string): Event {
  const base = recorded(file === undefined ? 'PostToolUse/bash.json' : 'PostToolUse/read.json');
  return parse(callOf({ ...base, cwd, ...(file !== undefined && { tool_input: { file_path: file } }) }));
}

const indexedIn = (root: string) => [...walkWorkspace(nodeFiles, root)].map(({ path }) => path);

describe('a root that the environment names', () => {
  const rows: readonly [preferEnv: boolean, pin: string, root: string][] = [
    [false, '', 'repo'],
    [true, '', ''],
    [true, 'elsewhere', 'repo'],
    [true, 'missing', 'repo'],
  ];
  test.each(rows)('preferred %s, W/%s', (preferEnv, pin, root) => {
    tree.repository('repo');
    tree.putDir('elsewhere');
    const file = tree.put('repo/src/a.py');
    expect(find(file, { preferEnv, env: { CANVAS_PROJECT_DIR: join(w, pin) } })).toMatchObject({
      path: join(w, root),
      markerBacked: true,
    });
  });

  test('no event is led by it', async () => {
    const world = openWorld({ env: { CANVAS_PROJECT_DIR: w, FAIRLEAD_PROJECT_DIR: w } });
    try {
      const file = world.put(join(world.home, 'repo/a.py'), '');
      tree.git(dirname(file), 'init', '-q');
      expect(await world.engine.locate(eventIn(world.home, file), undefined)).toMatchObject({ root: dirname(file) });
    } finally {
      world.close();
    }
  });
});

test.each([
  [20, true],
  [30, true],
  [31, false],
])('a file %i levels below its repository', (levels, markerBacked) => {
  const top = tree.repository('repo');
  const file = tree.put(`repo/${'d/'.repeat(levels)}x.py`);
  expect(find(file)).toMatchObject({ path: markerBacked ? top : dirname(file), markerBacked });
});

describe('markers', () => {
  const alone: readonly [name: string, text?: string][] = [
    ['.git/'],
    ['.git'],
    ['.hg/'],
    ['.jj/'],
    ['.svn/'],
    ['pnpm-workspace.yaml'],
    ['package.json', '{"workspaces":["packages/*"]}'],
    ['go.work'],
    ['Cargo.toml', '[workspace]\n'],
    ['settings.gradle'],
    ['settings.gradle.kts'],
    ['lerna.json'],
    ['nx.json'],
    ['turbo.json'],
    ['pyproject.toml'],
    ['setup.py'],
    ['package.json'],
    ['deno.json'],
    ['deno.jsonc'],
    ['go.mod'],
    ['Cargo.toml'],
    ['pom.xml'],
    ['build.gradle'],
    ['build.gradle.kts'],
    ['Gemfile'],
    ['composer.json'],
    ['tsconfig.json'],
    ['CMakeLists.txt'],
    ['Makefile'],
  ];
  test.each(alone)('%s alone %s', (name, text = '') => {
    const file = tree.put('p/src/x.c');
    expect(find(file).markerBacked).toBe(false);
    if (name.endsWith('/')) tree.putDir(`p/${name}`);
    else tree.put(`p/${name}`, text);
    expect(find(file)).toMatchObject({ path: join(w, 'p'), markerBacked: true });
  });

  test.each(['docs', 'docs/source/api'])('a Makefile in %s of a project', (dir) => {
    tree.put('p/pyproject.toml');
    tree.put(`p/${dir}/Makefile`);
    expect(find(tree.put(`p/${dir}/conf.py`))).toMatchObject({ path: join(w, 'p'), reason: 'project' });
  });
});

test('a package of a monorepo belongs to the repository', () => {
  const top = tree.repository('mono');
  tree.put('mono/package.json', '{"workspaces":["packages/*"]}');
  tree.put('mono/packages/a/package.json', '{}');
  expect(find(tree.put('mono/packages/a/src/x.ts'))).toMatchObject({ path: top, reason: 'repository' });
});

test('without a repository, a package belongs to its workspace', () => {
  tree.put('mono/pnpm-workspace.yaml');
  tree.put('mono/packages/a/package.json', '{}');
  expect(find(tree.put('mono/packages/a/src/x.ts'))).toMatchObject({ path: join(w, 'mono'), reason: 'workspace' });
});

describe('work trees', () => {
  test.each(['beside', 'main/trees/inner', 'main/.worktrees/inner'])('%s is its own root', (location) => {
    const main = tree.repository('main');
    tree.put('main/a.py', 'x = 1\n');
    tree.git(main, 'add', '.');
    tree.git(main, 'commit', '-q', '-m', 'code');
    const top = join(w, location);
    tree.git(main, 'worktree', 'add', '-q', top);
    expect(find(join(top, 'a.py'))).toMatchObject({ path: top, repository: { worktree: true } });
    expect(find(join(main, 'a.py')).path).toBe(main);
    expect([indexedIn(main), indexedIn(top)]).toEqual([['a.py'], ['a.py']]);
  });
});

describe('repositories and projects inside a repository', () => {
  test('a submodule is its own root, and not part of the outer index', () => {
    const part = tree.repository('part');
    tree.put('part/b.py', 'y = 1\n');
    tree.git(part, 'add', '.');
    tree.git(part, 'commit', '-q', '-m', 'code');
    const main = tree.repository('main');
    tree.put('main/a.py', 'x = 1\n');
    tree.git(main, 'submodule', 'add', '-q', part, 'lib/part');
    const top = join(main, 'lib/part');
    expect(find(join(top, 'b.py')).path).toBe(top);
    expect([indexedIn(main), indexedIn(top)]).toEqual([['a.py'], ['b.py']]);
  });

  test('a clone without its .git in an ignored directory is a project of its own', () => {
    const main = tree.repository('main');
    tree.put('main/.gitignore', 'scratch/\n');
    tree.put('main/a.py', 'x = 1\n');
    tree.put('main/scratch/clone/setup.py');
    const file = tree.put('main/scratch/clone/src/b.py');
    expect(find(file)).toMatchObject({ path: join(main, 'scratch/clone'), reason: 'project' });
    expect(indexedIn(main)).toEqual(['a.py']);
    expect(indexedIn(find(file).path)).toEqual(['setup.py', 'src/b.py']);
    expect(find(tree.put('main/scratch/loose.py')).path).toBe(main);
  });
});

describe('the system’s files and other people’s packages', () => {
  const rows: readonly [path: string, root: string | undefined, have?: string][] = [
    ['/usr/lib/x.py', undefined],
    ['/opt/app/x.py', '/opt/app', 'opt/app/.git/HEAD'],
    ['/opt/app/x.py', undefined],
    ['/var/lib/app/x.py', undefined],
    ['/srv/p/node_modules/x/package.json', undefined, 'srv/p/node_modules/x/package.json'],
    ['/srv/p/node_modules/x/i.js', '/srv/p/node_modules/x', 'srv/p/node_modules/x/.git/HEAD'],
    ['/srv/p/venv/lib/python3/site-packages/y/z.py', undefined, 'srv/p/venv/lib/python3/site-packages/y/setup.py'],
  ];
  test.each(rows)('%s leads to %s', (path, root, have = 'srv/p/a.ts') => {
    for (const each of [path, 'srv/p/.git/HEAD', 'cwd/.git/HEAD', have]) tree.put(each.replace(/^\//, ''), '{}');
    const { resolveEvent } = resolver({ files: rootedAt(w), home: '/home/me' });
    expect(resolveEvent(eventIn('/cwd', path)).root.path).toBe(root ?? '/cwd');
  });
});

describe('which root a session is in', () => {
  /** Two repositories and a directory of neither, in the home of an engine. */
  async function inWorld(work: (at: (cwd: string, file?: string) => Promise<object>) => Promise<void>): Promise<void> {
    const world = openWorld();
    try {
      for (const name of ['r', 'r2']) {
        world.put(join(world.home, name, 'a.py'), '');
        tree.git(join(world.home, name), 'init', '-q');
      }
      world.put(join(world.home, 'plain/note.txt'), '');
      await work(async (cwd, file) => {
        const event = eventIn(join(world.home, cwd), file && join(world.home, file));
        const { root, reason } = await world.engine.locate(event, undefined);
        return { root: root.slice(world.home.length + 1), reason };
      });
    } finally {
      world.close();
    }
  }

  test('the file comes before the working directory', () =>
    inWorld(async (at) => {
      expect(await at('r', 'r2/a.py')).toEqual({ root: 'r2', reason: 'file' });
    }));

  test('a working directory without a marker moves nothing', () =>
    inWorld(async (at) => {
      expect(await at('r')).toEqual({ root: 'r', reason: 'cwd' });
      expect(await at('plain')).toEqual({ root: 'r', reason: 'active' });
      expect(await at('plain', 'plain/note.txt')).toEqual({ root: 'r', reason: 'active' });
    }));

  test('a Read in another root moves there, and a later one back', () =>
    inWorld(async (at) => {
      expect(await at('r')).toEqual({ root: 'r', reason: 'cwd' });
      expect(await at('r', 'r2/a.py')).toEqual({ root: 'r2', reason: 'file' });
      expect(await at('plain')).toEqual({ root: 'r2', reason: 'active' });
      expect(await at('plain', 'r/a.py')).toEqual({ root: 'r', reason: 'file' });
    }));
});

test('there and back, each root is indexed once', async () => {
  const graphs = graphsInProcess();
  const world = openWorld({ config: 'packs: { autocontext: on }\n', createGraphs: (deps) => graphs.create(deps) });
  try {
    const files = ['r', 'r2'].map((name) => world.put(join(world.home, name, 'a.py'), 'def f():\n    pass\n'));
    for (const file of files) tree.git(dirname(file), 'init', '-q');
    for (const file of [...files, ...files, ...files]) {
      await world.after('Read', { file_path: file }, { type: 'text', file: { filePath: file } }, { cwd: world.home });
      await graphs.idle();
    }
    expect(graphs.asked.map(({ do: what, root }) => [what, root])).toEqual(
      files.map((file) => ['index', dirname(file)]),
    );
  } finally {
    world.close();
  }
});

describe('roots that are refused unless forced', () => {
  test('the home directory', () => {
    mkdirSync(join(tree.home, '.git'));
    const file = tree.put('x/a.py');
    expect(find(file).markerBacked).toBe(false);
    expect(find(tree.home).markerBacked).toBe(false);
    expect(resolver().resolveEvent(eventIn(tree.home, file))).toMatchObject({ root: { markerBacked: false } });
    expect(find(file, { force: true })).toMatchObject({ path: tree.home, markerBacked: true });
  });

  test('the top of the file system', () => {
    tree.putDir('.git');
    tree.put('srv/a.py');
    const files = rootedAt(w);
    expect(find('/srv/a.py', { files, home: '/home/me' }).markerBacked).toBe(false);
    expect(find('/srv/a.py', { files, home: '/home/me', force: true })).toMatchObject({
      path: '/',
      markerBacked: true,
    });
  });
});

test.each([
  ['23: the home directory is no root for events', 'packs: { autocontext: on }\n', false],
  ['23: unless the person says so', 'packs: { autocontext: { enabled: true, roots: { force: true } } }\n', true],
])('%s', async (_, config, isRoot) => {
  const world = openWorld({ config });
  try {
    const file = world.put(join(world.home, 'x/a.py'), '');
    tree.git(world.home, 'init', '-q');
    const locate = () => world.engine.locate(eventIn(dirname(file), file), undefined);
    // The first event has the settings read.
    await locate();
    world.now += 100;
    const { root, workspace } = await locate();
    expect([root, workspace.markerBacked]).toEqual([isRoot ? world.home : dirname(file), isRoot]);
  } finally {
    world.close();
  }
});

test('a root that a link leads to is one root with one index', () => {
  const top = tree.repository('repo');
  tree.put('repo/src/a.py');
  symlinkSync(top, join(w, 'alias'));
  const { resolveEvent } = resolver();
  const paths = ['repo/src/a.py', 'alias/src/a.py', 'alias/src/new.py'];
  const roots = paths.map((path) => resolveEvent(eventIn(join(w, 'alias'), join(w, path))).root.path);
  expect(roots).toEqual([top, top, top]);
  expect(new Set(roots.map((root) => graphPaths('/state', root).dir)).size).toBe(1);
  expect(graphPaths('/state', top).dir).not.toBe(graphPaths('/state', join(w, 'alias')).dir);
});
