import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { cases } from '../../test/cases.ts';
import { nodeFiles } from '../platform/files.ts';
import { inflate } from '../platform/inflate.ts';
import { readIndex } from './index-file.ts';
import { openObjects } from './objects.ts';
import { countOnly } from './reach.ts';
import { readRefs, readSettings } from './refs.ts';
import { plantRepository } from './repository.fixture.ts';
import type { TestRepository } from './repository.fixture.ts';
import { findRepository } from './repository.ts';
import type { Repository } from './repository.ts';

let home: string;
let planted: TestRepository;
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'fairlead-readers-')));
  planted = plantRepository(join(home, 'project'), { byGit: true });
});
afterEach(() => rmSync(home, { recursive: true }));

const indexOf = () => readIndex(readFileSync(join(planted.dir, '.git/index')));
const repository = () => findRepository(nodeFiles, planted.dir) as Repository;
const put = (path: string, text: string) => {
  mkdirSync(dirname(join(planted.dir, path)), { recursive: true });
  writeFileSync(join(planted.dir, path), text);
};

it.each([2, 3, 4])('reads version %i of the index as git does', (version) => {
  for (const path of [
    'a',
    'a.b',
    'a-long/name/of/a/file.txt',
    'a-long/name/of/another.txt',
    'größe/ß.txt',
    'x'.repeat(200),
  ])
    put(path, `${path}\n`);
  symlinkSync('a', join(planted.dir, 'link'));
  planted.git('add', '-A');
  put('later', 'later\n');
  // An entry with flags of its own makes version 3.
  if (version > 2) planted.git('add', '-N', 'later');
  if (version === 4) planted.git('update-index', '--index-version', '4');
  const index = indexOf();
  const listed = planted
    .git('-c', 'core.quotePath=false', 'ls-files', '-s')
    .trimEnd()
    .split('\n')
    .map((line) => /^(\d+) (\w+) \d\t(.*)$/.exec(line)?.slice(1, 4).join(' '));
  const read = index?.entriesBelow([''], 100) ?? [];
  expect(read.map(({ mode, sha, path }) => `${mode.toString(8)} ${sha} ${path}`)).toEqual(listed);
  expect(index?.entriesBelow(['a-long/name'], 100)?.length).toBe(2);
  expect(index?.entriesBelow(['a'], 100)?.map(({ path }) => path)).toEqual(['a']);
  expect(index?.entriesBelow([''], 2)).toBeUndefined();
});

it('knows the trees of the index in which nothing is staged', () => {
  planted.commit('one', 0, 'a', 'dir/b');
  const trees = () => [...(indexOf()?.trees ?? [])];
  const [top, dir] = planted.git('rev-parse', 'HEAD^{tree}', 'HEAD:dir').trim().split('\n');
  expect(trees()).toEqual([
    ['', top],
    ['dir', dir],
  ]);
  put('a', 'other\n');
  planted.git('add', 'a');
  expect(trees()).toEqual([['dir', dir]]);
});

it('reads no index that is damaged, cut short, or not all that there is', () => {
  planted.commit('one', 0, 'a', 'dir/b');
  const bytes = new Uint8Array(readFileSync(join(planted.dir, '.git/index')));
  fc.assert(
    fc.property(fc.nat(bytes.length - 1), fc.nat(255), (at, byte) => {
      readIndex(bytes.slice(0, at))?.entriesBelow([''], 10);
      readIndex(bytes.with(at, byte))?.entriesBelow([''], 10);
    }),
    cases(2_000),
  );
  expect(readIndex(bytes.slice(0, 40))).toBeUndefined();
  planted.git('update-index', '--split-index');
  expect(indexOf()).toBeUndefined();
});

const commitsOf = () => openObjects(nodeFiles, join(planted.dir, '.git'), inflate).commit;

it('reads every commit as git does, loose, packed and packed as differences', () => {
  for (let number = 1; number <= 12; number += 1)
    planted.commit(
      `Commit ${number}\n\n${'The same long text that all have. '.repeat(40)}${number}`,
      number * 1_000,
      'a',
    );
  const compare = () => {
    const commitOf = commitsOf();
    const lines = planted.git('log', '--format=%H %T %ct %P').trimEnd().split('\n');
    expect(lines.length).toBe(12);
    for (const line of lines) {
      const [sha = '', tree, at, ...parents] = line.split(' ');
      expect(commitOf(sha)).toEqual({ tree, at: Number(at), parents: parents.filter((each) => each !== '') });
    }
  };
  compare();
  planted.git('repack', '-adfq', '--depth=50', '--window=50');
  planted.git('pack-refs', '--all');
  const [, chain] = /^chain length = 1: (\d+) object/m.exec(packSummary()) ?? [];
  expect(Number(chain), 'some are stored as differences').toBeGreaterThan(0);
  compare();
  expect(commitsOf()('0'.repeat(40))).toBeUndefined();
  expect(commitsOf()(planted.git('rev-parse', 'HEAD^{tree}').trim())).toBeUndefined();
});

function packSummary(): string {
  const [name = ''] = nodeFiles.list(join(planted.dir, '.git/objects/pack')).filter((each) => each.endsWith('.idx'));
  return planted.git('verify-pack', '-v', `.git/objects/pack/${name}`);
}

it('counts commits that only one leads to as git does, whatever the clocks said', () => {
  const head = () => planted.git('rev-parse', 'HEAD').trim();
  const tips: string[] = [];
  const seconds = [50, 10, 10, 40, 10, 30, 20, 60, 5];
  planted.commit('root', 30_000, 'a');
  for (const [at, second] of seconds.entries()) {
    if (at % 3 === 0) planted.git('checkout', '-q', '--detach', tips[at - 2] ?? 'HEAD');
    planted.commit(`${at}`, second * 1_000);
    if (at === 5) planted.git('merge', '-q', '--no-edit', '-s', 'ours', tips[1] ?? '');
    tips.push(head());
  }
  const parents = new Map(
    planted
      .git('rev-list', '--parents', ...tips)
      .trimEnd()
      .split('\n')
      .map((line) => line.split(' '))
      .map(([sha = '', ...rest]) => [sha, rest]),
  );
  const reach = (sha: string): ReadonlySet<string> =>
    new Set([sha, ...(parents.get(sha) ?? []).flatMap((parent) => [...reach(parent)])]);
  const commitOf = commitsOf();
  const inOrder: string[] = [];
  for (const from of tips)
    for (const one of tips)
      for (const other of tips) {
        const others = new Set([...reach(one), ...reach(other)]);
        const left = [...reach(from)].filter((sha) => !others.has(sha)).length;
        const found = countOnly(commitOf, from, [one, other]) ?? -1;
        // With clocks that go backwards it may be more than there are, never fewer.
        expect(found).toBeGreaterThanOrEqual(left);
        if (found === left) inOrder.push(from);
      }
  expect(inOrder.length).toBeGreaterThan(0.9 * tips.length ** 3);
});

it('takes a tag for a way to the commit that it names', () => {
  planted.commit('one', 1_000, 'a');
  planted.commit('two', 2_000, 'a');
  planted.git('tag', '-a', '-m', 'x', 'v1');
  const [tag = '', head = ''] = planted.git('rev-parse', 'v1', 'HEAD').trim().split('\n');
  expect(tag).not.toBe(head);
  expect(countOnly(commitsOf(), head, [tag])).toBe(0);
  expect(countOnly(commitsOf(), head, [])).toBe(2);
});

it('reads branches, remote branches and tags, packed or not', () => {
  planted.commit('one', 0, 'a');
  planted.git('branch', 'deep/er');
  planted.git('update-ref', 'refs/remotes/origin/main', 'HEAD');
  planted.git('symbolic-ref', 'refs/remotes/origin/HEAD', 'refs/remotes/origin/main');
  planted.git('tag', '-a', '-m', 'x', 'v1');
  const byGit = () =>
    planted
      .git('for-each-ref', '--format=%(refname) %(objectname)')
      .trimEnd()
      .split('\n')
      .filter((line) => !line.includes('refs/tags'));
  const read = () =>
    [...(readRefs(nodeFiles, repository()) ?? [])]
      .map((each) => each.join(' '))
      .filter((line) => !line.includes('refs/tags'))
      .sort();
  expect(read()).toEqual(byGit());
  planted.git('pack-refs', '--all');
  planted.commit('two', 1_000, 'a');
  expect(read()).toEqual(byGit());
  expect(readRefs(nodeFiles, repository())?.get('refs/tags/v1')).toBe(planted.git('rev-parse', 'v1^{}').trim());
});

it.each<[string, string, ReturnType<typeof readSettings>]>([
  ['none', '', { remotes: [], keepsModes: true, recurses: false, namesPrograms: false }],
  [
    'a remote',
    '[remote "origin"]\n\turl = x\n',
    { remotes: ['origin'], keepsModes: true, recurses: false, namesPrograms: false },
  ],
  [
    'no modes',
    '[core]\n\tfileMode = false\n',
    { remotes: [], keepsModes: false, recurses: false, namesPrograms: false },
  ],
  [
    'submodules',
    '[submodule]\n\trecurse = true\n',
    { remotes: [], keepsModes: true, recurses: true, namesPrograms: false },
  ],
  [
    'a filter',
    '[filter "x"]\n\tclean = touch /tmp/x\n',
    { remotes: [], keepsModes: true, recurses: false, namesPrograms: true },
  ],
  [
    'another file',
    '[includeIf "gitdir:/"]\n\tpath = y\n',
    { remotes: undefined, keepsModes: true, recurses: true, namesPrograms: true },
  ],
])('settings with %s', (_, text, expected) => {
  writeFileSync(join(planted.dir, '.git/config'), text);
  expect(readSettings(nodeFiles, repository())).toEqual(expected);
});
