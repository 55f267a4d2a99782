import { appendFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { nodeFiles } from '../platform/files.ts';
import { headStamp, readHead, UNBORN } from './head.ts';
import { movesSince } from './head-log.ts';
import { plantRepository } from './repository.fixture.ts';
import type { TestRepository } from './repository.fixture.ts';
import { findRepository } from './repository.ts';
import type { Repository } from './repository.ts';

let home: string;
let planted: TestRepository;
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'fairlead-head-')));
  planted = plantRepository(join(home, 'project'), { byGit: true });
});
afterEach(() => rmSync(home, { recursive: true }));

const at = (dir: string): Repository => findRepository(nodeFiles, dir) as Repository;
const headAt = (dir: string) => readHead(nodeFiles, at(dir));
const headByGit = (dir = planted.dir) => planted.git('-C', dir, 'rev-parse', 'HEAD').trim();
const TEN = Date.parse('2026-03-10T10:00:00Z');
const commit = (subject: string) => planted.commit(subject, TEN, 'a.txt');

it('finds the repository of a directory inside it, and none outside', () => {
  mkdirSync(join(planted.dir, 'src/deep'), { recursive: true });
  expect(at(join(planted.dir, 'src/deep'))).toEqual({ top: planted.dir, gitDir: join(planted.dir, '.git') });
  expect(findRepository(nodeFiles, home)).toBeUndefined();
});

it('takes an empty .git for nothing', () => {
  mkdirSync(join(planted.dir, 'sub/.git'), { recursive: true });
  expect(at(join(planted.dir, 'sub')).top).toBe(planted.dir);
});

it.each<[string, () => void]>([
  ['a branch', () => {}],
  ['a packed branch', () => void planted.git('pack-refs', '--all')],
  ['a branch that moved after it was packed', () => (planted.git('pack-refs', '--all'), commit('two'))],
  ['no branch', () => void planted.git('checkout', '-q', '--detach')],
  ['a branch with slashes', () => void planted.git('checkout', '-q', '-b', 'a/b/c')],
  [
    'a ref that leads to a ref',
    () => {
      planted.git('symbolic-ref', 'refs/heads/other', 'refs/heads/main');
      planted.git('symbolic-ref', 'HEAD', 'refs/heads/other');
    },
  ],
])('reads HEAD on %s', (_, arrange) => {
  commit('one');
  arrange();
  expect(headAt(planted.dir)).toBe(headByGit());
});

it('reads HEAD of a worktree, whose branches lie elsewhere', () => {
  commit('one');
  const tree = join(home, 'tree');
  planted.git('worktree', 'add', '-q', '-b', 'side', tree);
  planted.git('-C', tree, 'commit', '-q', '--allow-empty', '-m', 'In the worktree');
  expect(headAt(tree)).toBe(headByGit(tree));
  expect(headAt(tree)).not.toBe(headAt(planted.dir));
  expect(at(tree)).toEqual({ top: tree, gitDir: join(planted.dir, '.git/worktrees/tree') });
  planted.git('pack-refs', '--all');
  expect(headAt(tree)).toBe(headByGit(tree));
  expect(movesSince(nodeFiles, at(tree), headByGit())).toMatchObject([{ action: 'commit', about: 'In the worktree' }]);
});

it('reads HEAD of a submodule, whose directory lies elsewhere', () => {
  const other = plantRepository(join(home, 'other'));
  other.commit('one', 0, 'b.txt');
  planted.git('-c', 'protocol.file.allow=always', 'submodule', 'add', '-q', other.dir, 'sub');
  expect(headAt(join(planted.dir, 'sub'))).toBe(headByGit(other.dir));
});

it.each<[string, (head: string) => void, string | undefined]>([
  ['before the first commit', () => {}, UNBORN],
  ['in which refs are kept in tables', () => mkdirSync(join(planted.dir, '.git/reftable')), undefined],
  ['whose HEAD is damaged', (head) => writeFileSync(head, 'x'), undefined],
  ['whose HEAD leads in a circle', (head) => writeFileSync(head, 'ref: refs/../HEAD'), undefined],
])('a repository %s', (_, arrange, expected) => {
  arrange(join(planted.dir, '.git/HEAD'));
  expect(headAt(planted.dir)).toBe(expected);
});

it('reads no more of packed refs than is sensible', () => {
  commit('one');
  planted.git('pack-refs', '--all');
  appendFileSync(join(planted.dir, '.git/packed-refs'), `#${'x'.repeat(9 << 20)}\n`);
  expect(headAt(planted.dir)).toBeUndefined();
});

it.each<[string, () => void]>([
  ['a branch', () => {}],
  ['a packed branch', () => void planted.git('pack-refs', '--all')],
  ['no branch', () => void planted.git('checkout', '-q', '--detach')],
])('the stamp of HEAD on %s changes with a commit and with nothing else', (_, arrange) => {
  commit('one');
  arrange();
  const stamp = () => headStamp(nodeFiles, at(planted.dir));
  const before = stamp();
  writeFileSync(join(planted.dir, 'a.txt'), 'changed');
  planted.git('add', '-A');
  planted.git('tag', 'here');
  expect(stamp()).toBe(before);
  commit('two');
  expect(stamp()).not.toBe(before);
});

it('the stamp of HEAD changes with the file that says where refs are kept', () => {
  const dir = join(planted.dir, '.git/reftable');
  mkdirSync(dir);
  writeFileSync(join(dir, 'tables.list'), 'a\n');
  const before = headStamp(nodeFiles, at(planted.dir));
  writeFileSync(join(dir, 'tables.list'), 'a\nb\n');
  expect(headStamp(nodeFiles, at(planted.dir))).not.toBe(before);
});

it('tells how HEAD moved, from where it stood', () => {
  const moves = (before: string | undefined) => movesSince(nodeFiles, at(planted.dir), before);
  commit('First: with a colon');
  const first = headByGit();
  expect(moves(UNBORN)).toEqual([{ sha: first, action: 'commit (initial)', about: 'First: with a colon' }]);
  expect(moves(first)).toEqual([]);
  commit('Second');
  planted.git('commit', '-q', '--amend', '-m', 'Second, better');
  planted.git('checkout', '-q', '-b', 'side');
  expect(moves(first)?.map(({ action, about }) => `${action}|${about}`)).toEqual([
    'commit|Second',
    'commit (amend)|Second, better',
    'checkout|moving from main to side',
  ]);
  expect(moves(undefined)).toMatchObject([{ action: 'checkout' }]);
  expect(moves('1'.repeat(40)), 'it never was there').toBeUndefined();
  rmSync(join(planted.dir, '.git/logs'), { recursive: true });
  expect(moves(first)).toBeUndefined();
});

it('tells it from the end of a long log', () => {
  commit('one');
  const log = join(planted.dir, '.git/logs/HEAD');
  const sha = (digit: string) => digit.repeat(40);
  const line = (old: string, now: string, text: string) => `${sha(old)} ${sha(now)} A <a@b> 7 +0000\tcommit: ${text}\n`;
  writeFileSync(log, line('1', '1', 'x'.repeat(200)).repeat(500) + line('1', '2', 'Größe'));
  expect(movesSince(nodeFiles, at(planted.dir), sha('1'))).toEqual([
    { sha: sha('2'), action: 'commit', about: 'Größe' },
  ]);
  expect(movesSince(nodeFiles, at(planted.dir), sha('3'))).toBeUndefined();
});
