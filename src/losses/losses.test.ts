import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { cases } from '../../test/cases.ts';
import type { Look } from '../event/facts.ts';
import { effectsOfReading } from '../effects/effects.ts';
import { plantRepository } from '../git/repository.fixture.ts';
import type { TestRepository } from '../git/repository.fixture.ts';
import { nodeFiles } from '../platform/files.ts';
import { sha1 } from '../platform/hash.ts';
import { runGit } from '../platform/run-git.ts';
import { readShell } from '../shell/read.ts';
import { lookForLosses } from './losses.ts';
import { MOST_BY_GIT, MOST_FILES } from './world.ts';

let home: string;
let planted: TestRepository;
let asked: string[];
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'fairlead-losses-')));
  planted = plantRepository(join(home, 'project'));
  asked = [];
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const put = (path: string, text: string) => {
  mkdirSync(dirname(join(planted.dir, path)), { recursive: true });
  writeFileSync(join(planted.dir, path), text);
};
const commit = (...paths: readonly string[]) => planted.commit('one', 0, ...paths);

/** What the last effect of a command loses: `changed 2 a b`, or why nobody looked. Files that call us are listed behind all others. */
async function look(command: string, cwd = planted.dir): Promise<string> {
  const place = { cwd, home, root: planted.dir, agentSettings: [], ownDirs: [] };
  const effects = effectsOfReading(readShell(command, place), place)
    .filter(({ kind }) => kind !== 'settings')
    .slice(-1);
  const git = (dir: string, args: readonly string[]) => {
    asked.push(args[0] ?? '');
    return runGit(dir, args);
  };
  const [found] = await lookForLosses(effects, { files: nodeFiles, git, userHome: home, env: {} });
  return tell(found);
}

function tell(found: Look | undefined): string {
  if (!found) return 'no effect';
  if ('unseen' in found) return found.unseen;
  return found.lost.map(({ what, count, names }) => [what, count, ...names].join(' ')).join(', ') || 'nothing';
}

describe('files that git tracks', () => {
  it.each<[string, () => void, string]>([
    ['as they were committed', () => {}, 'nothing'],
    ['written again with the same content', () => put('a', '1\n'), 'nothing'],
    ['touched', () => utimesSync(join(planted.dir, 'a'), 1, 1), 'nothing'],
    ['with other line ends', () => put('a', '1\r\n'), 'nothing'],
    ['of another content and the same size', () => put('a', '9\n'), 'changed 1 a'],
    ['that may be run now', () => chmodSync(join(planted.dir, 'a'), 0o755), 'changed 1 a'],
    ['that are gone', () => rmSync(join(planted.dir, 'a')), 'nothing'],
    ['that are directories now', () => (rmSync(join(planted.dir, 'a')), put('a/b', 'x')), 'changed 1 a'],
    ['that git is told not to look at', () => void planted.git('update-index', '--skip-worktree', 'a'), 'nothing'],
  ])('%s', async (_, arrange, expected) => {
    commit('a', 'b');
    arrange();
    expect(await look('git checkout -- .')).toBe(expected);
    expect(asked, 'without git').toEqual([]);
  });

  it('are told from the index, not from when they were written', async () => {
    commit('a');
    const { atimeMs, mtimeMs } = { atimeMs: 1_000_000, mtimeMs: 1_000_000 };
    utimesSync(join(planted.dir, 'a'), atimeMs / 1_000, mtimeMs / 1_000);
    planted.git('update-index', '-q', '--refresh');
    put('a', '2\n');
    utimesSync(join(planted.dir, 'a'), atimeMs / 1_000, mtimeMs / 1_000);
    expect(await look('git checkout -- a')).toBe('changed 1 a');
  });

  it('that git is told to leave alone are lost when others delete them', async () => {
    commit('dir/a');
    planted.git('update-index', '--skip-worktree', 'dir/a');
    put('dir/a', 'local\n');
    expect(await look('git checkout -- dir')).toBe('nothing');
    expect(await look('rm -rf dir')).toBe('changed 1 dir/a');
  });

  it('in conflict count once each', async () => {
    commit('a');
    planted.git('checkout', '-q', '-b', 'side');
    planted.commit('side', 0, 'a');
    planted.git('checkout', '-q', 'main');
    planted.commit('main', 0, 'a');
    try {
      planted.git('merge', '-q', 'side');
    } catch {
      // It stops at the conflict.
    }
    expect(await look('git reset --hard')).toContain('changed 1 a');
  });

  it('that are changed on their way in are not judged', async () => {
    put('.gitattributes', '*.bin filter=large\n');
    commit('a', '.gitattributes');
    put('.gitattributes', '*.bin filter=large\n');
    put('a', 'other\n');
    expect(await look('git checkout -- a')).toBe('the repository changes files on their way in');
  });
});

describe('files that git does not track', () => {
  it.each<[string, string, string]>([
    ['a global ignore file', '.config/git/ignore', 'nothing'],
    ['the ignore file of the repository itself', 'project/.git/info/exclude', 'nothing'],
    ['an ignore file in a directory above', 'project/.gitignore', 'nothing'],
    ['no ignore file', 'elsewhere', 'untracked 1 dir/x.idea'],
  ])('%s', async (_, path, expected) => {
    commit('a', 'dir/b');
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), '*.idea\n.gitignore\n');
    put('dir/x.idea', 'x');
    expect(await look('git clean -fd')).toBe(expected);
    expect(await look('rm -rf dir')).toBe(expected);
  });

  it('a repository of somebody else is not cleaned, and lost when deleted', async () => {
    commit('a');
    plantRepository(join(planted.dir, 'theirs')).commit('x', 0, 'b');
    expect(await look('git clean -fd')).toBe('nothing');
    expect(await look('rm -rf theirs')).toBe(`repositories 1 ${planted.dir}/theirs`);
  });
});

type State = 'absent' | 'clean' | 'changed' | 'staged' | 'staged-and-changed' | 'added' | 'untracked' | 'deleted';
const PATHS = ['a', 'a.b', 'dir/c', 'dir/deep/d', 'dir.x/e', 'größe/f g', 'other/g'];

it('whatever state each file is in, it is counted where it would be lost and nowhere else', async () => {
  const states = fc.constantFrom<State>(
    ...(['absent', 'clean', 'changed', 'staged', 'staged-and-changed', 'added', 'untracked', 'deleted'] as const),
  );
  await fc.assert(
    fc.asyncProperty(fc.tuple(...PATHS.map(() => states)), fc.boolean(), async (chosen, isPacked) => {
      rmSync(planted.dir, { recursive: true, force: true });
      planted = plantRepository(planted.dir);
      const having = (...wanted: readonly State[]) => PATHS.filter((_, at) => wanted.includes(chosen[at] ?? 'absent'));
      const write = (text: string, paths: readonly string[]) => paths.forEach((path) => put(path, `${path} ${text}\n`));
      write('one', ['kept', ...having('clean', 'changed', 'staged', 'staged-and-changed', 'deleted')]);
      planted.git('add', '-A');
      planted.git('commit', '-q', '-m', 'one');
      if (isPacked) planted.git('gc', '-q');
      write('two', having('staged', 'staged-and-changed', 'added'));
      planted.git('add', '-A');
      write('three', having('changed', 'staged-and-changed', 'untracked'));
      for (const path of having('deleted')) rmSync(join(planted.dir, path));
      const told = (what: string, paths: readonly string[]) =>
        paths.length === 0 ? 'nothing' : [what, paths.length, ...[...paths].sort().slice(0, 3)].join(' ');
      const isIn = (dir: string) => (path: string) => path.startsWith(`${dir}/`);
      const changed = having('changed', 'staged-and-changed');
      const count = async (command: string) => (await look(command)).split(' ').slice(0, 2).join(' ');
      const counted = (what: string, paths: readonly string[]) => told(what, paths).split(' ').slice(0, 2).join(' ');
      expect(await count('git checkout -- .')).toBe(counted('changed', changed));
      const uncommitted = having('changed', 'staged', 'staged-and-changed', 'added');
      expect(await count('git reset --hard')).toBe(counted('changed', uncommitted));
      expect(await count('git clean -fd')).toBe(counted('untracked', having('untracked')));
      const [inDir, newInDir] = [changed.filter(isIn('dir')), having('untracked').filter(isIn('dir'))];
      const parts = [told('changed', inDir), told('untracked', newInDir)].filter((part) => part !== 'nothing');
      const nothing = existsSync(join(planted.dir, 'dir')) ? 'nothing' : 'nothing is there yet';
      expect(await look('rm -rf dir')).toBe(parts.join(', ') || nothing);
      expect(asked).toEqual([]);
    }),
    cases(500),
  );
}, 60_000);

describe('a repository with too many files to look at one by one', () => {
  const plantMany = (count = MOST_FILES + 1) => {
    put('0', 'same\n');
    const sha = planted.git('hash-object', '-w', '0').trim();
    const lines = Array.from({ length: count }, (_, at) => `100644 ${sha}\tfiles/${at}`);
    put('list', `${lines.join('\n')}\n`);
    planted.git('update-index', '--add', '--cacheinfo', `100644,${sha},0`);
    planted.gitWith(`${lines.join('\n')}\n`, 'update-index', '--index-info');
    rmSync(join(planted.dir, 'list'));
    planted.git('commit', '-q', '-m', 'many');
    put('files/7', 'other\n');
    put('files/8', 'same\n');
    put('new', 'new\n');
  };

  it('is looked at by git, and what git only suspects by its content', async () => {
    plantMany();
    expect(await look('git reset --hard')).toBe('changed 1 files/7');
    expect(await look('git clean -fd')).toBe('untracked 1 new');
    expect(asked).toEqual(['diff-files', 'ls-files']);
    expect(await look('git checkout -- files/7')).toBe('changed 1 files/7');
    expect(asked.length, 'one file is looked at without').toBe(2);
  });

  it('is not looked at where git would take too long; a part of it is', async () => {
    plantMany(MOST_BY_GIT + 1);
    for (const command of ['git reset --hard', 'git checkout .', 'git clean -fd', 'rm -rf files'])
      expect(await look(command), command).toBe('there is too much to look through');
    expect(asked).toEqual([]);
    expect(await look('git checkout -- files/7')).toBe('changed 1 files/7');
  });

  it('runs nothing that it names', async () => {
    plantMany();
    const trap = join(home, 'trap');
    writeFileSync(trap, `#!/bin/sh\ntouch ${home}/caught\n`, { mode: 0o755 });
    for (const key of ['core.fsmonitor', 'diff.external', 'core.pager', 'core.editor', 'core.sshCommand'])
      planted.git('config', key, trap);
    mkdirSync(join(planted.dir, '.git/hooks'));
    writeFileSync(join(planted.dir, '.git/hooks/post-index-change'), `#!/bin/sh\ntouch ${home}/caught\n`, {
      mode: 0o755,
    });
    expect(await look('git reset --hard')).toBe('changed 1 files/7');
    expect(await look('git clean -fdx')).toBe('untracked 1 new');
    planted.git('config', 'filter.x.clean', trap);
    put('.gitattributes', '* filter=x\n');
    expect(await look('git reset --hard')).toBe('there is too much to look through');
    expect(existsSync(join(home, 'caught'))).toBe(false);
  });
});

/** What may run before something is deleted, each as it is typed. */
const BEFORE = [
  ...['git stash pop', 'git stash apply', 'git stash', 'git stash push -u', 'git reset', 'git reset --soft HEAD~1'],
  ...['git reset HEAD~1', 'git reset --hard', 'git restore --staged .', 'git restore -S dir', 'git restore .'],
  ...['git rm -q --cached -r dir', 'git add -A', 'git commit -qam more', 'git checkout -q side', 'git switch -q side'],
  ...['git merge -q side', 'git cherry-pick side', 'git cherry-pick -n side', 'git checkout -q side -- dir'],
  ...[
    'git mv -k other/g dir/g',
    'mv other dir/other',
    'git apply ../patch',
    'git status',
    'git clean -fdq',
    'git fetch -q',
  ],
  ...['rm -f .gitignore', ': > .gitignore', 'git rm -q -f .gitignore', 'git config core.excludesFile /dev/null'],
  ...['git checkout -q HEAD~1', 'git checkout -q HEAD~1 -- .gitignore', 'git reset -q --hard side'],
  ...['cp ../patch .gitignore', 'git mv -k .gitignore kept', 'sed -i d .gitignore'],
  `python3 -c 'import os; os.rename("other", "dir/other")'`,
];
/** What takes files away then. */
const TAKES = [
  'rm -rf dir',
  'git clean -fd',
  'git checkout -- .',
  'git reset --hard',
  'git rm -rfq dir',
  'git restore dir',
];
const CHAINED = 'what runs before it in the same call may change that';

describe('what is deleted after something else has run', () => {
  it.each([
    ['git stash pop && rm -rf dir', CHAINED],
    ['git stash apply; rm -rf dir', CHAINED],
    ['bash -c "git stash pop" && rm -rf dir', CHAINED],
    ['git -C . stash pop && find dir -delete', CHAINED],
    ['git sp && rm -rf dir', CHAINED],
    ['git reset HEAD~1 && rm -rf dir', CHAINED],
    ['git restore --staged dir && rm -rf dir', CHAINED],
    ['git restore -S . && git checkout -- .', CHAINED],
    ['git stash pop && rm -rf missing', CHAINED],
    ['rsync -a --remove-source-files ../notes/ dir/ && rm -rf dir', CHAINED],
    ['git stash && rm -rf dir', 'nothing'],
    ['git add -A && git commit -m x && rm -rf dir', 'nothing'],
    ['git pull && rm -rf dir', 'nothing'],
    ['git clone https://example.com/x.git missing && rm -rf missing', 'nothing'],
    ['rm -rf dir && git stash pop', 'nothing'],
    ['while read x; do rm -rf dir; git stash pop; done', CHAINED],
    ['for x in *.txt; do rm -rf dir; git stash pop; done', CHAINED],
    ['for x in $(ls); do rm -rf dir; git stash pop; done', CHAINED],
    ['for x in 1 2; do rm -rf dir; git stash pop; done', CHAINED],
    ['for x in *.txt; do rm -rf dir; done; git stash pop', 'nothing'],
    [`python3 -c 'import os; os.rename("a", "dir/a")'; rm -rf dir`, CHAINED],
    [`python3 -c 'import os, shutil; os.rename("a", "dir/a"); shutil.rmtree("dir")'`, CHAINED],
    ['git stash -u; git stash pop; rm -rf dir', CHAINED],
    ['git stash pop > .gitignore; rm -rf dir', CHAINED],
  ])('%s', async (command, why) => {
    commit('a', 'dir/b');
    expect(await look(command)).toBe(why);
  });

  it.each([
    ['git clean -fd', 'nothing'],
    ['git reset --hard && git clean -fd', 'nothing'],
    ['git checkout -- . && git restore -q . && git clean -fd', 'nothing'],
    ['git checkout side -- . && rm -rf dir', 'ignored 1 dir/.env'],
    ['git checkout -q side && git clean -fd', 'ignored 1 dir/.env'],
    ['git reset --hard side; git clean -fd', 'ignored 1 dir/.env'],
    ['git restore --source side .; git clean -fd', 'ignored 1 dir/.env'],
    ['rm -f .gitignore; git clean -fd', 'ignored 1 dir/.env'],
    [': > .gitignore; git clean -fd', 'ignored 1 dir/.env'],
    ['sed -i d .gitignore && git clean -fd', 'ignored 1 dir/.env'],
    ['git config core.excludesFile none; git clean -fd', 'ignored 1 dir/.env'],
    ['git -c core.excludesFile=none clean -fd', 'its words do not tell what it hits'],
    ['GIT_CONFIG_GLOBAL=/dev/null git clean -fd', 'its words do not tell what it hits'],
    ['git config user.name x; git clean -fd', 'nothing'],
  ])('of what is ignored: %s', async (command, told) => {
    put('.gitignore', '.env\n');
    planted.git('add', '.gitignore');
    commit('a', 'dir/b');
    put('dir/.env', 'KEY=1\n');
    expect(await look(command)).toBe(told);
  });

  it('may be ignored no more once an ignore file is put back', async () => {
    put('.gitignore', 'x\n');
    planted.git('add', '.gitignore');
    commit('a', 'dir/b');
    put('.gitignore', '.env\n');
    put('dir/.env', 'KEY=1\n');
    expect(await look('git checkout -- a && git clean -fd')).toBe('ignored 1 dir/.env');
    expect(await look('git reset --hard && git clean -fd')).toBe('ignored 1 dir/.env');
    expect(await look('git clean -fd')).toBe('nothing');
  });

  it('is not said to be lost where it may have been saved before', async () => {
    commit('a', 'dir/b');
    put('dir/b', 'other\n');
    expect(await look('rm -rf dir')).toBe('changed 1 dir/b');
    expect(await look('git commit -am x && rm -rf dir')).toBe(CHAINED);
    expect(await look('git stash && rm -rf dir')).toBe(CHAINED);
    expect(await look('git status && rm -rf dir')).toBe('changed 1 dir/b');
  });

  it('loses nothing when a look said so, whatever ran before', async () => {
    const states = fc.constantFrom<State>('absent', 'clean', 'staged', 'added', 'changed', 'untracked');
    const runs = fc.array(fc.constantFrom(...BEFORE), { minLength: 1, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(
        fc.tuple(states, states, states, states),
        runs,
        fc.constantFrom(...TAKES),
        async (all, before, takes) => {
          const [inDir, other, ignoring, ignored] = all;
          rmSync(planted.dir, { recursive: true, force: true });
          planted = plantRepository(planted.dir);
          plantSide();
          arrange('dir/c', 'stashed');
          planted.git('stash', '-q');
          arrange('dir/deep/d', inDir);
          arrange('other/g', other);
          arrange('.gitignore', ignoring, '.env\n');
          arrange('dir/.env', ignored);
          const told = await look(`${before.join('; ')}; ${takes}`);
          if (told !== 'nothing') return;
          const env = { PATH: process.env['PATH'], GIT_CONFIG_GLOBAL: '/dev/null', GIT_EDITOR: 'true' };
          const run = (text: string) => spawnSync('sh', ['-c', text], { cwd: planted.dir, env });
          const begun = contents();
          run(before.join('; '));
          const there = contents();
          run(takes);
          const left = contents();
          const gone = [...begun].filter(([sha]) => there.has(sha) && !left.has(sha));
          const kept =
            gone.length === 0 ? '' : planted.git('rev-list', '--objects', '--all', '--reflog', '--indexed-objects');
          const lost = gone.filter(([sha]) => !kept.includes(sha)).map(([, path]) => path);
          expect(lost, `${before.join('; ')}; ${takes}`).toEqual([]);
        },
      ),
      cases(400),
    );
  }, 120_000);

  /** What the files hold, by the names that git has for it. */
  function contents(): ReadonlyMap<string, string> {
    const all = readdirSync(planted.dir, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name))
      .filter((path) => !path.includes('/.git/'));
    const text = all.map((path) => readFileSync(path));
    return new Map(
      text.map((bytes, at) => [sha1(`blob ${bytes.length}\0`, bytes), relative(planted.dir, all[at] ?? '')]),
    );
  }

  /** Another branch, and a patch, that both have something for the directory. */
  function plantSide(): void {
    commit('a', 'dir/c', 'kept');
    planted.commit('two', 0, 'dir/two');
    planted.git('checkout', '-q', '-b', 'side');
    planted.commit('side', 0, 'dir/side');
    planted.git('checkout', '-q', 'main');
    put('dir/c', 'patched\n');
    writeFileSync(join(home, 'patch'), planted.git('diff'));
    planted.git('checkout', '-q', '--', '.');
  }

  function arrange(path: string, state: State | 'stashed', text = `${path}\n`): void {
    if (state === 'absent') return;
    put(path, text);
    if (state === 'untracked') return;
    planted.git('add', '-f', path);
    if (state === 'added' || state === 'stashed') return;
    planted.git('commit', '-q', '-m', path);
    if (state === 'clean') return;
    put(path, `${text}two\n`);
    if (state === 'staged') planted.git('add', '-f', path);
  }
});

describe('many files', () => {
  it.each([
    ["find . -name '*.ts' -delete", 'changed 1 src/a.ts, untracked 1 src/deep/new.ts'],
    ["find . -name '*.ts' -exec rm {} +", 'changed 1 src/a.ts, untracked 1 src/deep/new.ts'],
    ["git ls-files '*.md' | xargs rm", 'nothing'],
    ["find . -name '*.md' -exec sh -c 'rm \"$0\"' {} ';'", 'nothing'],
    ["find . -name '*.md' -o -name '*.ts' | xargs rm", 'changed 1 src/a.ts, untracked 1 src/deep/new.ts'],
    ["rg --files -g '*.ts' | xargs rm", 'changed 1 src/a.ts, untracked 1 src/deep/new.ts'],
    ['find src README.md -type f | xargs rm', 'its words do not tell what it hits'],
    ['rm *.ts', 'nothing'],
    ['rm src/*.ts', 'changed 1 src/a.ts'],
    ['rm -rf src/de*', 'untracked 1 src/deep/new.ts'],
    ['for f in src/*.ts; do : > "$f"; done', 'changed 1 src/a.ts'],
    ['find . -type d -name deep -exec rm -rf {} +', 'untracked 1 src/deep/new.ts'],
    ["find src -iname 'NEW*' -delete", 'untracked 1 src/deep/new.ts'],
  ])('%s', async (command, lost) => {
    commit('README.md', 'root.ts', 'src/a.ts', 'src/b.md');
    put('src/a.ts', 'changed\n');
    put('src/deep/new.ts', 'new\n');
    expect(await look(command)).toBe(lost);
  });
});

describe('what is not looked at', () => {
  it.each([
    ['git --git-dir=/elsewhere/.git reset --hard', 'its words do not tell what it hits'],
    ['GIT_WORK_TREE=/elsewhere git checkout -- .', 'its words do not tell what it hits'],
    ['git checkout "$(cat list)" -- a', 'nothing'],
    ['git restore --pathspec-from-file=list', 'its words do not tell what it hits'],
    ["git checkout -- ':(exclude)a'", 'nothing'],
    ['git clean -fd -e "$KEPT"', 'its words do not tell what it hits'],
    ['git clean -ffd', 'its words do not tell what it hits'],
    ['git reset --hard "$COMMIT"', 'its words do not tell what it hits'],
    ['git reset --hard no-such-commit', 'no commit of that name was found'],
    ['cd "$DIR" && git reset --hard', 'its words do not tell what it hits'],
    ['cd /no/such/directory; git reset --hard', 'no repository was found there'],
    ['git add -A && git reset --hard', 'what runs before it in the same call may change that'],
    ['git stash pop && git checkout -- .', 'what runs before it in the same call may change that'],
    ['git push && git commit --amend', 'what runs before it in the same call may change that'],
    ['git gc --prune=now', 'that takes too long'],
    ['hg revert --all', 'its words do not tell what it hits'],
    ['rm -rf "$DIR"', 'its words do not tell what it hits'],
    ['rm -rf missing', 'nothing is there yet'],
    ['git reset --hard --recurse-submodules', 'its words do not tell what it hits'],
    ['git checkout --recurse-submodules -- .', 'its words do not tell what it hits'],
    ['mv ../new a && git checkout -- a', 'what runs before it in the same call may change that'],
    ['sudo git reset --hard', 'it runs as somebody else, elsewhere, or on what only running it tells'],
    ['sudo rm -rf dir', 'it runs as somebody else, elsewhere, or on what only running it tells'],
    ['su bob -c "rm -rf dir"', 'it runs as somebody else, elsewhere, or on what only running it tells'],
    ['chroot /mnt rm -rf dir', 'it runs as somebody else, elsewhere, or on what only running it tells'],
    ['find . -name dir -exec rm -rf {} +', 'nothing'],
    ['bash -c "rm -rf dir"', 'nothing'],
    ['env A=1 git reset --hard', 'nothing'],
    ['timeout 5 npx rimraf dir', 'nothing'],
    ['if true; then (cd dir && git checkout -- .); fi', 'nothing'],
  ])('%s', async (command, why) => {
    commit('a', 'dir/b');
    expect(await look(command)).toBe(why);
  });
});
