import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { plantRepository } from '../../src/git/repository.fixture.ts';
import type { TestRepository } from '../../src/git/repository.fixture.ts';

const IGNORED = 'build/\nnode_modules/\nreport-html/\n*.gen.js\n.env\nlocal.json\ndata/\n';
const TEN = Date.parse('2026-03-10T10:00:00Z');

export interface Repositories {
  /** The home directory of the person; every state is a directory in it. */
  readonly home: string;
  at(state: string): string;
}

/** Repositories in the states that everyday commands meet, below one home. Where there is a remote, it is `origin`. */
export function plantRepositories(home: string): Repositories {
  const at = (state: string) => join(home, state);
  const put = (state: string, files: Readonly<Record<string, string>>) => {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(at(state), path)), { recursive: true });
      writeFileSync(join(at(state), path), text);
    }
  };
  const plant = (state: string): TestRepository => {
    const repository = plantRepository(at(state));
    put(state, { '.gitignore': IGNORED });
    repository.git('add', '.gitignore');
    repository.commit(
      'First',
      TEN,
      'README.md',
      'run.sh',
      'package.json',
      'src/a.ts',
      'src/b.ts',
      'src/deep/c.ts',
      'docs/guide.md',
    );
    repository.commit('Second', TEN + 60_000, 'src/b.ts');
    return repository;
  };
  const withRemote = (state: string): TestRepository => {
    const repository = plant(state);
    repository.git('config', 'remote.origin.url', join(home, 'nowhere.git'));
    return repository;
  };

  plant('clean');

  const dirty = plant('dirty');
  put('dirty', {
    'src/a.ts': 'changed a\n',
    'src/b.ts': 'changed b\n',
    'notes.md': 'new notes\n',
    'drafts/one.txt': 'new one\n',
    'drafts/two.txt': 'new two\n',
  });
  dirty.git('rm', '-q', '--cached', 'run.sh');
  dirty.git('add', 'run.sh');

  const staged = plant('staged');
  put('staged', { 'src/a.ts': 'staged\n', 'src/new.ts': 'new and staged\n' });
  staged.git('add', 'src/a.ts', 'src/new.ts');

  const pushed = withRemote('pushed');
  pushed.git('update-ref', 'refs/remotes/origin/main', 'HEAD');

  const ahead = withRemote('ahead');
  ahead.git('update-ref', 'refs/remotes/origin/main', 'HEAD');
  ahead.commit('Third', TEN + 120_000, 'src/a.ts');

  const behind = withRemote('behind');
  behind.commit('Third', TEN + 120_000, 'src/a.ts');
  behind.git('update-ref', 'refs/remotes/origin/main', 'HEAD');
  behind.git('reset', '-q', '--hard', 'HEAD~1');
  behind.git('gc', '-q');

  const branches = withRemote('branches');
  branches.git('branch', 'merged', 'HEAD~1');
  branches.git('branch', 'twin');
  branches.git('checkout', '-q', '-b', 'spike');
  branches.commit('Spike 1', TEN + 180_000, 'src/spike.ts');
  branches.commit('Spike 2', TEN + 240_000, 'src/spike.ts');
  branches.git('checkout', '-q', '-b', 'shipped', 'main');
  branches.commit('Shipped', TEN + 300_000, 'src/shipped.ts');
  branches.git('update-ref', 'refs/remotes/origin/shipped', 'HEAD');
  branches.git('checkout', '-q', '-b', 'rewritten');
  branches.commit('Again', TEN + 360_000, 'src/shipped.ts');
  branches.git('update-ref', 'refs/remotes/origin/rewritten', 'HEAD');
  branches.git('commit', '-q', '--amend', '-m', 'Again, better');
  branches.git('checkout', '-q', 'main');
  branches.git('update-ref', 'refs/remotes/origin/main', 'HEAD');
  branches.git('update-ref', 'refs/remotes/origin/old', 'HEAD~1');

  plant('ignored');
  put('ignored', {
    'build/out.js': 'made\n',
    'node_modules/x/index.js': 'made\n',
    'report-html/index.html': 'made\n',
    'src/a.gen.js': 'made\n',
  });

  plant('secrets');
  put('secrets', {
    '.env': 'KEY=1\n',
    'report-html/index.html': 'made\n',
    'data/set.csv': '1,2\n',
    'local.json': '{}\n',
  });

  const stashed = plant('stashed');
  put('stashed', { 'src/a.ts': 'put aside\n' });
  stashed.git('stash', 'push', '-q', '-m', 'half a thought');

  const trees = plant('trees');
  trees.git('worktree', 'add', '-q', '-b', 'one', at('tree-clean'));
  trees.git('worktree', 'add', '-q', '-b', 'two', at('tree-dirty'));
  put('tree-dirty', { 'src/a.ts': 'changed in the tree\n', 'new.txt': 'new\n' });

  const outer = plant('outer');
  outer.git('-c', 'protocol.file.allow=always', 'submodule', 'add', '-q', at('clean'), 'sub');
  outer.git('commit', '-q', '-m', 'With a submodule');
  plantRepository(at('outer/vendor/lib')).commit('Theirs', TEN, 'lib.c');

  put('loose', { 'old/a.txt': 'a\n', 'old/b.txt': 'b\n', 'empty/.keep': '' });
  plantRepository(at('unborn'));
  put('unborn', { 'first.txt': 'x\n' });
  return { home, at };
}
