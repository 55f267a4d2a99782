import { spawnSync } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { cases } from '../../../test/cases.ts';
import { nodeFiles } from '../../platform/files.ts';
import { plantTree } from '../../roots/tree.fixture.ts';
import type { Tree } from '../../roots/tree.fixture.ts';
import { isIndexed } from './is-indexed.ts';
import type { WalkOptions } from './walk-options.ts';
import { walkWorkspace } from './walk-workspace.ts';

let tree: Tree;
beforeEach(() => {
  tree = plantTree();
});
afterEach(() => tree.remove());

function walked(root: string, options?: WalkOptions): { paths: string[]; skipped: Record<string, number> } {
  const walk = walkWorkspace(nodeFiles, root, options);
  const paths = [...walk].map(({ path }) => path);
  // What is said of one path is what walking said.
  for (const path of paths) expect(isIndexed(nodeFiles, root, path, options)).toMatchObject({ path });
  return { paths, skipped: Object.fromEntries(Object.entries(walk.skipped).filter(([, count]) => count > 0)) };
}

describe('which files', () => {
  interface Row {
    readonly files: readonly (string | readonly [path: string, text: string])[];
    readonly paths: readonly string[];
    readonly skipped: Readonly<Record<string, number>>;
    readonly options?: WalkOptions;
  }
  const rows: Record<string, Row> = {
    'of some languages alone, with the manifests of all': {
      files: ['a.ts', 'b.py', 'c.go', 'package.json', ['tool', '#!/usr/bin/env python3\n']],
      paths: ['b.py', 'package.json', 'tool'],
      skipped: { excluded: 2 },
      options: { languages: ['python'] },
    },
    'ignore files on all levels, negated ones too': {
      files: [
        ['.gitignore', '*.gen.ts\n/data/\n!keep.gen.ts\n'],
        ['src/.gitignore', '!b.gen.ts\nsecret.ts\n'],
        'a.gen.ts',
        'keep.gen.ts',
        'data/x.ts',
        'src/data/x.ts',
        'src/a.gen.ts',
        'src/b.gen.ts',
        'src/deep/secret.ts',
      ],
      paths: ['keep.gen.ts', 'src/b.gen.ts', 'src/data/x.ts'],
      skipped: { ignored: 4, other: 2 },
    },
    'a directory that a deeper file brings back': {
      files: [['.gitignore', 'gen/\n'], ['pkg/.gitignore', '!gen/\n'], 'gen/a.ts', 'pkg/gen/b.ts'],
      paths: ['pkg/gen/b.ts'],
      skipped: { ignored: 1, other: 2 },
    },
    'what is in an ignored directory cannot be brought back': {
      files: [['.gitignore', 'gen/\n!gen/a.ts\n'], 'gen/a.ts'],
      paths: [],
      skipped: { ignored: 1, other: 1 },
    },
    'the ignore files of other tools, and ours above them': {
      files: [
        ['.gitignore', 'big/\n'],
        ['.ignore', 'fixtures/\n'],
        ['.fairleadignore', '!big/\n!fixtures/\nnotes/\n'],
        'big/a.ts',
        'fixtures/b.ts',
        'notes/c.ts',
      ],
      paths: ['big/a.ts', 'fixtures/b.ts'],
      skipped: { ignored: 1, other: 3 },
    },
    'directories of output, copies and tools': {
      files: [
        'node_modules/a/i.js',
        'p/node_modules/a/i.js',
        'vendor/a.go',
        'dist/a.js',
        'p/dist/a.js',
        'build/a.js',
        'target/a.rs',
        '.venv/a.py',
        'p/__pycache__/a.py',
        'env/pyvenv.cfg',
        'env/a.py',
        'cache/CACHEDIR.TAG',
        'cache/a.py',
        '.yarn/releases/yarn.cjs',
        '.github/check.sh',
        'a.ts',
      ],
      paths: ['.github/check.sh', 'a.ts'],
      skipped: { excluded: 10, hidden: 2 },
    },
    'packages that have the name of such a directory': {
      files: [
        'api/router/router.go',
        'api/router/build/build.go',
        'env/a.py',
        'venv/b.py',
        'lib/p/package.json',
        'lib/p/index.js',
        'lib/p/build/o.js',
      ],
      paths: [
        'api/router/build/build.go',
        'api/router/router.go',
        'env/a.py',
        'lib/p/index.js',
        'lib/p/package.json',
        'venv/b.py',
      ],
      skipped: { excluded: 1 },
    },
    'a word of the project brings an excluded directory back': {
      files: [['.fairleadignore', '!build/\n!.tools/\n'], 'build/a.ts', '.tools/b.sh'],
      paths: ['.tools/b.sh', 'build/a.ts'],
      skipped: { other: 1 },
    },
    'globs that choose': {
      files: ['src/a.ts', 'src/a.test.ts', 'docs/b.ts', 'build/c.ts', 'build/d.py', 'package.json'],
      options: { include: ['src/**', 'build/*.ts'], exclude: ['**/*.test.ts'] },
      paths: ['build/c.ts', 'package.json', 'src/a.ts'],
      skipped: { excluded: 3 },
    },
    'scripts without an extension': {
      files: [['bin/run', '#!/usr/bin/env bash\n'], ['bin/tool', '#!/usr/bin/python3\n'], ['bin/data', 'x'], 'LICENSE'],
      paths: ['bin/run', 'bin/tool'],
      skipped: { other: 2 },
    },
    'directories with the name of a file': {
      files: ['a.ts/b.ts', 'x.png/c.py'],
      paths: ['a.ts/b.ts', 'x.png/c.py'],
      skipped: {},
    },
  };
  test.each(Object.entries(rows))('%s', (_, { files, paths, skipped, options }) => {
    for (const each of files) {
      const [path, text] = typeof each === 'string' ? [each, ''] : each;
      tree.put(path, text);
    }
    expect(walked(tree.top, options)).toEqual({ paths, skipped });
  });
});

test('a project below directories with such names is like any other', () => {
  tree.put('build/context/app/src/a.ts');
  tree.put('build/context/app/build/b.ts');
  expect(walked(join(tree.top, 'build/context/app')).paths).toEqual(['src/a.ts']);
});

test('the repository around the root and its private excludes have a say, also through a linked work tree', () => {
  const top = tree.repository('main');
  tree.put('main/.gitignore', 'out.ts\n/app/local/\n');
  tree.put('main/.git/info/exclude', 'mine.ts\n');
  tree.git(top, 'worktree', 'add', '-q', join(tree.top, 'other'));
  for (const path of ['app/out.ts', 'app/mine.ts', 'app/local/a.ts', 'app/a.ts']) {
    tree.put(`main/${path}`);
    tree.put(`other/${path}`);
  }
  expect(walked(join(top, 'app'))).toEqual({ paths: ['a.ts'], skipped: { ignored: 3 } });
  expect(walked(join(tree.top, 'other')).paths).toEqual(['app/a.ts', 'app/local/a.ts', 'app/out.ts']);
});

test('a root that the repository around it ignores is indexed all the same', () => {
  tree.repository('');
  tree.put('.gitignore', 'scratch/\n');
  tree.put('scratch/app/a.ts');
  expect(walked(join(tree.top, 'scratch/app')).paths).toEqual(['a.ts']);
});

test('repositories and work trees below the root answer for themselves', () => {
  const top = tree.repository('');
  tree.put('a.ts');
  tree.put('inner/b.ts');
  tree.git(join(top, 'inner'), 'init', '-q');
  tree.git(top, 'worktree', 'add', '-q', join(top, 'trees/x'));
  tree.put('trees/x/c.ts');
  const { paths, skipped } = walked(top);
  expect(paths).toEqual(['a.ts']);
  expect(skipped['repository']).toBe(2);
  expect(isIndexed(nodeFiles, top, 'inner/b.ts')).toBe('repository');
});

test('links are not followed, neither out of the root nor in a circle', () => {
  tree.put('w/a.ts');
  tree.put('secret/b.ts');
  symlinkSync(join(tree.top, 'secret'), join(tree.top, 'w/out'));
  symlinkSync(join(tree.top, 'secret/b.ts'), join(tree.top, 'w/b.ts'));
  symlinkSync('..', join(tree.top, 'w/loop'));
  symlinkSync('nowhere', join(tree.top, 'w/dangling.ts'));
  const root = join(tree.top, 'w');
  expect(walked(root)).toEqual({ paths: ['a.ts'], skipped: { link: 4 } });
  expect(isIndexed(nodeFiles, root, 'out/b.ts')).toBe('link');
  expect(isIndexed(nodeFiles, root, 'b.ts')).toBe('link');
});

test('a directory that gives no names and cannot be looked into is counted', () => {
  tree.put('closed/a.ts');
  tree.putDir('empty');
  const closed = join(tree.top, 'closed');
  const files = {
    ...nodeFiles,
    list: (dir: string) => (dir === closed ? [] : nodeFiles.list(dir)),
    lstat: (path: string) => (path.startsWith(`${closed}/`) ? undefined : nodeFiles.lstat(path)),
  };
  const walk = walkWorkspace(files, tree.top);
  expect([...walk]).toEqual([]);
  expect(walk.skipped.unreadable).toBe(1);
});

test('what is not there, or was removed in between, is unreadable', () => {
  expect(isIndexed(nodeFiles, tree.top, 'gone/a.ts')).toBe('unreadable');
  const files = { ...nodeFiles, list: () => ['gone.ts'] };
  const walk = walkWorkspace(files, tree.top);
  expect([...walk]).toEqual([]);
  expect(walk.skipped.unreadable).toBe(1);
  expect([...walkWorkspace(nodeFiles, join(tree.top, 'nowhere'))]).toEqual([]);
});

test('no more files than the cap, the first ones in order, the rest counted', () => {
  for (let at = 0; at < 20_000; at += 1) tree.put(`many/f${at}.py`);
  const started = process.cpuUsage();
  const walk = walkWorkspace(nodeFiles, tree.top, { maxFiles: 15_000 });
  const paths = [...walk].map(({ path }) => path);
  const { user, system } = process.cpuUsage(started);
  expect(paths).toHaveLength(15_000);
  expect(paths).toEqual([...paths].sort());
  expect(walk.skipped['too-many']).toBe(5_000);
  expect((user + system) / 1000).toBeLessThan(5_000);
});

describe('above the cap', () => {
  const PACKAGES = ['apps/web', 'libs/core', 'libs/core/plugin', 'libs/zeta'];
  beforeEach(() => {
    tree.put('package.json');
    tree.put('zz.ts');
    for (const dir of PACKAGES)
      for (const name of ['a.ts', 'b.ts', 'package.json']) tree.put(`${dir}/${name}`, dir.includes('zeta') ? 'x' : '');
    tree.put('libs/.gitignore', 'secret/\n');
    tree.put('libs/secret/a.ts');
    tree.put('libs/tsconfig.json');
  });
  const all = (dir: string) => ['a.ts', 'b.ts', 'package.json'].map((name) => `${dir}/${name}`);

  const rows: [what: string, first: string[], maxFiles: number, paths: string[], beyond: number][] = [
    ['the order of the walk', [], 4, [...all('apps/web'), 'libs/core/a.ts'], 11],
    [
      'a directory that comes first, with the manifests around it, and the rest in order',
      ['libs/zeta'],
      7,
      ['package.json', 'libs/tsconfig.json', ...all('libs/zeta'), 'apps/web/a.ts', 'apps/web/b.ts'],
      8,
    ],
    [
      'several in the order that is given, none twice',
      ['libs/core/plugin', 'libs/core', 'libs/core/plugin'],
      20,
      [
        ...['package.json', 'libs/tsconfig.json', 'libs/core/package.json', ...all('libs/core/plugin')],
        ...['libs/core/a.ts', 'libs/core/b.ts', ...all('apps/web'), ...all('libs/zeta'), 'zz.ts'],
      ],
      0,
    ],
    [
      'what is first as part of another is not walked again',
      ['libs/core', 'libs/core/plugin'],
      8,
      [
        ...['package.json', 'libs/tsconfig.json', 'libs/core/a.ts', 'libs/core/b.ts', 'libs/core/package.json'],
        ...all('libs/core/plugin'),
      ],
      7,
    ],
    ['more of them than fit', ['libs/zeta'], 3, ['package.json', 'libs/tsconfig.json', 'libs/zeta/a.ts'], 3],
    [
      'what is ignored or gone stays so',
      ['libs/secret', 'gone/x', 'zz.ts', '', '..', 'libs/../libs/zeta'],
      3,
      ['package.json', 'libs/tsconfig.json', 'apps/web/a.ts'],
      3,
    ],
  ];
  test.each(rows)('%s', (_what, first, maxFiles, paths, beyond) => {
    const { paths: found, skipped } = walked(tree.top, { maxFiles, first });
    expect(found).toEqual(paths);
    expect(skipped['too-many'] ?? 0).toBe(beyond > maxFiles ? maxFiles : beyond);
  });

  test('what is counted is the same, whatever comes first', () => {
    const { skipped } = walked(tree.top, { maxFiles: 10, first: ['libs/zeta', 'libs/secret'] });
    expect(skipped).toEqual(walked(tree.top, { maxFiles: 10 }).skipped);
  });
});

test('agrees with git about every file, and one path with the walk', () => {
  const names = ['a', 'b', 'c'];
  const paths = names.flatMap((one) => [
    `${one}.ts`,
    ...names.flatMap((two) => [`${one}/${two}.ts`, ...names.map((three) => `${one}/${two}/${three}.ts`)]),
  ]);
  const top = tree.repository('');
  for (const path of paths) tree.put(path);
  const name = fc.constantFrom('a', 'b', '*', '?', '[ab]', '**', 'a.ts', '*.ts', '[!b].ts');
  const pattern = fc
    .tuple(
      fc.constantFrom('', '!'),
      fc.constantFrom('', '/'),
      fc.array(name, { minLength: 1, maxLength: 3 }),
      fc.constantFrom('', '/'),
    )
    .map(([negation, anchor, parts, end]) => `${negation}${anchor}${parts.join('/')}${end}`);
  const text = fc.array(pattern, { maxLength: 3 }).map((lines) => lines.join('\n'));
  const places = ['.git/info/exclude', '.gitignore', 'a/.gitignore', 'a/b/.gitignore', 'b/.gitignore'];
  fc.assert(
    fc.property(fc.tuple(...places.map(() => text)), (texts) => {
      places.forEach((place, at) => tree.put(place, texts[at] ?? ''));
      const listed = spawnSync('git', ['ls-files', '-o', '-z', '--exclude-standard', '*.ts'], {
        cwd: top,
        encoding: 'utf8',
        env: { PATH: process.env['PATH'], HOME: tree.home },
      }).stdout;
      const expected = listed.split('\0').filter(Boolean).sort();
      const found = [...walkWorkspace(nodeFiles, top)].map(({ path }) => path).sort();
      expect(found).toEqual(expected);
      const alone = paths.filter((path) => typeof isIndexed(nodeFiles, top, path) === 'object').sort();
      expect(alone).toEqual(expected);
    }),
    cases(40),
  );
});
