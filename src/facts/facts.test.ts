import { chmodSync, existsSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { machineSources } from '../platform/fact-sources.ts';
import type { FactSources } from '../platform/fact-sources.ts';
import { nodeFiles } from '../platform/files.ts';
import { createFacts } from './facts.ts';
import type { FactsOptions } from './facts.ts';
import { NEVER } from '../event/facts.ts';
import type { Walk } from '../event/facts.ts';
import { plantRepository } from '../git/repository.fixture.ts';

let home: string;
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'fairlead-facts-')));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const START = Date.parse('2026-03-01T00:00:00Z');
const HOUR = 3_600_000;

/** Facts in sync mode, on a clock of their own, that count what they ask. */
function open(
  sources: Partial<FactSources> = {},
  timing: Partial<Pick<FactsOptions, 'afterReply' | 'soon' | 'waitMs'>> = {},
) {
  const asked: string[] = [];
  const state = { now: START + 100 * HOUR };
  const git: FactSources['git'] = (dir, args, limitMs) => {
    asked.push(args[0] ?? '');
    return (sources.git ?? machineSources.git)(dir, args, limitMs);
  };
  const facts = createFacts({
    sources: { ...machineSources, ...sources, git },
    files: nodeFiles,
    now: () => state.now,
    soon: () => {},
    waitMs: Infinity,
    ...timing,
    home: {
      config: join(home, 'config'),
      userHome: home,
      env: { PATH: '' },
      program: { version: '1.4.2', dir: join(home, 'none') },
    },
  });
  return { facts, state, asked };
}

function threeCommits() {
  const repository = plantRepository(join(home, 'project'));
  repository.commit('Begin', START, 'src/a.ts', 'docs/a.md');
  repository.commit('Write', START + HOUR, 'docs/a.md');
  repository.commit('Go on', START + 2 * HOUR, 'src/a.ts', 'lib/b.ts');
  return repository;
}

it.each([
  ['all', START - 1, undefined, { count: 3, newest: 'Go on' }],
  ['those after a time', START, undefined, { count: 2, newest: 'Go on' }],
  ['those in one directory', START - 1, ['src'], { count: 2, newest: 'Go on' }],
  ['those in one of two', START - 1, ['src', 'docs/'], { count: 3, newest: 'Go on' }],
  ['those in docs', START, ['docs'], { count: 1, newest: 'Write' }],
  ['none named is all', START - 1, [], { count: 3, newest: 'Go on' }],
  ['none there', START - 1, ['server'], { count: 0, newest: '' }],
  ['none yet', START + 50 * HOUR, undefined, { count: 0, newest: '' }],
  ['a name that is no pattern', START - 1, ['*'], { count: 0, newest: '' }],
  ['a name that is no magic word', START - 1, [':(top)src'], { count: 0, newest: '' }],
  ['a name that is no option', START - 1, ['--all'], { count: 0, newest: '' }],
])('counts commits: %s', async (_, since, paths, expected) => {
  const { dir } = threeCommits();
  await expect(open().facts.commits(dir, since, paths)).resolves.toEqual(expected);
});

it('paths count from the directory that asks', async () => {
  const { dir } = threeCommits();
  const { facts } = open();
  await expect(facts.commits(join(dir, 'src'), START - 1, ['a.ts'])).resolves.toEqual({ count: 2, newest: 'Go on' });
  await expect(facts.lastCommit(join(dir, 'docs'), 'a.md')).resolves.toMatchObject({ at: START + HOUR });
});

it('says which commit changed a file last, and that none did', async () => {
  const { dir, git } = threeCommits();
  const { facts } = open();
  const sha = git('log', '-1', '--format=%H', '--', 'lib/b.ts').trim();
  await expect(facts.lastCommit(dir, 'lib/b.ts')).resolves.toEqual({ sha, at: START + 2 * HOUR });
  await expect(facts.lastCommit(dir, 'lib/c.ts')).resolves.toBe(NEVER);
});

it('without a repository nothing is asked, no history is known and no file committed', () => {
  const { facts, asked } = open();
  expect(facts.commits(home, START)).toBeUndefined();
  expect(facts.lastCommit(home, 'a')).toBe(NEVER);
  expect(asked).toEqual([]);
});

it('what is known costs no process for minutes, and a new commit is seen at once', async () => {
  const repository = threeCommits();
  const { facts, state, asked } = open();
  await facts.commits(repository.dir, START - 1);
  state.now += 4 * 60_000;
  expect(facts.commits(repository.dir, START - 1)).toEqual({ count: 3, newest: 'Go on' });
  expect(asked).toHaveLength(2);
  repository.commit('And on', START + 3 * HOUR, 'src/c.ts');
  await expect(facts.commits(repository.dir, START - 1)).resolves.toEqual({ count: 4, newest: 'And on' });
});

it('where no commit was made, git is asked once', async () => {
  const { dir } = threeCommits();
  const { facts, asked } = open();
  await expect(facts.commits(dir, START + 50 * HOUR)).resolves.toEqual({ count: 0, newest: '' });
  expect(asked).toEqual(['rev-list']);
});

it.each<[string, (repository: ReturnType<typeof plantRepository>) => string]>([
  ['refs in one file', (repository) => (repository.git('pack-refs', '--all'), repository.dir)],
  ['no branch', (repository) => (repository.git('checkout', '-q', '--detach'), repository.dir)],
  [
    'a work tree of its own',
    (repository) => {
      repository.git('worktree', 'add', '-q', join(home, 'tree'));
      return join(home, 'tree');
    },
  ],
])('a new commit is seen at once with %s', async (_, arrange) => {
  const repository = threeCommits();
  const dir = arrange(repository);
  const { facts } = open();
  await expect(facts.commits(dir, START - 1)).resolves.toMatchObject({ count: 3 });
  repository.git('-C', dir, 'commit', '-q', '--allow-empty', '-m', 'More');
  await expect(facts.commits(dir, START - 1)).resolves.toMatchObject({ count: 4 });
  repository.git('-C', dir, 'checkout', '-q', '--detach', 'HEAD~2');
  await expect(facts.commits(dir, START - 1)).resolves.toMatchObject({ count: 2 });
});

it('a repository without commits is unknown', async () => {
  const { dir } = plantRepository(join(home, 'project'));
  await expect(open().facts.commits(dir, START)).resolves.toBeUndefined();
});

it('git runs nothing that a repository names', async () => {
  const { dir, git } = threeCommits();
  const program = join(home, 'program');
  writeFileSync(program, `#!/bin/sh\ntouch '${join(home, 'ran')}'\n`);
  chmodSync(program, 0o755);
  for (const [key, value] of [
    ['log.showSignature', 'true'],
    ['gpg.program', program],
    ['core.fsmonitor', program],
    ['core.pager', program],
  ] as const)
    git('config', key, value);
  const { facts } = open();
  await expect(facts.commits(dir, START - 1)).resolves.toMatchObject({ count: 3 });
  await facts.lastCommit(dir, 'src/a.ts');
  expect(existsSync(join(home, 'ran'))).toBe(false);
});

it('resources are looked at every ten seconds at most', async () => {
  let looks = 0;
  const { facts, state } = open({ resources: async () => ({ disk: { used: (looks += 1), total: 100 } }) });
  await expect(facts.resources(home)).resolves.toEqual({ disk: { used: 1, total: 100 } });
  state.now += 9_999;
  expect(facts.resources(home)).toEqual({ disk: { used: 1, total: 100 } });
  state.now += 1;
  await expect(facts.resources(home)).resolves.toEqual({ disk: { used: 2, total: 100 } });
});

it('mounts are told apart by their place', async () => {
  const { facts } = open({ isMounted: async (path) => path === '/mnt/a' });
  await expect(facts.isMounted('/mnt/a')).resolves.toBe(true);
  await expect(facts.isMounted('/mnt/b')).resolves.toBe(false);
});

it('a key is none, or as old as its file', async () => {
  const { facts, state } = open();
  await expect(facts.keyAgeDays(join(home, 'project'))).resolves.toBe('none');
  const key = join(home, 'my.key');
  writeFileSync(key, Buffer.alloc(32), { mode: 0o600 });
  state.now = Date.now() + (3 * 24 + 1) * HOUR;
  await expect(facts.keyAgeDays(join(home, 'project'), '~/my.key')).resolves.toBe(3);
});

it('an event waits 40 ms, and half a second is the limit for mounts', async () => {
  const waits: number[] = [];
  const facts = createFacts({
    sources: { ...machineSources, isMounted: () => new Promise(() => {}) },
    files: nodeFiles,
    now: () => START,
    soon: (ms, run) => {
      waits.push(ms);
      if (ms === 40) run();
    },
    home: { config: home, userHome: home, env: {}, program: { version: '1.4.2', dir: home } },
  });
  await expect(facts.isMounted('/mnt/dead')).resolves.toBeUndefined();
  expect(waits).toEqual([500, 40]);
});

it('walks in steps that let others in, and remembers what was found under one stamp', async () => {
  const turns: (() => void)[] = [];
  const { facts } = open({}, { afterReply: (work) => void turns.push(work) });
  let seen = 0;
  function* files(): Walk<number> {
    for (; seen < 60; seen += 1) yield;
    return seen;
  }
  const found = facts.walk('journal', 'a', files);
  expect(seen).toBe(0);
  const after: number[] = [];
  for (let turn = turns.shift(); turn; turn = turns.shift()) {
    turn();
    await new Promise<void>((resolve) => {
      setImmediate(resolve);
    });
    after.push(seen);
  }
  expect(after).toEqual([24, 49, 60]);
  expect(await found).toBe(60);
  expect(facts.walk('journal', 'a', files)).toBe(60);
  expect(facts.walk('journal', 'b', files)).toBeInstanceOf(Promise);
});

it('a look for losses that takes too long comes to nothing, and git is told when to end', async () => {
  const { dir } = threeCommits();
  const limits: (number | undefined)[] = [];
  const waits: (() => void)[] = [];
  const git: FactSources['git'] = (_, __, limitMs) => {
    limits.push(limitMs);
    waits.forEach((end) => end());
    return new Promise(() => {});
  };
  const { facts } = open({ git }, { waitMs: 1_000, soon: (ms, work) => void waits.push(ms > 50 ? () => {} : work) });
  const effect = {
    kind: 'discard',
    how: 'hard-reset',
    target: 'everything',
    seen: 'git reset --hard a-name',
    road: [],
    git: { dir, to: 'a-name', staged: true, after: [] },
  } as const;
  await expect(facts.losses([effect])).resolves.toBeUndefined();
  expect(limits).toEqual([30]);
  const { git: _words, ...untold } = effect;
  await expect(facts.losses([{ ...untold }])).resolves.toEqual([{ unseen: 'its words do not tell what it hits' }]);
});
