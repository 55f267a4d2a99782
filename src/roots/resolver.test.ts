import { mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { cases } from '../../test/cases.ts';
import { nodeFiles } from '../platform/files.ts';
import type { Files } from '../platform/files.ts';
import { call, event } from './event.fixture.ts';
import { findWorkspaceRoot } from './find-root.ts';
import { createResolver } from './resolver.ts';
import type { ResolverOptions } from './resolver.ts';
import { plantTree } from './tree.fixture.ts';
import type { Tree } from './tree.fixture.ts';

let tree: Tree;
let w: string;
let time: number;
beforeEach(() => {
  tree = plantTree();
  w = tree.top;
  time = 0;
});
afterEach(() => tree.remove());

function resolver(options: Partial<ResolverOptions> = {}) {
  return createResolver({ files: nodeFiles, home: tree.home, now: () => time, ...options });
}

function countedFiles(): { files: Files; looks: { count: number } } {
  const looks = { count: 0 };
  const files = Object.fromEntries(
    Object.entries(nodeFiles).map(([name, ask]) => [
      name,
      (...args: never[]) => ((looks.count += 1), (ask as (...all: never[]) => unknown)(...args)),
    ]),
  );
  return { files: files as unknown as Files, looks };
}

describe('memory', () => {
  const lives = [
    { marked: true, stays: 29_999, gone: 30_000 },
    { marked: false, stays: 4_999, gone: 5_000 },
  ];
  test.each(lives)('an entry lives its time (marked: $marked)', ({ marked, stays, gone }) => {
    const dir = tree.putDir('p/sub');
    if (marked) tree.putDir('p/.git');
    const { rootOf } = resolver();
    const before = rootOf(dir);
    mkdirSync(join(dir, '.git'));
    time = stays;
    expect(rootOf(dir)).toBe(before);
    time = gone;
    expect(rootOf(dir).path).toBe(dir);
  });

  test('a known path costs no look at the disk', () => {
    tree.putDir('p/.git');
    const file = tree.put('p/a.ts');
    const { files, looks } = countedFiles();
    const { rootOf } = resolver({ files });
    rootOf(file);
    looks.count = 0;
    rootOf(file);
    rootOf(dirname(file));
    expect(looks.count).toBe(0);
  });

  test('a missing path is looked up anew once it exists', () => {
    tree.putDir('p/.git');
    const { rootOf } = resolver();
    const file = join(w, 'p/clone/a.ts');
    expect(rootOf(file).path).toBe(join(w, 'p'));
    tree.putDir('p/clone/.git');
    tree.put('p/clone/a.ts');
    expect(rootOf(file).path).toBe(join(w, 'p/clone'));
  });

  test.each(['session.start', 'cwd.changed'] as const)('%s looks anew', (name) => {
    tree.putDir('p/.git');
    const dir = tree.putDir('p/sub');
    const { rootOf, resolveEvent } = resolver();
    rootOf(dir);
    mkdirSync(join(dir, '.git'));
    expect(resolveEvent(event(dir, { name })).root.path).toBe(dir);
  });

  test('forget drops a directory with all below it, under every name, and nothing else', () => {
    for (const name of ['p', 'q']) tree.put(`${name}/sub/a.ts`);
    for (const name of ['p', 'q']) tree.putDir(`${name}/.git`);
    symlinkSync(join(w, 'p'), join(w, 'alias'));
    const { rootOf, forget } = resolver();
    const paths = ['p/sub/a.ts', 'alias/sub', 'q/sub'].map((path) => join(w, path));
    for (const path of paths) rootOf(path);
    for (const name of ['p', 'q']) tree.putDir(`${name}/sub/.git`);
    forget(join(w, 'alias'));
    expect(paths.map((path) => rootOf(path).path)).toEqual([join(w, 'p/sub'), join(w, 'p/sub'), join(w, 'q')]);
    forget();
    expect(rootOf(join(w, 'q/sub')).path).toBe(join(w, 'q/sub'));
  });

  test('forget follows a link that was turned elsewhere', () => {
    for (const name of ['p', 'q']) tree.putDir(`${name}/.git`);
    symlinkSync(join(w, 'p'), join(w, 'alias'));
    const { rootOf, forget } = resolver();
    expect(rootOf(join(w, 'alias')).path).toBe(join(w, 'p'));
    rmSync(join(w, 'alias'));
    symlinkSync(join(w, 'q'), join(w, 'alias'));
    forget(join(w, 'alias'));
    expect(rootOf(join(w, 'alias')).path).toBe(join(w, 'q'));
  });

  test('is bounded: the oldest entry goes first', () => {
    tree.putDir('p/.git');
    const file = tree.put('p/a.ts');
    const { rootOf } = resolver();
    const before = rootOf(file);
    renameSync(join(w, 'p/.git'), join(w, 'p/.hg'));
    for (let at = 0; at < 4_100; at += 1) rootOf(`${w}${'/'.repeat(at + 1)}.`);
    expect(rootOf(file)).not.toBe(before);
    expect(rootOf(file).repository?.system).toBe('hg');
  });

  const DIRS = ['', 'a', 'a/b', 'a/b/c', 'a/node_modules/x', 'd', 'd/e'];
  const MARKERS = ['.git/HEAD', 'package.json', 'Makefile', 'pnpm-workspace.yaml', '.gitignore'];
  const queries = fc.array(
    fc.record({
      path: fc.constantFrom(...DIRS.flatMap((dir) => [dir, `${dir}/f.ts`, `${dir}/missing/g.ts`, `link/${dir}`])),
      pass: fc.integer({ min: 0, max: 40_000 }),
      drop: fc.boolean(),
    }),
    { minLength: 1, maxLength: 12 },
  );
  test('the answer never depends on what was asked before', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.tuple(fc.constantFrom(...DIRS), fc.constantFrom(...MARKERS)), { maxLength: 6 }),
        queries,
        (markers, asked) => {
          rmSync(w, { recursive: true, force: true });
          for (const dir of DIRS) tree.put(`t/${dir}/f.ts`);
          for (const [dir, name] of markers) tree.put(`t/${dir}/${name}`, name === '.gitignore' ? 'b\n' : '{}');
          symlinkSync(join(w, 't'), join(w, 't/link'));
          const { rootOf, resolveEvent, forget } = resolver();
          for (const { path, pass, drop } of asked) {
            time += pass;
            if (drop) forget(join(w, 't/a'));
            const full = join(w, 't', path);
            const { inside: _, ...expected } = findWorkspaceRoot(full, {
              files: nodeFiles,
              home: tree.home,
              preferEnv: false,
            });
            expect(rootOf(full)).toMatchObject(expected);
            const chosen = resolveEvent(call(w, 'read', full));
            expect({ path: chosen.root.path, reason: chosen.reason }).toEqual(freshly(full));
          }
        },
      ),
      cases(60),
    );
  });
  function freshly(full: string) {
    const { root, reason } = resolver().resolveEvent(call(w, 'read', full));
    return { path: root.path, reason };
  }
});

describe('nearest ancestor with an entry', () => {
  test('at or above the path, not above the root', () => {
    tree.putDir('p/.git');
    tree.put('above.md');
    tree.put('p/pkg/package.json', '{}');
    tree.put('p/.context/TASKS.md');
    const file = tree.put('p/pkg/src/a.ts');
    tree.putDir('q');
    const { rootOf, nearest } = resolver();
    const root = rootOf(file);
    const rows: readonly [string, string, string | undefined][] = [
      ['p/pkg/src/a.ts', 'package.json', 'p/pkg'],
      ['p/pkg', 'package.json', 'p/pkg'],
      ['p/pkg/src/new/b.ts', 'package.json', 'p/pkg'],
      ['p/pkg/src', '.context/TASKS.md', 'p'],
      ['p', 'package.json', undefined],
      ['p/pkg', 'above.md', undefined],
      ['q', '.git', undefined],
    ];
    for (const [from, name, expected] of rows) {
      expect(nearest(root, join(w, from), name), `${name} from ${from}`).toBe(
        expected === undefined ? undefined : join(w, expected),
      );
    }
  });

  const lives = [
    { was: true, stays: 29_999, gone: 30_000 },
    { was: false, stays: 4_999, gone: 5_000 },
  ];
  test.each(lives)('an answer lives its time (found: $was)', ({ was, stays, gone }) => {
    tree.putDir('p/.git');
    const dir = tree.putDir('p/sub');
    const entry = join(w, 'p/.specweave');
    if (was) mkdirSync(entry);
    const { rootOf, nearest } = resolver();
    const ask = () => nearest(rootOf(dir), dir, '.specweave') !== undefined;
    expect(ask()).toBe(was);
    if (was) rmSync(entry, { recursive: true });
    else mkdirSync(entry);
    time = stays;
    expect(ask()).toBe(was);
    time = gone;
    expect(ask()).toBe(!was);
  });

  test('an answer is never older than those it rests on', () => {
    tree.putDir('p/.git');
    const [sub, other] = [tree.putDir('p/sub'), tree.putDir('p/other')];
    const { rootOf, nearest } = resolver();
    nearest(rootOf(sub), sub, '.specweave');
    time = 3_000;
    nearest(rootOf(other), other, '.specweave');
    mkdirSync(join(w, 'p/.specweave'));
    time = 5_000;
    expect(nearest(rootOf(other), other, '.specweave')).toBe(join(w, 'p'));
  });

  test('asking at every edit costs no look at the disk, and a neighbour one', () => {
    tree.putDir('p/.git');
    const file = tree.put('p/src/deep/a.ts');
    const beside = tree.put('p/src/other/a.ts');
    const made = join(w, 'p/src/deep/new.ts');
    const { files, looks } = countedFiles();
    const { rootOf, nearest, resolveEvent } = resolver({ files });
    const root = rootOf(file);
    const cost = (path: string) => {
      resolveEvent(call(w, 'write', path), root);
      looks.count = 0;
      nearest(root, path, '.specweave');
      return looks.count;
    };
    expect([cost(file), cost(file), cost(dirname(file)), cost(made), cost(beside)]).toEqual([3, 0, 0, 0, 1]);
  });

  test('forget drops the answers of a directory and of all below it', () => {
    tree.putDir('p/.git');
    const [sub, other] = [tree.putDir('p/sub/a'), tree.putDir('p/other')];
    const { rootOf, nearest, forget } = resolver();
    const root = rootOf(sub);
    const ask = () => [sub, other].map((dir) => nearest(root, dir, 'note'));
    ask();
    for (const dir of [sub, other]) tree.putDir(`${dir.slice(w.length + 1)}/note`);
    forget(join(w, 'p/sub'));
    expect(ask()).toEqual([sub, undefined]);
    forget();
    expect(ask()).toEqual([sub, other]);
  });
});

describe('roots that come and go', () => {
  test('a session does not stay where nothing is any more', () => {
    tree.putDir('one/.git');
    const file = tree.put('one/a.ts');
    const { resolveEvent, rootOf } = resolver();
    const active = rootOf(file);
    const command = call(w, 'shell');
    expect(resolveEvent(command, active)).toMatchObject({ root: { path: join(w, 'one') }, reason: 'active' });
    rmSync(join(w, 'one'), { recursive: true });
    expect(resolveEvent(command, active)).toMatchObject({ root: { path: w }, reason: 'none' });
    tree.putDir('two/.git');
    expect(resolveEvent(command, active)).toMatchObject({ root: { path: join(w, 'two') }, reason: 'single-child' });
  });

  test('the home directory is one from when that is forced', () => {
    mkdirSync(join(tree.home, '.git'));
    let forced = false;
    const { rootOf } = resolver({ force: () => forced });
    expect(rootOf(tree.home).markerBacked).toBe(false);
    forced = true;
    time = 5_000;
    expect(rootOf(tree.home)).toMatchObject({ path: tree.home, markerBacked: true });
  });
});
