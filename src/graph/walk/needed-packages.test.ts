import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { nodeFiles } from '../../platform/files.ts';
import { plantTree } from '../../roots/tree.fixture.ts';
import type { Tree } from '../../roots/tree.fixture.ts';
import { neededPackages, stampOfManifests } from '../indexer/perform-request.ts';
import { packageAt } from './package-at.ts';

let tree: Tree;
beforeEach(() => {
  tree = plantTree();
});
afterEach(() => tree.remove());

interface Row {
  readonly files: Readonly<Record<string, string>>;
  readonly of: readonly string[];
  readonly needed: readonly string[];
}

const json = (value: object) => JSON.stringify(value);

const rows: Record<string, Row> = {
  'npm: by name, also for development and of what is needed itself': {
    files: {
      'package.json': json({ name: 'root', workspaces: ['libs/*'] }),
      'libs/web/package.json': json({
        name: '@x/web',
        dependencies: { '@x/core': '^1.0.0', react: '19', root: '*' },
        devDependencies: { testing: 'workspace:*' },
      }),
      'libs/core/package.json': json({ name: '@x/core', peerDependencies: { base: '*' } }),
      'libs/base/package.json': json({ name: 'base', dependencies: { '@x/web': '*' } }),
      'libs/test/package.json': json({ name: 'testing' }),
      'libs/other/package.json': json({ name: 'other', dependencies: { base: '*' } }),
    },
    of: ['libs/web'],
    needed: ['libs/web', 'libs/core', 'libs/test', 'libs/base'],
  },
  'npm: by path and under another name': {
    files: {
      'a/package.json': json({
        dependencies: { x: 'file:../b', y: 'workspace:../c', z: 'workspace:dd@^1', out: 'link:../../elsewhere', n: 3 },
      }),
      'b/package.json': json({}),
      'c/package.json': json({}),
      'd/package.json': json({ name: 'dd' }),
    },
    of: ['a'],
    needed: ['a', 'b', 'c', 'd'],
  },
  'npm: of two packages of a name the one that is no copy': {
    files: {
      'a/package.json': json({ dependencies: { b: '*' } }),
      'a/test/fixture/package.json': json({ name: 'b' }),
      'b/package.json': json({ name: 'b' }),
    },
    of: ['a'],
    needed: ['a', 'b'],
  },
  'go: modules of the same repository, and replaced ones': {
    files: {
      'go.work': 'go 1.22\nuse (\n  ./api\n  ./store\n)\n',
      'api/go.mod':
        'module example.com/m/api\nrequire (\n\texample.com/m/store v0.0.0\n\texample.com/far v1.0.0\n)\nreplace example.com/fork => ../fork\n',
      'store/go.mod': 'module example.com/m/store\n',
      'fork/go.mod': 'module example.com/fork/v2\n',
      'rest/go.mod': 'module example.com/m/rest\n',
    },
    of: ['api'],
    needed: ['api', 'fork', 'store'],
  },
  'cargo: by path, of the workspace, under another name, for one target': {
    files: {
      'Cargo.toml': '[workspace]\nmembers = ["crates/*"]\n[workspace.dependencies]\nkit = { path = "crates/kit" }\n',
      'crates/app/Cargo.toml':
        '[package]\nname = "app"\n[dependencies]\ncore = { path = "../core" }\nkit.workspace = true\nserde = "1"\n' +
        'renamed = { package = "odd-name", version = "1" }\n[target.\'cfg(unix)\'.dependencies]\nsys = { path = "../sys" }\n',
      'crates/core/Cargo.toml': '[package]\nname = "the-core"\n',
      'crates/kit/Cargo.toml': '[package]\nname = "kit"\n',
      'crates/odd/Cargo.toml': '[package]\nname = "odd-name"\n',
      'crates/sys/Cargo.toml': '[package]\nname = "sys"\n',
      'crates/rest/Cargo.toml': '[package]\nname = "rest"\n',
    },
    of: ['crates/app'],
    needed: ['crates/app', 'crates/core', 'crates/kit', 'crates/odd', 'crates/sys'],
  },
  'python: by name, by path, in groups': {
    files: {
      'app/pyproject.toml':
        '[project]\nname = "app"\ndependencies = ["Lib_One>=1", "requests"]\n[tool.uv.sources]\ntwo = { path = "../two" }\n' +
        '[dependency-groups]\ndev = ["three[extra]"]\n',
      'one/pyproject.toml':
        '[tool.poetry]\nname = "lib.one"\n[tool.poetry.group.dev.dependencies]\nfour = { path = "../four", develop = true }\n',
      'two/pyproject.toml': '[project]\nname = "second"\n',
      'three/pyproject.toml': '[project]\nname = "three"\n',
      'four/pyproject.toml': '[project]\nname = "four"\n',
      'rest/pyproject.toml': '[project]\nname = "rest"\n',
    },
    of: ['app'],
    needed: ['app', 'one', 'three', 'two', 'four'],
  },
  'several, in their order, and one without a manifest': {
    files: {
      'b/package.json': json({ name: 'b', dependencies: { c: '*' } }),
      'c/package.json': json({ name: 'c', dependencies: { b: '*' } }),
    },
    of: ['scripts', 'c', 'b'],
    needed: ['scripts', 'c', 'b'],
  },
  'none for none': { files: { 'b/package.json': json({ name: 'b' }) }, of: [], needed: [] },
  'manifests that make no sense': {
    files: {
      'a/package.json': '{"dependencies": [1, {',
      'a/Cargo.toml': '[[[',
      'a/pyproject.toml': '=',
      'a/go.mod': '',
    },
    of: ['a'],
    needed: ['a'],
  },
};

it.each(Object.entries(rows))('%s', (_what, { files, of, needed }) => {
  for (const [path, text] of Object.entries(files)) tree.put(path, text);
  // However few files are indexed.
  expect(neededPackages(nodeFiles, tree.top, of, { maxFiles: 1 })).toEqual(needed);
});

it('the stamp of manifests tells of each that changes, comes or goes', () => {
  tree.put('a/package.json', '{}');
  const stamp = () => stampOfManifests(nodeFiles, tree.top, ['a', 'b']);
  const stamps = [stamp()];
  tree.put('a/package.json', '{ }');
  stamps.push(stamp());
  tree.put('b/go.mod', 'module b\n');
  stamps.push(stamp());
  tree.put('c/go.mod', 'module c\n');
  expect(stamp()).toBe(stamps[2]);
  expect(new Set(stamps).size).toBe(3);
});

describe('the package of a file', () => {
  it.each([
    ['the nearest with a manifest', 'libs/core/src/deep/a.ts', 'libs/core'],
    ['one within another', 'libs/core/plugin/a.ts', 'libs/core/plugin'],
    ['its manifest itself', 'libs/core/package.json', 'libs/core'],
    ['without a manifest the first directory', 'scripts/build/a.ts', 'scripts'],
    ['none for a file of the root', 'top.ts', undefined],
  ])('%s', (_what, path, expected) => {
    for (const manifest of ['package.json', 'libs/core/package.json', 'libs/core/plugin/Cargo.toml'])
      tree.put(manifest);
    expect(packageAt(nodeFiles, tree.top, path)).toBe(expected);
  });
});
