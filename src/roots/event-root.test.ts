import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ToolKind } from '../event/event.ts';
import { nodeFiles } from '../platform/files.ts';
import { call, event } from './event.fixture.ts';
import { createResolver } from './resolver.ts';
import type { ResolverOptions } from './resolver.ts';
import { plantTree, rootedAt } from './tree.fixture.ts';
import type { Tree } from './tree.fixture.ts';

let tree: Tree;
let w: string;
beforeEach(() => {
  tree = plantTree();
  w = tree.top;
});
afterEach(() => tree.remove());

function resolver(options: Partial<ResolverOptions> = {}) {
  return createResolver({ files: nodeFiles, home: tree.home, now: Date.now, ...options });
}

/** Roots `r`, `r2` and `r3` with markers; `plain` without one. */
function plant(): void {
  for (const name of ['r', 'r2', 'r3']) tree.putDir(`${name}/.git`);
  tree.put('r/a.ts');
  tree.put('r2/b.ts');
  tree.put('r2/node_modules/x/package.json', '{}');
  tree.put('plain/note.txt');
}

describe('which root an event belongs to', () => {
  const rows: readonly {
    name: string;
    kind: ToolKind;
    paths: string[];
    cwd: string;
    active?: string;
    root: string;
    reason: string;
  }[] = [
    {
      name: 'the file comes before the working directory',
      kind: 'read',
      paths: ['r2/b.ts'],
      cwd: 'r',
      root: 'r2',
      reason: 'file',
    },
    { name: 'the place of a search too', kind: 'search', paths: ['r2'], cwd: 'r', root: 'r2', reason: 'path' },
    {
      name: 'a file that does not exist yet',
      kind: 'write',
      paths: ['r2/new/x.ts'],
      cwd: 'r',
      root: 'r2',
      reason: 'file',
    },
    {
      name: 'an unmarked file leaves it to the working directory',
      kind: 'read',
      paths: ['plain/note.txt'],
      cwd: 'r',
      root: 'r',
      reason: 'cwd',
    },
    {
      name: 'the first marked of several files',
      kind: 'edit',
      paths: ['plain/note.txt', 'r2/b.ts', 'r3/c.ts'],
      cwd: 'r',
      root: 'r2',
      reason: 'file',
    },
    {
      name: 'a shell contributes its working directory alone',
      kind: 'shell',
      paths: ['r2/b.ts'],
      cwd: 'r',
      root: 'r',
      reason: 'cwd',
    },
    { name: 'nothing marked', kind: 'read', paths: ['plain/note.txt'], cwd: 'plain', root: 'plain', reason: 'none' },
    {
      name: 'an installed package leads nowhere',
      kind: 'read',
      paths: ['r2/node_modules/x/package.json'],
      cwd: 'r',
      root: 'r',
      reason: 'cwd',
    },
    {
      name: 'active: an unmarked working directory',
      kind: 'shell',
      paths: [],
      cwd: 'plain',
      active: 'r',
      root: 'r',
      reason: 'active',
    },
    {
      name: 'active: a marked working directory moves',
      kind: 'shell',
      paths: [],
      cwd: 'r2',
      active: 'r',
      root: 'r2',
      reason: 'cwd',
    },
    {
      name: 'active: a file in another root moves',
      kind: 'read',
      paths: ['r2/b.ts'],
      cwd: 'r',
      active: 'r',
      root: 'r2',
      reason: 'file',
    },
    {
      name: 'active: a file in the same root',
      kind: 'read',
      paths: ['r/a.ts'],
      cwd: 'plain',
      active: 'r',
      root: 'r',
      reason: 'file',
    },
    {
      name: 'active: a stray file does not follow the working directory',
      kind: 'read',
      paths: ['plain/note.txt'],
      cwd: 'r2',
      active: 'r',
      root: 'r',
      reason: 'active',
    },
    {
      name: 'active: an installed package does, inside its root',
      kind: 'read',
      paths: ['r2/node_modules/x/package.json'],
      cwd: 'r2',
      active: 'r',
      root: 'r2',
      reason: 'cwd',
    },
    {
      name: 'active: a stray file with the working directory in the same root',
      kind: 'read',
      paths: ['plain/note.txt'],
      cwd: 'r',
      active: 'r',
      root: 'r',
      reason: 'cwd',
    },
    {
      name: 'active but unmarked counts as pending',
      kind: 'read',
      paths: ['plain/note.txt'],
      cwd: 'r2',
      active: 'plain',
      root: 'r2',
      reason: 'cwd',
    },
  ];
  test.each(rows)('$name', ({ kind, paths, cwd, active, root, reason }) => {
    plant();
    const { rootOf, resolveEvent } = resolver();
    const found = resolveEvent(
      call(join(w, cwd), kind, ...paths.map((path) => join(w, path))),
      active === undefined ? undefined : rootOf(join(w, active)),
    );
    expect(found.root.path).toBe(join(w, root));
    expect(found.reason).toBe(reason);
  });

  test('moves to another root and back', () => {
    plant();
    const { rootOf, resolveEvent } = resolver();
    const first = rootOf(join(w, 'r'));
    const second = resolveEvent(call(join(w, 'r'), 'read', join(w, 'r2/b.ts')), first).root;
    expect(second.path).toBe(join(w, 'r2'));
    expect(resolveEvent(call(join(w, 'r'), 'read', join(w, 'r/a.ts')), second).root).toBe(first);
  });

  test('a session starts at its working directory, then at the project directory', () => {
    plant();
    const { resolveEvent } = resolver();
    const start = (cwd: string) =>
      resolveEvent(event(join(w, cwd), { name: 'session.start', projectDir: join(w, 'r2') }));
    expect(start('r')).toMatchObject({ root: { path: join(w, 'r') }, reason: 'session-start' });
    expect(start('plain')).toMatchObject({ root: { path: join(w, 'r2') }, reason: 'session-start' });
    expect(resolveEvent(event(join(w, 'plain'), { projectDir: join(w, 'r2') })).reason).toBe('none');
  });

  test('targets are the distinct roots of every path, wherever the session is', () => {
    plant();
    symlinkSync(join(w, 'r2'), join(w, 'alias'));
    const { rootOf, resolveEvent } = resolver();
    const tool = {
      kind: 'edit',
      name: 'edit',
      input: {},
      hasInput: true,
      paths: [join(w, 'r2/b.ts'), join(w, 'alias/c.ts')],
      edits: [{ path: join(w, 'r3/x'), operation: 'write' }],
    } as const;
    const single = event(join(w, 'r'), { tool });
    const batch = event(join(w, 'r'), {
      name: 'tool.batch',
      batch: [
        { ...tool, edits: [] },
        { ...tool, paths: [] },
      ],
    });
    for (const each of [single, batch]) {
      const { targets } = resolveEvent(each, rootOf(join(w, 'r')));
      expect(targets.map((root) => root.path)).toEqual([join(w, 'r2'), join(w, 'r3')]);
    }
    expect(resolveEvent(event(w)).targets).toEqual([]);
  });
});

describe('system directories and dependency stores', () => {
  const rows: readonly { have: string[]; path: string; root: string | undefined }[] = [
    { have: ['usr/lib/x.py'], path: '/usr/lib/x.py', root: undefined },
    { have: ['opt/app/.git/HEAD', 'opt/app/a.py'], path: '/opt/app/a.py', root: '/opt/app' },
    { have: ['opt/app/package.json', 'opt/app/a.py'], path: '/opt/app/a.py', root: '/opt/app' },
    {
      have: ['srv/p/.git/HEAD', 'srv/p/node_modules/x/package.json'],
      path: '/srv/p/node_modules/x/package.json',
      root: undefined,
    },
    {
      have: ['srv/p/.git/HEAD', 'srv/p/node_modules/x/.git/HEAD'],
      path: '/srv/p/node_modules/x/i.js',
      root: '/srv/p/node_modules/x',
    },
    {
      have: ['srv/p/.git/HEAD', 'srv/p/node_modules/x/.git/HEAD'],
      path: '/srv/p/node_modules/x/node_modules/y/i.js',
      root: undefined,
    },
    { have: ['srv/p/.git/HEAD', 'srv/p/.venv/pyproject.toml'], path: '/srv/p/.venv/pyproject.toml', root: undefined },
    { have: ['u/.cargo/registry/src/a/Cargo.toml'], path: '/u/.cargo/registry/src/a/Cargo.toml', root: undefined },
    { have: ['u/.cargo/own/Cargo.toml'], path: '/u/.cargo/own/Cargo.toml', root: '/u/.cargo/own' },
    { have: ['u/go/pkg/mod/x@v1/go.mod'], path: '/u/go/pkg/mod/x@v1/go.mod', root: undefined },
    { have: ['u/go/src/x/go.mod'], path: '/u/go/src/x/go.mod', root: '/u/go/src/x' },
    {
      have: ['u/my-node_modules/x/package.json'],
      path: '/u/my-node_modules/x/package.json',
      root: '/u/my-node_modules/x',
    },
    { have: ['optional/x/package.json'], path: '/optional/x/package.json', root: '/optional/x' },
  ];
  test.each(rows)('$path of $have', ({ have, path, root }) => {
    for (const each of have) tree.put(each, '{}');
    tree.putDir('cwd/.git');
    const { resolveEvent } = resolver({ files: rootedAt(w), home: '/home/me' });
    const found = resolveEvent(call('/cwd', 'read', path));
    expect(found).toMatchObject(
      root === undefined ? { root: { path: '/cwd' }, reason: 'cwd' } : { root: { path: root }, reason: 'file' },
    );
  });

  test.each(['opt', 'srv/node_modules'])('an unmarked /%s is not searched for a child', (dir) => {
    tree.put(`${dir}/app/.git/HEAD`);
    const { resolveEvent } = resolver({ files: rootedAt(w), home: '/home/me' });
    expect(resolveEvent(call(`/${dir}`, 'shell')).reason).toBe('none');
    expect(resolveEvent(call(`/${dir}/app`, 'shell')).root.path).toBe(`/${dir}/app`);
  });

  test('the machine itself', () => {
    tree.putDir('r/.git');
    const { rootOf, resolveEvent } = resolver();
    const active = rootOf(join(w, 'r'));
    expect(resolveEvent(call(join(w, 'r'), 'read', '/usr/lib/x.py'), active)).toMatchObject({ root: active });
  });
});

describe('while no root is known, one child may be it', () => {
  const rows: readonly { name: string; have: string[]; link?: boolean; child: string | undefined }[] = [
    { name: 'one clone', have: ['repo/.git/HEAD', 'notes/a.txt', 'b.txt'], child: 'repo' },
    { name: 'one project', have: ['repo/Cargo.toml'], child: 'repo' },
    { name: 'two', have: ['one/.git/HEAD', 'two/package.json'], child: undefined },
    { name: 'a grandchild', have: ['a/repo/.git/HEAD'], child: undefined },
    { name: 'none', have: [], child: undefined },
    { name: 'a store', have: ['venv/pyproject.toml'], child: undefined },
    { name: 'a link beside it is not another', have: ['repo/.git/HEAD'], link: true, child: 'repo' },
    {
      name: '200 entries',
      have: ['repo/.git/HEAD', ...Array.from({ length: 199 }, (_, at) => `f${at}`)],
      child: 'repo',
    },
    {
      name: '201 entries',
      have: ['repo/.git/HEAD', ...Array.from({ length: 200 }, (_, at) => `f${at}`)],
      child: undefined,
    },
  ];
  test.each(rows)('$name', ({ have, link, child }) => {
    for (const path of have) tree.put(path, '{}');
    if (link === true) symlinkSync(join(w, 'repo'), join(w, 'alias'));
    const found = resolver().resolveEvent(call(w, 'shell'));
    expect(found).toMatchObject(
      child === undefined
        ? { root: { path: w, markerBacked: false }, reason: 'none' }
        : { root: { path: join(w, child) }, reason: 'single-child' },
    );
  });

  test('a clone is seen by the very next event, and not asked for once a root is active', () => {
    tree.putDir('r/.git');
    const cwd = tree.putDir('in');
    let now = 0;
    const { rootOf, resolveEvent } = resolver({ now: () => (now += 100) });
    expect(resolveEvent(call(cwd, 'shell')).reason).toBe('none');
    tree.repository('in/clone');
    expect(resolveEvent(call(cwd, 'shell'))).toMatchObject({
      root: { path: join(cwd, 'clone') },
      reason: 'single-child',
    });
    expect(resolveEvent(call(cwd, 'shell'), rootOf(join(w, 'r'))).root.path).toBe(join(w, 'r'));
    tree.git(cwd, 'init', '-q');
    expect(resolveEvent(call(cwd, 'shell'))).toMatchObject({ root: { path: cwd }, reason: 'cwd' });
  });
});
