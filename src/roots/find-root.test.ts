import { cpSync, mkdirSync, renameSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { nodeFiles } from '../platform/files.ts';
import { findWorkspaceRoot } from './find-root.ts';
import type { FindOptions } from './find-root.ts';
import { plantTree, rootedAt } from './tree.fixture.ts';
import type { Tree } from './tree.fixture.ts';

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

describe('the environment may pin a root', () => {
  const rows = [
    {
      name: 'not read when not preferred',
      variable: 'CANVAS_PROJECT_DIR',
      pin: '',
      preferEnv: false,
      expected: 'repo',
    },
    { name: 'contains the start', variable: 'CANVAS_PROJECT_DIR', pin: '', preferEnv: true, expected: '' },
    { name: 'own variable', variable: 'FAIRLEAD_PROJECT_DIR', pin: '', preferEnv: true, expected: '' },
    { name: 'points elsewhere', variable: 'CANVAS_PROJECT_DIR', pin: 'other', preferEnv: true, expected: 'repo' },
    { name: 'shares only a prefix', variable: 'CANVAS_PROJECT_DIR', pin: 're', preferEnv: true, expected: 'repo' },
    { name: 'points to nothing', variable: 'CANVAS_PROJECT_DIR', pin: 'missing', preferEnv: true, expected: 'repo' },
    { name: 'points to a file', variable: 'CANVAS_PROJECT_DIR', pin: 'repo/a.py', preferEnv: true, expected: 'repo' },
    {
      name: 'points to the home directory',
      variable: 'CANVAS_PROJECT_DIR',
      pin: '..',
      preferEnv: true,
      expected: 'repo',
    },
  ];
  test.each(rows)('$name', ({ variable, pin, preferEnv, expected }) => {
    tree.putDir('repo/.git');
    tree.putDir('other');
    tree.putDir('re');
    const file = tree.put('repo/a.py');
    const root = find(file, { preferEnv, env: { [variable]: join(w, pin) } });
    expect(root).toMatchObject({
      path: join(w, expected),
      markerBacked: true,
      reason: expected === '' ? 'environment' : 'repository',
    });
  });

  test('is preferred unless told otherwise, and the own variable comes first', () => {
    tree.putDir('a/b/.git');
    const env = { FAIRLEAD_PROJECT_DIR: join(w, 'a'), CANVAS_PROJECT_DIR: w };
    expect(findWorkspaceRoot(join(w, 'a/b'), { files: nodeFiles, home: tree.home, env }).path).toBe(join(w, 'a'));
    expect(
      findWorkspaceRoot(join(w, 'a/b'), {
        files: nodeFiles,
        home: tree.home,
        env: { ...env, FAIRLEAD_PROJECT_DIR: '' },
      }).path,
    ).toBe(w);
  });
});

describe('walking up', () => {
  test.each([
    { levels: 12, backed: true },
    { levels: 30, backed: true },
    { levels: 31, backed: false },
  ])('a file $levels levels below its repository', ({ levels, backed }) => {
    tree.putDir('.git');
    const file = tree.put(`${'d/'.repeat(levels)}x.py`);
    expect(find(file)).toMatchObject(
      backed ? { path: w, markerBacked: true } : { path: dirname(file), markerBacked: false, reason: 'none' },
    );
  });

  test('a missing path starts at its nearest existing ancestor', () => {
    tree.putDir('repo/.git');
    expect(find(join(w, 'repo/not/yet/there.ts'))).toMatchObject({ path: join(w, 'repo'), markerBacked: true });
    expect(find(join(w, 'not/yet'))).toMatchObject({ path: w, markerBacked: false });
  });
});

describe('markers', () => {
  const rows: readonly [string, string, string?][] = [
    ['.hg/', 'repository'],
    ['.jj/', 'repository'],
    ['.svn/', 'repository'],
    ['.git/', 'repository'],
    ['.git', 'repository'],
    ['pnpm-workspace.yaml', 'workspace'],
    ['package.json', 'workspace', '{"workspaces":["packages/*"]}'],
    ['package.json', 'workspace', '{"workspaces":{"packages":[]}}'],
    ['go.work', 'workspace'],
    ['Cargo.toml', 'workspace', '[package]\nname = "x"\n\n  [workspace]\nmembers = []\n'],
    ['settings.gradle', 'workspace'],
    ['settings.gradle.kts', 'workspace'],
    ['lerna.json', 'workspace'],
    ['nx.json', 'workspace'],
    ['turbo.json', 'workspace'],
    ['pyproject.toml', 'project'],
    ['setup.py', 'project'],
    ['package.json', 'project', '{"name":"x"}'],
    ['package.json', 'project', 'not json [workspace]'],
    ['deno.json', 'project'],
    ['deno.jsonc', 'project'],
    ['go.mod', 'project'],
    ['Cargo.toml', 'project', '[package]\nname = "workspace"\n# [workspace]\n'],
    ['pom.xml', 'project'],
    ['build.gradle', 'project'],
    ['build.gradle.kts', 'project'],
    ['Gemfile', 'project'],
    ['composer.json', 'project'],
    ['tsconfig.json', 'weak'],
    ['CMakeLists.txt', 'weak'],
    ['Makefile', 'weak'],
  ];
  test.each(rows)('%s alone is a %s marker %s', (name, reason, text) => {
    if (name.endsWith('/')) tree.putDir(`p/${name}`);
    else tree.put(`p/${name}`, text);
    expect(find(tree.put('p/src/x.txt'))).toMatchObject({ path: join(w, 'p'), markerBacked: true, reason });
  });

  test('a directory with the name of a manifest is none', () => {
    tree.putDir('p/package.json');
    expect(find(join(w, 'p')).markerBacked).toBe(false);
  });

  const shapes: readonly { name: string; have: readonly (string | [string, string])[]; start: string; root: string }[] =
    [
      { name: 'Makefile below a project', have: ['pyproject.toml', 'docs/Makefile'], start: 'docs/a', root: '' },
      {
        name: 'weak markers: the outermost',
        have: ['Makefile', 'a/Makefile', 'a/b/tsconfig.json'],
        start: 'a/b',
        root: '',
      },
      { name: 'projects: the nearest', have: ['package.json', 'a/go.mod'], start: 'a/b', root: 'a' },
      { name: 'monorepo', have: ['.git/', 'packages/a/package.json'], start: 'packages/a/src', root: '' },
      { name: 'repositories: the nearest', have: ['.git/', 'x/.hg/'], start: 'x/y', root: 'x' },
      {
        name: 'workspace without repository',
        have: ['pnpm-workspace.yaml', 'packages/a/package.json'],
        start: 'packages/a/src',
        root: '',
      },
      {
        name: 'workspaces: the outermost',
        have: ['go.work', 'a/pnpm-workspace.yaml', 'a/b/package.json'],
        start: 'a/b',
        root: '',
      },
      {
        name: 'a workspace manifest below the nearest project does not count',
        have: ['pyproject.toml', 'web/nx.json'],
        start: 'web/src',
        root: '',
      },
      { name: 'crates', have: [['Cargo.toml', '[workspace]'], 'crates/a/Cargo.toml'], start: 'crates/a/src', root: '' },
      {
        name: 'an installed package is no project',
        have: ['package.json', 'node_modules/x/package.json'],
        start: 'node_modules/x',
        root: '',
      },
    ];
  test.each(shapes)('$name', ({ have, start, root }) => {
    for (const each of have) {
      if (typeof each !== 'string') tree.put(...each);
      else if (each.endsWith('/')) tree.putDir(each);
      else tree.put(each);
    }
    expect(find(tree.putDir(start))).toMatchObject({ path: join(w, root), markerBacked: true });
  });
});

describe('git', () => {
  test('a linked work tree is its own root, beside or inside the repository', () => {
    const main = tree.repository('main');
    tree.git(main, 'worktree', 'add', '-q', join(w, 'beside'));
    tree.git(main, 'worktree', 'add', '-q', join(main, 'trees/inner'));
    const commonDir = join(main, '.git');
    for (const top of [join(w, 'beside'), join(main, 'trees/inner')]) {
      expect(find(join(top, 'x.ts'))).toMatchObject({
        path: top,
        reason: 'repository',
        repository: { top, commonDir, worktree: true },
      });
    }
    expect(find(main).repository).toEqual({ system: 'git', top: main, commonDir, worktree: false });
  });

  test('a submodule is its own root', () => {
    const part = tree.repository('part');
    const main = tree.repository('main');
    tree.git(main, 'submodule', 'add', '-q', part, 'lib/part');
    const top = join(main, 'lib/part');
    const commonDir = join(main, '.git/modules/lib/part');
    expect(find(join(top, 'x.ts'))).toMatchObject({ path: top, repository: { top, commonDir, worktree: false } });
  });

  test('a nested clone is its own root', () => {
    const main = tree.repository('main');
    tree.git(w, 'clone', '-q', main, join(main, 'vendor/clone'));
    expect(find(join(main, 'vendor/clone/x')).path).toBe(join(main, 'vendor/clone'));
  });

  test('a forged .git file gains no other identity', () => {
    const trusted = tree.repository('trusted');
    tree.git(trusted, 'worktree', 'add', '-q', join(w, 'tree'));
    const forged = [
      tree.put('f1/.git', `gitdir: ${trusted}/.git\n`),
      tree.put('f2/.git', `gitdir: ${trusted}/.git/worktrees/tree\n`),
      tree.put('f3/.git', 'gitdir: fake\n'),
      tree.put('f4/.git', 'gitdir: ../outside\n'),
      tree.put('f5/.git', 'nonsense'),
    ];
    for (const fake of ['f3/fake', 'outside']) {
      tree.put(`${fake}/commondir`, `${trusted}/.git\n`);
      tree.put(`${fake}/gitdir`, join(w, fake === 'outside' ? 'f4/.git' : 'f3/.git'));
    }
    symlinkSync(join(trusted, '.git'), join(tree.putDir('f6'), '.git'));
    for (const top of [...forged.map(dirname), join(w, 'f6')]) {
      expect(find(top).repository).toEqual({ system: 'git', top, worktree: false });
      expect(find(top).path).toBe(top);
    }
  });

  test('a copied work tree does not keep the link of the original', () => {
    const main = tree.repository('main');
    tree.git(main, 'worktree', 'add', '-q', join(w, 'tree'));
    cpSync(join(w, 'tree'), join(w, 'copy'), { recursive: true });
    expect(find(join(w, 'copy')).repository).toEqual({ system: 'git', top: join(w, 'copy'), worktree: false });
    renameSync(join(w, 'tree'), join(w, 'moved'));
    expect(find(join(w, 'moved')).repository?.worktree).toBe(false);
  });

  const rows = [
    { name: 'a project in an ignored directory', ignore: { '.gitignore': 'clones/\n' }, root: 'clones/x' },
    { name: 'ignored by the private list', ignore: { '.git/info/exclude': '/clones\n' }, root: 'clones/x' },
    { name: 'ignored by a nested file', ignore: { 'clones/.gitignore': '*\n' }, root: 'clones/x' },
    { name: 'not ignored', ignore: { '.gitignore': 'other/\n' }, root: '' },
    {
      name: 'taken back by a nested file',
      ignore: { '.gitignore': '/clones/x\n', 'clones/.gitignore': '!x\n' },
      root: '',
    },
    { name: 'only the touched file is ignored', ignore: { '.gitignore': 'dist/\n' }, root: '' },
  ];
  test.each(rows)('$name', ({ ignore, root }) => {
    const main = tree.repository('main');
    for (const [path, text] of Object.entries(ignore)) tree.put(`main/${path}`, text);
    tree.put('main/clones/x/package.json', '{}');
    const file = tree.put('main/clones/x/dist/a.js');
    expect(find(file)).toMatchObject({
      path: join(main, root),
      markerBacked: true,
      reason: root === '' ? 'repository' : 'project',
    });
  });

  test('an ignored directory without a project marker stays with its repository', () => {
    const main = tree.repository('main');
    tree.put('main/.gitignore', 'out/\nnode_modules/\n');
    tree.put('main/node_modules/x/package.json', '{}');
    expect(find(tree.put('main/out/a.js')).path).toBe(main);
    expect(find(tree.put('main/node_modules/x/a.js')).path).toBe(main);
  });
});

describe('refused roots', () => {
  test('the home directory', () => {
    mkdirSync(join(tree.home, '.git'));
    expect(find(w)).toMatchObject({ path: w, markerBacked: false });
    expect(find(tree.home)).toMatchObject({ path: tree.home, markerBacked: false });
    expect(find(w, { force: true })).toMatchObject({ path: tree.home, markerBacked: true });
  });

  test('the home directory by another name', () => {
    mkdirSync(join(tree.home, '.git'));
    symlinkSync(tree.home, join(w, 'home'));
    expect(find(w, { home: join(w, 'home') }).markerBacked).toBe(false);
  });

  test('the top of the file system', () => {
    tree.putDir('.git');
    tree.putDir('srv/x');
    const files = rootedAt(w);
    expect(find('/srv/x', { files, home: '/home/me' })).toMatchObject({ path: '/srv/x', markerBacked: false });
    expect(find('/', { files, home: '/home/me' })).toMatchObject({ path: '/', markerBacked: false });
    expect(find('/srv/x', { files, home: '/home/me', force: true })).toMatchObject({ path: '/', markerBacked: true });
  });
});

describe('links', () => {
  test('a root reached through a link is the same root', () => {
    tree.putDir('repo/.git');
    tree.put('repo/src/a.ts');
    symlinkSync(join(w, 'repo'), join(w, 'alias'));
    tree.putDir('elsewhere/.hg');
    symlinkSync(join(w, 'repo/src/a.ts'), join(w, 'elsewhere/a.ts'));
    for (const start of ['alias', 'alias/src/a.ts', 'alias/src/missing.ts', 'elsewhere/a.ts']) {
      expect(find(join(w, start)).path, start).toBe(join(w, 'repo'));
    }
  });

  test('inside follows links, also those whose target is missing', () => {
    tree.putDir('repo/.git');
    tree.putDir('repo-2');
    const root = find(join(w, 'repo'));
    symlinkSync(join(w, 'repo'), join(w, 'alias'));
    symlinkSync(join(w, 'outside/new.txt'), join(w, 'repo/escape'));
    symlinkSync('loop', join(w, 'repo/loop'));
    const rows: Record<string, boolean> = {
      repo: true,
      'repo/a/b': true,
      'alias/x': true,
      'repo-2': false,
      'repo/../x': false,
      'repo/escape': false,
      'repo/loop': true,
    };
    for (const [path, expected] of Object.entries(rows)) expect(root.inside(join(w, path)), path).toBe(expected);
  });
});
