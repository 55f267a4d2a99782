import { linkSync, mkdirSync, symlinkSync } from 'node:fs';
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
  scratch.git('add', 'staged');
  scratch.put('staged', 'staged and changed\n');
  scratch.put('b', 'b staged\n');
  scratch.git('add', 'b');
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
