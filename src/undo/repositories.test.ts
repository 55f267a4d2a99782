import { chmodSync, existsSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openScratch, stateOf, treeOf } from './undo.fixture.ts';
import type { Scratch } from './undo.fixture.ts';

let scratch: Scratch;
beforeEach(() => {
  scratch = openScratch();
  scratch.commit('one', 0, 'a', 'b');
  scratch.commit('two', 60_000, 'a', 'c');
});
afterEach(() => scratch.remove());

const beside = (name: string) => join(scratch.home, name);
const seen = (dir: string) => ({
  tree: new Map([...treeOf(dir)].map(([name, line]) => [name, line.replace(/^(file \d+ \d+) \d+/, '$1')])),
  state: stateOf(dir),
});

async function back(command: string, dir: string, cwd = dir) {
  const before = seen(dir);
  const result = await scratch.keep(command, { cwd });
  expect(result).toHaveProperty('kept');
  expect(seen(dir)).toEqual(before);
  scratch.run(command, cwd);
  const { left } = await scratch.undo('kept' in result ? result.kept.number : 0);
  expect(left).toEqual([]);
  return { before, after: seen(dir) };
}

it('a work tree beside the repository', async () => {
  scratch.git('worktree', 'add', '-q', '-b', 'side', beside('tree'), 'HEAD~1');
  writeFileSync(join(beside('tree'), 'a'), 'dirty');
  const { before, after } = await back('git reset -q --hard', beside('tree'));
  expect(after).toEqual(before);
});

it('a work tree that is removed, with commits that only it holds', async () => {
  scratch.git('worktree', 'add', '-q', '--detach', beside('tree'));
  scratch.run(
    'echo x > a && git commit -q -a -m detached && echo y > a && echo z > new && git add new',
    beside('tree'),
  );
  const { before, after } = await back(`git worktree remove --force ${beside('tree')}`, beside('tree'), scratch.dir);
  expect(after).toEqual(before);
  scratch.run('git fsck --no-dangling');
});

it('a change of the same size, made in the moment of the last `git add`', async () => {
  const atOnce = (path: string) => utimesSync(join(scratch.dir, path), 1_000_000, 1_000_000);
  scratch.git('config', 'core.trustctime', 'false');
  atOnce('a');
  scratch.git('add', 'a');
  scratch.put('a', readFileSync(join(scratch.dir, 'a'), 'utf8').replace(/^./, '?'));
  for (const path of ['a', '.git/index']) atOnce(path);
  expect(stateOf(scratch.dir)['status']).toBe(' M a\n');
  const { before, after } = await back('git commit -q --amend --allow-empty -m other', scratch.dir);
  expect(after).toEqual(before);
});

it('a submodule', async () => {
  scratch.run(`git clone -q --bare . ${beside('part.git')}`);
  scratch.run(`git -c protocol.file.allow=always submodule add -q ${beside('part.git')} part && git commit -q -m part`);
  writeFileSync(join(scratch.dir, 'part/a'), 'dirty in the part');
  const { before, after } = await back('git checkout -q -- .', join(scratch.dir, 'part'));
  expect(after).toEqual(before);
});

it('a bare repository', async () => {
  scratch.git('branch', 'topic');
  scratch.run('git checkout -q topic && git commit -q --allow-empty -m topic && git checkout -q main');
  scratch.run(`git clone -q --bare . ${beside('bare.git')}`);
  const refs = () => stateOf(beside('bare.git'))['refs'];
  const before = refs();
  const result = await scratch.keep('git branch -q -D topic', { cwd: beside('bare.git') });
  expect(result).toHaveProperty('kept');
  scratch.run('git branch -q -D topic && git gc -q --prune=now', beside('bare.git'));
  expect(refs()).not.toBe(before);
  await scratch.undo(1);
  expect(refs()).toBe(before);
  scratch.run('git fsck --no-dangling', beside('bare.git'));
});

it('a shallow clone', async () => {
  scratch.run(`git clone -q --depth 1 file://${scratch.dir} ${beside('shallow')}`);
  const own = beside('shallow');
  scratch.run('git config user.name A && git config user.email a@example.org', own);
  scratch.run('git checkout -q -b topic && echo t > a && git commit -q -a -m topic && git checkout -q -', own);
  const { before, after } = await back('git branch -q -D topic', own);
  expect(after).toEqual(before);
});

it('a rebase that is under way', async () => {
  scratch.git('checkout', '-q', '-b', 'side', 'HEAD~1');
  scratch.commit('side', 90_000, 'a');
  scratch.run('git rebase -q main || true');
  expect(existsSync(join(scratch.dir, '.git/rebase-merge'))).toBe(true);
  const { before, after } = await back('git reset -q --hard', scratch.dir);
  expect(after).toEqual(before);
});

it('no repository at all', async () => {
  const own = beside('plain');
  mkdirSync(join(own, 'deep'), { recursive: true });
  writeFileSync(join(own, 'deep/file'), 'text');
  const before = treeOf(own);
  const result = await scratch.keep('rm -rf deep', { cwd: own });
  expect(result).toHaveProperty('kept');
  scratch.run('rm -rf deep', own);
  await scratch.undo(1);
  expect(treeOf(own)).toEqual(before);
});

it('a repository that may only be read is copied, and not changed', async () => {
  writeFileSync(join(scratch.dir, 'a'), 'dirty');
  chmodSync(join(scratch.dir, '.git'), 0o500);
  try {
    expect(await scratch.keep('git reset -q --hard')).toHaveProperty('kept');
    expect(readFileSync(join(scratch.dir, 'a'), 'utf8')).toBe('dirty');
  } finally {
    chmodSync(join(scratch.dir, '.git'), 0o700);
  }
});

it('says what it cannot put back', async () => {
  scratch.git('checkout', '-q', '-b', 'topic');
  scratch.commit('topic', 90_000, 't');
  scratch.git('checkout', '-q', 'main');
  await scratch.keep('git branch -q -D topic');
  // All that the branch was built on goes as well.
  scratch.run('git checkout -q --orphan fresh && git commit -q --allow-empty -m fresh && git branch -q -D main topic');
  scratch.run('git reflog expire --expire=now --all && git gc -q --prune=now');
  const { left } = await scratch.undo(1);
  expect(left).toEqual(['refs/heads/topic: commits that it is built on are gone from the repository']);
});
