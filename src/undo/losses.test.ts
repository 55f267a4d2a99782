import { linkSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { logsOf, openScratch, stateOf, treeOf } from './undo.fixture.ts';
import type { Scratch } from './undo.fixture.ts';

let scratch: Scratch;
beforeEach(() => {
  scratch = openScratch();
  scratch.commit('one', 0, 'a', 'b', 'src/old/x', 'src/old/y');
  scratch.commit('two', 60_000, 'a', 'src/c');
});
afterEach(() => scratch.remove());

/** What git writes has the time when it wrote it. */
const withoutTimes = (tree: ReadonlyMap<string, string>) =>
  new Map([...tree].map(([path, line]) => [path, line.replace(/^(file \d+ \d+) \d+/, '$1')]));

type Case = readonly [name: string, arrange: () => void, command: string];

/** What there is after a command and its undo, and what there was before; what git wrote down about the way back may come on top. */
async function wayBack(arrange: () => void, command: string, meanwhile?: string) {
  arrange();
  const all = () => ({ tree: treeOf(scratch.dir), state: stateOf(scratch.dir), logs: logsOf(scratch.dir) });
  const before = all();
  const result = await scratch.keep(command);
  expect(result).toHaveProperty('kept');
  expect(all()).toEqual(before);
  scratch.run(command);
  if (meanwhile !== undefined) scratch.run(meanwhile);
  expect(all()).not.toEqual(before);
  const { left } = await scratch.undo('kept' in result ? result.kept.number : 0);
  expect(left).toEqual([]);
  const after = all();
  if (meanwhile === undefined)
    for (const [name, lines] of before.logs) expect(after.logs.get(name)).toEqual(expect.arrayContaining([...lines]));
  scratch.run('git fsck --no-dangling');
  const seen = ({ tree, state }: typeof before) => ({ tree: withoutTimes(tree), state });
  return { after: seen(after), before: seen(before) };
}

const dirty = () => {
  scratch.put('a', 'dirty\n');
  scratch.put('staged', 'staged\n');
  scratch.put('b', 'b staged\n');
  scratch.git('add', 'staged', 'b');
  scratch.put('staged', 'staged and changed\n');
  scratch.put('src/c', 'run me\n', 0o755);
};

describe('files', () => {
  it.each<Case>([
    ['a tree with links, rights and empty directories', plantTree, 'rm -rf src/old'],
    [
      'files by a pattern',
      () => ['one.dat', 'two.dat', '.dat', 'keep.txt'].map((name) => scratch.put(name, name)),
      'rm *.dat',
    ],
    ['a file that is written over', () => scratch.put('a', 'mine'), 'echo new > a'],
    ['a file that is emptied', () => scratch.put('a', 'mine'), 'truncate -s 0 a'],
    ['a file that a move replaces', () => (scratch.put('a', 'mine'), scratch.put('src/old/a', 'x')), 'cp a src/old'],
    [
      'what a search deletes',
      () => (scratch.put('src/p/q/z.dat', '1'), scratch.put('src/z.dat', '2')),
      "find src -name '*.dat' -delete",
    ],
    [
      'a file that lies behind a link',
      () => (scratch.put('real', 'r'), symlinkSync('real', join(scratch.dir, 'way'))),
      'echo x > way',
    ],
    ['files that a cut replaces', () => (scratch.put('xaa', 'mine'), scratch.put('x', 'x')), 'split -l 1 a'],
    ['a database', () => scratch.put('app.sqlite', 'rows'), 'rm app.sqlite'],
    [
      'two names of one file',
      () => (scratch.put('n/one', '1'), linkSync(join(scratch.dir, 'n/one'), join(scratch.dir, 'n/two'))),
      'rm -r n',
    ],
  ])('%s', async (_, arrange, command) => {
    const { after, before } = await wayBack(arrange, command);
    expect(after).toEqual(before);
  });
});

function plantTree(): void {
  scratch.put('src/old/run.sh', '#!/bin/sh\n', 0o750);
  scratch.put('src/old/deep/.env', 'KEY=1\n', 0o600);
  mkdirSync(join(scratch.dir, 'src/old/empty'), { mode: 0o700 });
  symlinkSync('../../a', join(scratch.dir, 'src/old/link'));
  symlinkSync('/nowhere/at/all', join(scratch.dir, 'src/old/broken'));
}

describe('uncommitted work', () => {
  it.each<Case>([
    ['reset --hard', dirty, 'git reset -q --hard'],
    ['reset --hard to another commit', dirty, 'git reset -q --hard HEAD~1'],
    ['reset --hard to another commit without changes', () => {}, 'git reset -q --hard HEAD~1'],
    ['checkout of everything', dirty, 'git checkout -q -- .'],
    ['checkout of a path', dirty, 'git checkout -q -- a'],
    ['checkout from a commit', dirty, 'git checkout -q HEAD~1 -- a'],
    [
      'checkout -f of another branch',
      () => (scratch.git('branch', 'other', 'HEAD~1'), dirty()),
      'git checkout -q -f other',
    ],
    [
      'switch --discard-changes',
      () => (scratch.git('branch', 'other', 'HEAD~1'), dirty()),
      'git switch -q --discard-changes other',
    ],
    ['restore', dirty, 'git restore a src/c'],
    ['restore of the index too', dirty, 'git restore --staged --worktree .'],
    ['rm -f', dirty, 'git rm -q -f a staged'],
    ['clean', () => (scratch.put('new/deep/file', 'n'), mkdirSync(join(scratch.dir, 'hollow'))), 'git clean -q -f -d'],
    ['clean -x', () => (scratch.put('.gitignore', '*.o\n'), scratch.put('x.o', 'o')), 'git clean -q -f -d -x'],
    ['clean -X', () => (scratch.put('.gitignore', '*.o\n'), scratch.put('x.o', 'o')), 'git clean -q -f -d -X'],
    [
      'clean after the ignore file is put back',
      () => (
        scratch.put('.gitignore', 'secret.key\n'),
        scratch.git('add', '.gitignore'),
        scratch.put('secret.key', 'k')
      ),
      'git reset -q --hard; git clean -q -f -d',
    ],
    [
      'an untracked file where the commit has one',
      () => (scratch.git('rm', '-q', '--cached', 'b'), scratch.put('b', 'mine alone')),
      'git reset -q --hard',
    ],
    [
      'a file where the commit has a directory',
      () => (scratch.run('rm -r src/old'), scratch.put('src/old', 'mine')),
      'git reset -q --hard',
    ],
    ['stash drop', () => (stash('one'), stash('two'), stash('three')), 'git stash drop -q stash@{1}'],
    ['stash clear', () => (stash('one'), stash('two')), 'git stash clear'],
    ['a merge under way', mergeUnderWay, 'git reset -q --hard'],
  ])('%s', async (_, arrange, command) => {
    const { after, before } = await wayBack(arrange, command);
    expect(after).toEqual(before);
  });
});

function stash(text: string): void {
  scratch.put('a', `stash ${text}\n`);
  scratch.git('stash', 'push', '-q', '-m', text);
}

function mergeUnderWay(): void {
  scratch.git('checkout', '-q', '-b', 'side', 'HEAD~1');
  scratch.commit('side', 90_000, 'a');
  scratch.git('checkout', '-q', 'main');
  try {
    scratch.git('merge', '-q', 'side');
  } catch {
    // The conflict is the point.
  }
}

describe('history', () => {
  const branch = () => {
    scratch.git('checkout', '-q', '-b', 'topic');
    scratch.commit('topic', 120_000, 'a', 't');
    scratch.git('config', 'branch.topic.description', 'mine');
    scratch.git('checkout', '-q', 'main');
  };
  it.each<Case>([
    ['branch -D', branch, 'git branch -q -D topic'],
    ['branch -f', () => (branch(), scratch.git('checkout', '-q', 'topic')), 'git branch -q -f main main~1'],
    ['commit --amend', () => (scratch.put('a', 'amended'), scratch.git('add', 'a')), 'git commit -q --amend -m x'],
    [
      'rebase',
      () => (branch(), scratch.commit('three', 150_000, 'b'), scratch.git('checkout', '-q', 'topic')),
      'git rebase -q main',
    ],
    ['reflog expire', branch, 'git reflog expire --expire=now --all'],
    [
      'gc --prune=now of what nothing leads to',
      () => void scratch.gitWith('lost', 'hash-object', '-w', '--stdin'),
      'git gc -q --prune=now',
    ],
    ['update-ref -d', branch, 'git update-ref -d refs/heads/topic'],
  ])('%s', async (_, arrange, command) => {
    const { after, before } = await wayBack(arrange, command);
    expect(after).toEqual(before);
  });

  it.each<readonly [string, () => void, string, string]>([
    ['a branch', branch, 'git branch -q -D topic', '--all'],
    ['commits that a reset left', dirty, 'git reset -q --hard HEAD~1', '--expire-unreachable=now HEAD main'],
  ])('%s of which nothing remains', async (_, arrange, command, logs) => {
    const meanwhile = `git reflog expire --expire=now ${logs} && git gc -q --prune=now`;
    const { after, before } = await wayBack(arrange, command, meanwhile);
    expect(after).toEqual(before);
  });
});

describe('what is there only by the way', () => {
  const kept = async (command: string) => {
    const result = await scratch.keep(command);
    if (!('kept' in result)) throw new Error(JSON.stringify(result));
    return result.kept.number;
  };
  const textOf = (path: string) => readFileSync(join(scratch.dir, path), 'utf8');

  it.each([
    'mv mine other && rm other',
    'mv mine d/ && rm -rf d',
    'mkdir box; mv mine box/; rm -rf box/*',
    'mv mine /tmp/fairlead-moved && rm /tmp/fairlead-moved',
  ])('%s: what is moved and then taken comes back', async (command) => {
    scratch.put('mine', 'my words\n');
    scratch.put('d/x', 'x\n');
    const number = await kept(command);
    scratch.run(command);
    await scratch.undo(number);
    expect(textOf('mine')).toBe('my words\n');
  });

  it('one of several names of a file: all of them have its content again', async () => {
    scratch.put('one', 'words\n');
    linkSync(join(scratch.dir, 'one'), join(scratch.dir, 'two'));
    const number = await kept('echo x > one');
    scratch.run('echo x > one');
    await scratch.undo(number);
    expect([textOf('one'), textOf('two')]).toEqual(['words\n', 'words\n']);
  });

  it('a database goes with what SQLite keeps beside it', async () => {
    for (const end of ['', '-wal', '-shm']) scratch.put(`app.sqlite${end}`, `part${end}`);
    const number = await kept('rm app.sqlite*');
    scratch.run('rm app.sqlite*');
    await scratch.undo(number);
    expect(textOf('app.sqlite-wal')).toBe('part-wal');
    expect(await scratch.keep('> app.sqlite')).toMatchObject({ kept: { files: 3 } });
  });

  it.each([
    ['rm a', { nothing: true }],
    ['sed -i s/a/b/ a', { nothing: true }],
    ['rm -rf src', { nothing: true }],
    ['rm run.log', { kept: { files: 1 } }],
    ['rm -rf logs', { kept: { files: 1 } }],
    ['sed -i s/m/n/ mine', { kept: { files: 1 } }],
    ['tar xf some.tar', { kept: { files: 2 } }],
  ])('%s: %o', async (command, found) => {
    scratch.put('.gitignore', '*.log\n');
    scratch.git('add', '.gitignore');
    scratch.commit('ignore', 90_000);
    scratch.put('run.log', 'log\n');
    if (!command.startsWith('tar')) scratch.put('logs/x.log', 'log\n');
    else scratch.run('rm run.log');
    scratch.put('mine', 'mine\n');
    scratch.put('yours', 'yours\n');
    expect(await scratch.keep(command)).toMatchObject(found);
  });

  it('a repository is more than its files', async () => {
    expect(await scratch.keep('rm -rf project', { cwd: scratch.home })).toHaveProperty('kept');
    scratch.run('git init -q inner');
    expect(await scratch.keep('rm -rf inner')).toHaveProperty('kept');
  });

  it('what git ignores and is too large counts as output, and all else as lost', async () => {
    scratch.put('.gitignore', '*.log\n');
    scratch.put('run.log', 'x'.repeat(1_000));
    scratch.put('mine', 'x'.repeat(1_000));
    const budget = { ms: 20_000, bytes: 500 };
    expect(await scratch.keep('rm run.log', { budget })).toEqual({ nothing: true });
    expect(await scratch.keep('rm mine', { budget })).toHaveProperty('unkept');
  });
});
