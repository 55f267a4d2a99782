import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { effectsOfReading } from '../effects/effects.ts';
import { plantRepository } from '../git/repository.fixture.ts';
import type { TestRepository } from '../git/repository.fixture.ts';
import { nodeFiles } from '../platform/files.ts';
import { runGit } from '../platform/run-git.ts';
import { readShell } from '../shell/read.ts';
import { lookForLosses } from './losses.ts';

const WIRED = '.agent/settings.json';

let home: string;
let planted: TestRepository;
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'fairlead-taken-')));
  planted = plantRepository(join(home, 'project'));
  put('src/a.ts', 'a');
  planted.commit('first', 0, 'src/a.ts');
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

function put(path: string, text: string): void {
  mkdirSync(dirname(join(planted.dir, path)), { recursive: true });
  writeFileSync(join(planted.dir, path), text);
}

/** Whether a command takes the wired file: `none` where nothing about it needs a look. */
async function taken(command: string): Promise<'taken' | 'stays' | 'none' | 'unseen'> {
  const wired = () => [join(planted.dir, WIRED)];
  const place = { cwd: planted.dir, home, root: planted.dir, agentSettings: [], ownDirs: [], wired };
  const effects = effectsOfReading(readShell(command, place), place).filter(({ how }) => how?.startsWith('wired'));
  if (effects.length === 0) return 'none';
  if (effects.some(({ how }) => how === 'wired')) return 'taken';
  const looks = await lookForLosses(effects, { files: nodeFiles, git: runGit, userHome: home, env: {} });
  if (looks.some((look) => 'unseen' in look)) return 'unseen';
  return looks.some((look) => 'lost' in look && look.lost.length > 0) ? 'taken' : 'stays';
}

it.each<[string, Awaited<ReturnType<typeof taken>>]>([
  ['git clean -fdx', 'taken'],
  ['git clean -fd', 'taken'],
  ['git clean -ffdx', 'taken'],
  ['git clean -f', 'stays'],
  ['git clean -fdX', 'stays'],
  ['git clean -fdx .agent', 'taken'],
  ['git clean -fdx src', 'none'],
  ['cd src && git clean -fdx', 'stays'],
  ['cd src && git clean -fdx ..', 'taken'],
  ['git clean -fdx -e .agent', 'none'],
  ['git clean -fdx --exclude=.agent/', 'none'],
  ['git clean -fdx -e src', 'taken'],
  ['git clean -fdx -e "$KEPT"', 'taken'],
  ['git clean -fdX -e .agent', 'taken'],
  ['git -C src/.. clean -fdx', 'taken'],
  ['git stash -u', 'taken'],
  ['git stash push -u -- src', 'none'],
  [`git stash push -u -- . ':!.agent'`, 'none'],
  ['git stash', 'stays'],
  ['git add -A && git stash', 'taken'],
  ['git add -A && git reset --hard', 'taken'],
  ['git add -A && git checkout -- .', 'stays'],
  ['git reset --hard', 'stays'],
  ['git checkout -- .', 'stays'],
  ['git checkout other', 'stays'],
])('a file that git does not know: %s', async (command, expected) => {
  put(WIRED, '{}');
  expect(await taken(command)).toBe(expected);
});

it.each<[string, Awaited<ReturnType<typeof taken>>]>([
  ['git clean -fd', 'stays'],
  ['git clean -fdX', 'taken'],
  ['git clean -fdx', 'taken'],
  ['git stash -u', 'stays'],
  ['git stash -a', 'taken'],
  ['git add -A && git stash', 'stays'],
])('one that git ignores: %s', async (command, expected) => {
  put('.gitignore', '.agent/\n');
  put(WIRED, '{}');
  expect(await taken(command)).toBe(expected);
});

it.each<[string, Awaited<ReturnType<typeof taken>>]>([
  ['git reset --hard', 'stays'],
  ['git reset --hard HEAD~1', 'taken'],
  ['git checkout before', 'taken'],
  ['git switch before', 'taken'],
  ['git switch -c new before', 'taken'],
  ['git checkout same', 'stays'],
  ['git checkout before -- .agent', 'taken'],
  [`git checkout before -- . ':!.agent'`, 'none'],
  ['git checkout nowhere', 'stays'],
  ['git clean -fdx', 'stays'],
  ['git stash', 'stays'],
  ['git rm -r .', 'taken'],
])('one that git tracks, as committed: %s', async (command, expected) => {
  planted.git('branch', 'before');
  put(WIRED, '{}');
  planted.commit('second', 0, WIRED);
  planted.git('branch', 'same');
  expect(await taken(command)).toBe(expected);
});

it.each<[string, Awaited<ReturnType<typeof taken>>]>([
  ['git reset --hard', 'taken'],
  ['git checkout -- .', 'taken'],
  ['git restore .', 'taken'],
  ['git restore src', 'none'],
  [`git restore . ':!.agent'`, 'none'],
  ['git stash', 'taken'],
  ['git clean -fdx', 'stays'],
])('one that git tracks, with our entries since: %s', async (command, expected) => {
  put(WIRED, '{}');
  planted.commit('second', 0, WIRED);
  put(WIRED, '{"hooks":{}}');
  expect(await taken(command)).toBe(expected);
});

it.each<[string, Awaited<ReturnType<typeof taken>>]>([
  ['find . -type f -mtime -1 -delete', 'taken'],
  [`find . -type f -mtime -1 -not -path './.agent/*' -delete`, 'none'],
  [`find . -type f -mtime -1 ! -path '*/.agent/*' -delete`, 'none'],
  [`find . -type f -not -path './src/*' -delete`, 'taken'],
  [`find . -type f -not -path './.agent/*' -o -type f -delete`, 'taken'],
  ['find src -type f -mtime -1 -delete', 'none'],
  [`find . -name '*.json' -delete`, 'taken'],
  [`find . -name '*.json' -not -path './.agent/*' -delete`, 'none'],
  [`find . -name '*.json' | xargs rm`, 'taken'],
  [`find . -name '*.ts' -delete`, 'none'],
  [`patch -p1 <<'E'\n--- a/.agent/settings.json\n+++ b/.agent/settings.json\nE`, 'taken'],
  ['rsync -a full/ .', 'taken'],
  ['rsync -a empty/ .', 'none'],
  ['cp -a full/. .', 'taken'],
  ['cp -a empty/. .', 'none'],
])('other programs: %s', async (command, expected) => {
  put(WIRED, '{}');
  put(`full/${WIRED}`, '{}');
  put('empty/a', '');
  const place = { readText: (path: string) => nodeFiles.readText(path, 1) };
  const wired = () => [join(planted.dir, WIRED)];
  const around = { cwd: planted.dir, home, root: planted.dir, agentSettings: [], ownDirs: [], wired, ...place };
  const effects = effectsOfReading(readShell(command, around), around);
  expect(effects.some(({ how }) => how === 'wired') ? 'taken' : 'none').toBe(expected);
});
