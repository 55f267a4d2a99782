import { describe, expect, it } from 'vitest';
import { GIT_PROGRAMS } from './programs.ts';
import { effectsBy } from '../scene.fixture.ts';

/** What a look at the repository has to tell more about. */
const DOUBTFUL = ['switching', 'stashing-tracked'];

/** Kind, way, target; `all` when everything is hit; the branch where it differs from the target. */
function tell(text: string): string[] {
  const effects = effectsBy(GIT_PROGRAMS, text).filter(({ how = '' }) => !DOUBTFUL.includes(how));
  return effects.map(({ kind, how, target, recursive, branch, host }) =>
    [kind, how, recursive === true ? 'all' : target, branch === target ? '' : branch, host && `@${host}`]
      .filter((part) => part !== undefined && part !== '')
      .join(' '),
  );
}

describe('pushes', () => {
  it.each([
    ['git push', ['push plain the current branch']],
    ['git push origin HEAD', ['push plain the current branch @origin']],
    ['git push -u origin topic', ['push plain topic @origin']],
    ['git push origin HEAD:main', ['push plain main @origin']],
    ['git push --force-with-lease', ['push with-lease the current branch']],
    ['git push -f --force-with-lease', ['push with-lease the current branch']],
    ['git push --force-w=topic:abc origin topic', ['push with-lease topic @origin']],
    ['git push --force-with-lease --force origin main', ['force-push force main @origin']],
    ['git push --force-with-lease=other origin +main', ['force-push plus main @origin']],
    ['git push -uf origin topic', ['force-push force topic @origin']],
    ['git push origin +HEAD:refs/heads/main', ['force-push plus main @origin']],
    ['git push origin topic +main', ['push plain topic @origin', 'force-push plus main @origin']],
    ['git push --force "$REMOTE"', ['force-push force the current branch']],
    ['git push --force origin "$BRANCH"', ['force-push force the current branch @origin']],
    ['git push --force --all', ['force-push force all']],
    ['git -c advice.detachedHead=false push --mirror', ['force-push mirror all']],
    ['git push --force --repo --help origin main', ['force-push force main @origin']],
    ['git push -vd origin old', ['delete-branch remote old @origin']],
    ['git push origin --delete a b', ['delete-branch remote a @origin', 'delete-branch remote b @origin']],
    ['git push origin :old', ['delete-branch remote old @origin']],
    ['git push --no-force origin main', ['push plain main @origin']],
    ['git push --force --help', []],
    ['git push -nf origin main', []],
    ['git push --dry-run --mirror origin', []],
  ])('%s', (text, told) => expect(tell(text)).toEqual(told));
});

describe('work that is thrown away', () => {
  it.each([
    ['git reset --hard', ['discard hard-reset all']],
    ['git reset -q --ha origin/main', ['discard hard-reset all']],
    ['git reset --merge', ['discard merge-reset all']],
    ['git reset --hard --soft', []],
    ['git reset --hard --help', []],
    ['git reset -- --hard', []],
    ['git reset --keep HEAD~1', []],
    ['git reset HEAD~3', []],
    ['git switch -f main', ['discard switch all']],
    ['git switch --discard-changes main', ['discard switch all']],
    ['git switch -Cfixup', []],
    ['git switch -c force', []],
    ['git restore a.txt b.txt', ['discard restore a.txt', 'discard restore b.txt']],
    ['git restore .', ['discard restore all']],
    ['git restore --staged --worktree :/', ['discard restore all']],
    ['git restore -SW a.txt', ['discard restore a.txt']],
    ['git restore --pathspec-from-file=list.txt', ['discard restore list.txt']],
    ['git restore --staged .', []],
    ['git restore -p', []],
    ['git clean -xfd', ['discard clean all']],
    ['git clean --no-force -f', ['discard clean all']],
    ['git clean -fd -- src', ['discard clean src']],
    ['git clean build -f .', ['discard clean all']],
    ['git clean -fdX', ['discard clean-ignored all']],
    ['git -c clean.requireForce=false clean -d', ['discard clean all']],
    ['git clean -f --no-force', []],
    ['git clean -d', []],
    ['git clean -nfd', []],
    ['git clean -if', []],
    ['git clean -e -f', []],
    ['git stash drop -q stash@{1}', ['discard stash-drop stash@{1}']],
    ['git stash drop', ['discard stash-drop the latest stash']],
    ['git stash clear', ['discard stash-clear all']],
    ['git diff | git apply -R', ['discard apply-reverse all']],
    ['git diff HEAD -- src/a.ts | git apply --reverse', ['discard apply-reverse src/a.ts']],
    ['git diff v1..v2 | git apply -R', []],
    ['git show HEAD | git apply -R', []],
    ['git apply -R fix.patch', ['write in-place .']],
    ['git apply --check fix.patch', []],
    ['git stash clear --help', []],
    ['git stash pop', []],
    ['git stash push -m clear', []],
    ['git worktree remove -f ../other', ['discard worktree-remove /home/ann/other']],
    ['git worktree remove ../other', []],
    ['git worktree prune', []],
    ['git submodule deinit -f --all', ['discard submodule-deinit all']],
    ['git submodule deinit lib/x', []],
    ['git checkout-index -a -f', ['discard checkout-index all']],
    ['git checkout-index -f --prefix=out/ a.txt', ['write archive out']],
    ['git read-tree --reset -u HEAD', ['discard read-tree all']],
  ])('%s', (text, told) => expect(tell(text)).toEqual(told));
});

describe('checkout: branches or paths', () => {
  it.each([
    ['git checkout -- .', ['discard checkout all']],
    ['git checkout -- . --keep', ['discard checkout all']],
    ['git checkout .', ['discard checkout all']],
    ['git checkout HEAD .', ['discard checkout all']],
    ['git checkout HEAD -- src/main.py', ['discard checkout src/main.py']],
    ['git checkout @{upstream} -- package.json', ['discard checkout package.json']],
    ['git checkout main a.txt b.txt', ['discard checkout a.txt', 'discard checkout b.txt']],
    ['git checkout a.txt b.txt', ['discard checkout a.txt', 'discard checkout b.txt']],
    ['git checkout "$REF" docs', ['discard checkout docs']],
    ['git checkout src/main.py', ['discard checkout src/main.py']],
    ['git checkout .gitignore', ['discard checkout .gitignore']],
    ['git checkout ./docs', ['discard checkout docs']],
    ['git checkout --theirs yarn.lock', ['discard checkout yarn.lock']],
    ['git checkout --no-recurse-submodules main file.txt', ['discard checkout file.txt']],
    ['git checkout --track main file.txt', ['discard checkout file.txt']],
    ['git checkout HEAD --pathspec-from-file=paths.txt', ['discard checkout paths.txt']],
    ['git checkout -f', ['discard checkout all']],
    ['git checkout -fq main', ['discard checkout all']],
    ['git checkout -f -b topic', ['discard checkout all']],
    ['git checkout -f --no-patch', ['discard checkout all']],
    ['git checkout', []],
    ['git checkout -', []],
    ['git checkout main --', []],
    ['git checkout feature/login', []],
    ['git checkout release/1.2', []],
    ['git checkout release-2.x', []],
    ['git checkout v1.2.3', []],
    ['git checkout HEAD~1', []],
    ['git checkout "$BRANCH"', []],
    ['git checkout origin/main --detach', []],
    ['git checkout -b topic origin/main', []],
    ['git checkout -Bmain', []],
    ['git checkout --orphan pages', []],
    ['git checkout -t origin/topic', []],
    ['git checkout --track direct main', []],
    ['git checkout --recurse-submodules on-demand main', []],
    ['git checkout --conflict merge main', []],
    ['git checkout -U3 main', []],
    ['git checkout -p -- a.txt', []],
  ])('%s', (text, told) => expect(tell(text)).toEqual(told));
});

describe('branches and history', () => {
  it.each([
    ['git branch -Dv topic', ['delete-branch forced topic']],
    ['git branch --delete --force a b', ['delete-branch forced a', 'delete-branch forced b']],
    ['git branch --force topic HEAD~3', ['delete-branch moved topic']],
    ['git branch -M topic main', ['delete-branch moved main']],
    ['git branch -M main', []],
    ['git branch -M master main', []],
    ['git branch -m old new', []],
    ['git branch -d topic', []],
    ['git branch -r -D origin/x', []],
    ['git branch --list "D*"', []],
    ['git tag -d v1', []],
    ['git commit --amend --no-edit', ['rewrite-history amend the last commit']],
    ['GIT COMMIT --AMEND', ['rewrite-history amend the last commit']],
    ['git commit -m --amend', []],
    ['git commit -am "git reset --hard"', []],
    ['git commit --amend --dry-run', []],
    ['git rebase -i HEAD~3', ['rewrite-history rebase the current branch']],
    ['git rebase --onto main a topic', ['rewrite-history rebase the current branch topic']],
    ['git rebase --continue', []],
    ['git pull --rebase', []],
    ['git filter-branch -- --all', ['rewrite-history filter-branch every commit']],
    ['git filter-repo --force --replace-text --help', ['rewrite-history filter-repo every commit']],
    ['git filter-repo --analyze', []],
    ['git-filter-repo --path x', ['rewrite-history filter-repo every commit']],
    ['git reflog expire --expire=now --all', ['rewrite-history reflog-expire the reflog']],
    ['git reflog expire --all', []],
    ['git reflog delete HEAD@{0}', ['rewrite-history reflog-delete HEAD@{0}']],
    ['git reflog show', []],
    ['git gc --p=now', ['rewrite-history gc unreachable commits']],
    ['git gc --prune=5.minutes.ago', ['rewrite-history gc unreachable commits']],
    ['git -c gc.pruneExpire=now gc', ['rewrite-history gc unreachable commits']],
    ['git -c gc.pruneExpire=now gc --no-prune', []],
    ['git gc --prune=2.weeks.ago', []],
    ['git gc --aggressive', []],
    ['git prune --exp=now', ['rewrite-history prune unreachable commits']],
    ['git prune --expire 2.weeks.ago', []],
    ['git prune -n', []],
    ['git remote prune origin', []],
    ['git update-ref -d refs/heads/topic', ['rewrite-history update-ref refs/heads/topic topic']],
    [
      'echo "delete refs/heads/topic" | git update-ref --stdin',
      ['rewrite-history update-ref refs that are named on its input'],
    ],
    ['git update-ref refs/heads/topic abc', []],
    ['git replace abc def', ['rewrite-history replace abc']],
    ['git replace --list', []],
  ])('%s', (text, told) => expect(tell(text)).toEqual(told));
});

describe('global options and aliases', () => {
  it.each([
    ['git -C /srv/app reset --hard', ['discard hard-reset all']],
    ['git -C sub restore a.txt', ['discard restore sub/a.txt']],
    ['git --git-dir repo/.git --work-tree=repo reset --hard', ['discard hard-reset all']],
    ['git -P --no-pager -cfoo=bar reset --hard', ['discard hard-reset all']],
    ["git -c 'alias.wipe=reset --hard' wipe", ['discard hard-reset all']],
    ["git -c alias.a=b -c 'alias.b=clean -f' a -d", ['discard clean all']],
    ['git -c alias.a=b -c alias.b=a a', []],
    ["git config alias.wipe 'reset --hard' && git wipe", ['discard hard-reset all']],
    ['GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=alias.w GIT_CONFIG_VALUE_0="stash clear" git w', ['discard stash-clear all']],
    ['git --help reset --hard', []],
    ['git help reset', []],
    ['git -C reset log --hard', []],
    ['git log -- checkout .', []],
    ['git grep "reset --hard"', []],
    ['git wipe --hard', []],
  ])('%s', (text, told) => expect(tell(text)).toEqual(told));
});

describe('files and hooks', () => {
  it.each([
    ['git rm -rf src', ['delete git-rm all']],
    ['git rm a.txt', ['delete git-rm a.txt']],
    ['git rm -r --cached src', []],
    ['git rm -n a.txt', []],
    ['git commit --no-verify -m x', ['settings git-hooks pre-commit hook']],
    ['git commit -nm x', ['settings git-hooks pre-commit hook']],
    ['git commit -m -n', []],
    ['git push -n', []],
    ['git push --no-verify', ['push plain the current branch', 'settings git-hooks pre-push hook']],
    ['HUSKY=0 git commit -m x', ['settings git-hooks pre-commit hook']],
    ['git -c core.hooksPath=/dev/null commit -m x', ['settings git-hooks pre-commit hook']],
    ['git config core.hooksPath /dev/null', ['settings git-hooks every git hook']],
    ['git config core.hooksPath /dev/shm/../null', ['settings git-hooks every git hook']],
    ['git config core.hooksPath ../../../dev/null', ['settings git-hooks every git hook']],
    ['git config core.hooksPath .husky', []],
    ['git config --get core.hooksPath', []],
  ])('%s', (text, told) => expect(tell(text)).toEqual(told));
});

describe('other version control', () => {
  it.each([
    ['hg update -C', ['discard hg-update everything']],
    ['hg update', []],
    ['hg push -f', ['force-push force push']],
    ['svn revert -R .', ['discard svn-revert .']],
    ['svn status', []],
    ['jj abandon @', ['rewrite-history jj-abandon @']],
    ['jj restore', ['discard jj-restore everything']],
    ['jj log', []],
    ['bfg --delete-files id_rsa', ['rewrite-history bfg every commit']],
  ])('%s', (text, told) => expect(tell(text)).toEqual(told));
});

describe('branches that are pointed elsewhere', () => {
  it.each([
    ['git checkout -B main origin/main', ['delete-branch moved main']],
    ['git switch -C release/2 HEAD~1', ['delete-branch moved release/2']],
    ['git fetch -f origin main:main', ['delete-branch moved main']],
    ['git fetch origin +dev:refs/heads/main', ['delete-branch moved main']],
    ['git update-ref refs/heads/main HEAD~5', ['rewrite-history update-ref refs/heads/main main']],
    ['git checkout -B main', []],
    ['git checkout -B topic origin/main', []],
    ['git switch -C topic', []],
    ['git fetch origin main:main', []],
    ['git fetch origin +refs/pull/1/head:pr-1', []],
    ['git fetch -f --tags', []],
  ])('%s', (text, told) => expect(tell(text)).toEqual(told));
});

it.each([
  ['cd /tmp/demo && git reset --hard', 'temp'],
  ['git -C /tmp/demo clean -fd', 'temp'],
  ['cd /tmp/demo && git commit --amend', 'temp'],
  ['cd /tmp && git reset --hard', undefined],
  ['cd /tmp/demo && git --work-tree=/home/ann/app reset --hard', undefined],
  ['cd /tmp/demo && GIT_DIR=/home/ann/app/.git git reset --hard', undefined],
  ['git reset --hard', undefined],
])('%s: scope %s', (text, scope) => {
  expect(effectsBy(GIT_PROGRAMS, text).map((effect) => effect.scope)).toEqual([scope]);
});

describe('outputs', () => {
  it.each([
    ['git archive -o a.tar HEAD', ['overwrite output a.tar']],
    ['git bundle create a.bundle --all', ['overwrite output a.bundle']],
    ['git diff HEAD~1 --output=a.patch', ['overwrite output a.patch']],
    ['git log --oneline -3', []],
    ['git diff -o', []],
    ['git bundle verify a.bundle', []],
  ])('%s', (text, expected) => expect(tell(text)).toEqual(expected));
});
