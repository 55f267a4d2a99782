import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openEngine } from '../../src/assembly/open-engine.ts';
import type { OpenedEngine } from '../../src/assembly/open-engine.ts';
import { send, toolEvent } from '../../src/engine/engine.fixture.ts';
import { pathsOf } from '../../src/platform/paths.ts';
import { some } from '../cases.ts';
import { plantRepositories } from './repositories.ts';
import type { Repositories } from './repositories.ts';

let repositories: Repositories;
let engine: OpenedEngine;
let calls = 0;

beforeAll(async () => {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'fairlead-everyday-')));
  repositories = plantRepositories(home);
  engine = openEngine({
    paths: pathsOf(join(home, '.fairlead')),
    userHome: home,
    resident: false,
    factWaitMs: Infinity,
  });
  // What is loaded late takes a test longer than a rule may.
  await engine.facts.losses([]);
});
afterAll(() => {
  engine.close();
  rmSync(repositories.home, { recursive: true, force: true });
});

/** `pass`, or what is done and the first line of the reason. */
async function judge(state: string, command: string): Promise<string> {
  calls += 1;
  const event = toolEvent(
    { command, input: { command }, id: `call-${calls}` },
    { cwd: repositories.at(state), session: `s${calls}` },
  );
  const { action, by, reason = '' } = await send(engine, event);
  const [what = ''] = reason.split('\n');
  // Nothing is copied in this world, so what would have been copied in silence is asked about.
  if (by[0] === 'guard/single-files') return 'pass';
  return action === 'pass' ? 'pass' : `${action}: ${what.replace(`[${by[0]}] `, '')}`;
}

const TABLE: Readonly<Record<string, readonly (readonly [command: string, verdict: string])[]>> = {
  clean: [
    ['git checkout -- src/a.ts', 'pass'],
    ['git checkout .', 'pass'],
    ['git restore src', 'pass'],
    ['git restore --source=HEAD~1 src/b.ts', 'pass'],
    ['git reset --hard', 'pass'],
    ['git reset --hard HEAD', 'pass'],
    [
      'git reset --hard HEAD~1',
      'ask: `git reset --hard HEAD~1` throws away 1 commit that is on no other branch and no remote.',
    ],
    ['git clean -fd', 'pass'],
    ['git reset --hard && git clean -fd', 'pass'],
    ['git stash drop', 'pass'],
    ['git stash clear', 'pass'],
    ['git branch -D main', 'pass'],
    ['git commit --amend --no-edit', 'pass'],
    ['git add -A && git commit --amend --no-edit', 'pass'],
    ['git push --force', 'pass'],
    ['git push -f origin main', 'pass'],
    ['git rebase -i HEAD~1', 'pass'],
    ['rm -rf docs', 'pass'],
    ['rm -rf src/deep', 'pass'],
    ['rm -rf src/*.ts', 'pass'],
    ['rm -r missing', 'pass'],
    ['split -l 10 README.md', 'pass'],
    [
      'ln -s docs way; rm -rf way/*',
      'ask: `rm -rf way/*` deletes way. Fairlead could not look whether anything brings it back: what it moves there is not there yet.',
    ],
    ['mkdir work && cp README.md work && rm -rf work', 'pass'],
    [
      'mv README.md docs/ && rm -rf docs',
      'ask: `rm -rf docs` deletes docs. Fairlead could not look whether anything brings it back: what it moves there is not there yet.',
    ],
    ['git rm -r docs', 'pass'],
    ['find docs -type f -delete', 'pass'],
    ['npm ci', 'pass'],
    ['npm install left-pad', 'pass'],
    ['rm -rf node_modules && npm ci', 'pass'],
    ['docker system prune -f', 'pass'],
    ['docker compose down', 'pass'],
    ['docker build -t app .', 'pass'],
    ['mv docs manual', 'pass'],
    ['echo x > README.md', 'pass'],
    ['cp README.md docs/guide.md', 'pass'],
  ],
  dirty: [
    [
      'git checkout -- src/a.ts',
      'ask: `git checkout -- src/a.ts` throws away 1 file with uncommitted changes (src/a.ts).',
    ],
    ['git checkout -- README.md', 'pass'],
    ['git checkout .', 'ask: `git checkout .` throws away 2 files with uncommitted changes (src/a.ts, src/b.ts).'],
    ['git restore docs', 'pass'],
    ['git reset --hard', 'ask: `git reset --hard` throws away 2 files with uncommitted changes (src/a.ts, src/b.ts).'],
    ['git clean -fd', 'ask: `git clean -fd` throws away 3 untracked files (drafts/one.txt, drafts/two.txt, notes.md).'],
    ['git clean -f', 'ask: `git clean -f` throws away 1 untracked file (notes.md).'],
    ['cd src && git clean -fd', 'pass'],
    [
      'git reset --hard && git clean -fd',
      'deny: `git reset --hard`, with the rest of this command, throws away 2 files with uncommitted changes (src/a.ts, src/b.ts) and 3 untracked files (drafts/one.txt, drafts/two.txt, notes.md).',
    ],
    [
      'git switch --discard-changes main',
      'ask: `git switch --discard-changes main` throws away 2 files with uncommitted changes (src/a.ts, src/b.ts).',
    ],
    [
      'git diff | git apply -R',
      'ask: `git apply -R` throws away 2 files with uncommitted changes (src/a.ts, src/b.ts).',
    ],
    ['rm -rf src', 'ask: `rm -rf src` deletes 2 files with uncommitted changes (src/a.ts, src/b.ts).'],
    ['rm -rf drafts', 'ask: `rm -rf drafts` deletes 2 untracked files (drafts/one.txt, drafts/two.txt).'],
    ['rm -rf docs', 'pass'],
    ['rm -rf src/*.ts', 'ask: `rm -rf src/*.ts` deletes up to 2 files with uncommitted changes (src/a.ts, src/b.ts).'],
    ['git commit --amend --no-edit', 'pass'],
    ['git commit -am More && git commit --amend --no-edit', 'pass'],
    [
      'git stash pop && git checkout .',
      'ask: `git checkout .` throws away what no commit has, if there is anything. Fairlead could not look: what runs before it in the same call may change that.',
    ],
  ],
  staged: [
    ['git checkout -- src/a.ts', 'pass'],
    [
      'git checkout HEAD -- src/a.ts',
      'ask: `git checkout HEAD -- src/a.ts` throws away 1 file with uncommitted changes (src/a.ts).',
    ],
    [
      'git reset --hard',
      'ask: `git reset --hard` throws away 2 files with uncommitted changes (src/a.ts, src/new.ts).',
    ],
    ['git restore --staged src/a.ts', 'pass'],
    ['rm -rf docs', 'pass'],
    ['git rm -rf src', 'ask: `git rm -rf src` deletes 2 files with uncommitted changes (src/a.ts, src/new.ts).'],
  ],
  pushed: [
    [
      'git commit --amend --no-edit',
      'ask: The last commit is already on origin/main, so `git commit --amend --no-edit` rewrites shared history.',
    ],
    ['git commit -m "More"', 'pass'],
    ['git reset --hard HEAD~1', 'pass'],
    ['git push -f origin main', 'deny: `git push -f origin main` overwrites "main", a protected branch.'],
    ['git push --force-with-lease origin topic', 'pass'],
    [
      'git push origin --delete main',
      'ask: `git push origin --delete main` deletes or moves "main", merged or not. Fairlead could not look: what the remote has by now was not asked.',
    ],
  ],
  ahead: [
    ['git commit --amend', 'pass'],
    [
      'git reset --hard origin/main',
      'ask: `git reset --hard origin/main` throws away 1 commit that is on no other branch and no remote.',
    ],
    ['git push', 'pass'],
  ],
  behind: [
    [
      'git commit --amend',
      'ask: The last commit is already on origin/main, so `git commit --amend` rewrites shared history.',
    ],
    ['git fetch && git reset --hard origin/main', 'pass'],
  ],
  branches: [
    ['git branch -D merged', 'pass'],
    ['git branch -D twin', 'pass'],
    ['git branch -D spike', 'ask: `git branch -D spike` loses 2 commits that are on no other branch and no remote.'],
    ['git branch -D shipped', 'pass'],
    ['git checkout main && git branch -D merged', 'pass'],
    ['git branch -D no-such-branch', 'pass'],
    ['git update-ref -d refs/heads/merged', 'pass'],
    [
      'git update-ref -d refs/heads/spike',
      'ask: `git update-ref -d refs/heads/spike` loses 2 commits that are on no other branch and no remote.',
    ],
    [
      'git branch -f spike main',
      'ask: `git branch -f spike main` loses 2 commits that are on no other branch and no remote.',
    ],
    ['git push origin --delete old', 'pass'],
    ['git push origin --delete shipped', 'pass'],
    [
      'git push -f origin rewritten',
      'ask: `git push -f origin rewritten` replaces 1 commit that origin/rewritten had when it was last fetched.',
    ],
    [
      'git push -f origin shipped',
      'ask: `git push -f origin shipped` replaces whatever the remote has by now ("shipped"), the work of others included; that was not looked at.',
    ],
    ['git push -f upstream shipped', 'pass'],
  ],
  ignored: [
    ['rm -rf build', 'pass'],
    ['rm -rf report-html', 'pass'],
    ['git clean -fdX', 'pass'],
    ['git clean -fdx', 'pass'],
    ['rm -rf src', 'pass'],
  ],
  secrets: [
    ['git clean -fdx', 'ask: `git clean -fdx` throws away 3 ignored files (.env, data/set.csv, local.json).'],
    ['git clean -fd', 'pass'],
    ['rm -rf report-html', 'pass'],
    ['rm -rf data', 'ask: `rm -rf data` deletes 1 ignored file (data/set.csv).'],
  ],
  stashed: [
    ['git stash drop', 'ask: `git stash drop` throws away 1 stash ("On main: half a thought").'],
    ['git stash clear', 'ask: `git stash clear` throws away 1 stash ("On main: half a thought").'],
    ['git stash drop stash@{3}', 'pass'],
    ['git checkout .', 'pass'],
  ],
  trees: [
    ['git worktree remove --force ../tree-clean', 'pass'],
    [
      'git worktree remove --force ../tree-dirty',
      'ask: `git worktree remove --force ../tree-dirty` throws away 1 file with uncommitted changes (src/a.ts) and 1 untracked file (new.txt).',
    ],
    ['git worktree remove ../tree-dirty', 'pass'],
  ],
  'tree-dirty': [
    ['git checkout .', 'ask: `git checkout .` throws away 1 file with uncommitted changes (src/a.ts).'],
    ['git reset --hard', 'ask: `git reset --hard` throws away 1 file with uncommitted changes (src/a.ts).'],
  ],
  outer: [
    ['rm -rf sub', 'pass'],
    ['rm -rf vendor', 'ask: `rm -rf vendor` deletes a repository with its history (vendor/lib).'],
    ['git reset --hard', 'pass'],
  ],
  loose: [
    ['rm -rf old', 'ask: `rm -rf old` deletes 2 files that are in no repository (old/a.txt, old/b.txt).'],
    [
      'git reset --hard',
      'ask: `git reset --hard` throws away what no commit has, if there is anything. Fairlead could not look: no repository was found there.',
    ],
  ],
  unborn: [
    ['git commit --amend', 'pass'],
    ['git clean -fd', 'ask: `git clean -fd` throws away 1 untracked file (first.txt).'],
  ],
};

const rows = Object.entries(TABLE).flatMap(([state, list]) => list.map((row) => [state, ...row] as const));

describe('everyday commands are stopped only by what would be lost, and the reason says it', () => {
  it.each(rows)('%s: %s', async (state, command, verdict) => {
    expect(await judge(state, command)).toBe(verdict);
  });
});

/** Commands that do what they do without a remote, an editor or other programs. */
const RUNS = /^(?:cd \w+ && )?(?:git (?:checkout|restore|reset|clean|switch|branch|rm|diff) |rm |find )/;
const STATES = new Set([
  'clean',
  'dirty',
  'staged',
  'pushed',
  'ahead',
  'behind',
  'branches',
  'ignored',
  'secrets',
  'unborn',
]);
/** What the states have of what a build makes. */
const MADE = 'made\n';

const HERMETIC = { PATH: process.env['PATH'], GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' };

/** What is here: the content of every file that a person has made, and every commit that something leads to. */
function takeStock(dir: string): { readonly blobs: ReadonlySet<string>; readonly commits: readonly string[] } {
  const git = (...args: readonly string[]) =>
    execFileSync('git', args, { cwd: dir, encoding: 'utf8', env: HERMETIC, stdio: ['ignore', 'pipe', 'ignore'] })
      .split('\n')
      .filter((line) => line !== '');
  const files = readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !`${entry.parentPath}/`.includes('/.git/'))
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
    .filter((text) => text !== MADE)
    .map((text) =>
      createHash('sha1')
        .update(`blob ${Buffer.byteLength(text)}\0${text}`)
        .digest('hex'),
    );
  const staged = git('ls-files', '-s').map((line) => line.split(' ')[1] ?? '');
  const kept = git('rev-list', '--objects', '--all').map((line) => line.slice(0, 40));
  return { blobs: new Set([...files, ...staged, ...kept]), commits: git('rev-list', '--all') };
}

/** How many files and commits were there before and are nowhere after, once the command has really run. */
function runFor(state: string, command: string): { readonly files: number; readonly commits: number } {
  const dir = join(repositories.home, 'copies', String((calls += 1)));
  cpSync(repositories.at(state), dir, { recursive: true });
  const before = takeStock(dir);
  spawnSync('sh', ['-c', command], { cwd: dir, env: HERMETIC });
  const after = takeStock(dir);
  const commits = before.commits.filter((sha) => !after.commits.includes(sha)).length;
  // Commits go with trees and files of theirs.
  return { commits, files: commits > 0 ? 0 : [...before.blobs].filter((sha) => !after.blobs.has(sha)).length };
}

describe('what is said to be lost is lost when the command runs, and nothing else', () => {
  it.each(some(rows.filter(([state, command]) => STATES.has(state) && RUNS.test(command) && !/npm/.test(command))))(
    '%s: %s',
    (state, command, verdict) => {
      const said = (what: RegExp) => [...verdict.matchAll(what)].reduce((sum, [, count]) => sum + Number(count), 0);
      expect(runFor(state, command)).toEqual({
        commits: said(/(\d+) commits?\b/g),
        files: said(/(\d+) (?:untracked |ignored )?files?\b/g),
      });
    },
  );
});
