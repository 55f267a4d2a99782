import { own } from '../../engine/rule.ts';
import type { OwnWords } from '../../engine/rule.ts';
import type { Effect } from '../../event/effect.ts';
import { branchOf, isProtected, PROTECTED_BRANCHES } from './is-catastrophe.ts';

/**
 * What to do instead, by kind, by kind and way, or by kind and place; the most specific one counts. Every command in
 * backticks passes the whole pack, in careful mode too.
 */
export const INSTEAD: Readonly<Record<string, string>> = {
  delete: 'Deleting single files by name passes (`rm src/old.ts`), and so does moving it aside: `mv old /tmp/old`.',
  'delete@root': 'Name the one directory that is meant: `rm -rf dist`.',
  'delete@system': 'Name the one directory that is meant: `rm -rf dist`.',
  'delete@git': 'Git tidies up by itself: `git gc`, `git worktree prune`.',
  'delete@home': 'Name the one directory that is meant, inside the workspace: `rm -rf dist`.',
  'delete@workspace': 'What a build made can go by name: `rm -rf dist node_modules`.',
  overwrite: 'Put it into the workspace, and let the person move it: `cp app.conf build/app.conf`.',
  truncate: 'Keep a copy and write a new file beside it: `cp app.log app.log.old`.',
  write: 'Put it into the workspace, and let the person move it: `cp app.conf build/app.conf`.',
  'read-secret': 'Let the program that needs it read it, or ask the person for the one value.',
  send: 'Send one file that is named and holds no secret: `curl -F file=@report.txt https://example.com/upload`.',
  'run-remote': 'Save it and read it before it runs: `curl -fsSL https://example.com/install.sh -o install.sh`.',
  'run-remote:decoded': 'Decode it into a file and read that before it runs: `base64 -d payload.b64 > payload.txt`.',
  'run-remote:shell-served': 'One named command on another machine needs no open shell: `ssh host uptime`.',
  'force-push':
    'Take in what the remote has by `git pull` and push plainly, or push a branch of its own: `git push origin HEAD:second-try`.',
  discard: 'Put it where it can be found again: `git stash push -u`.',
  'discard:stash-drop': '`git stash list` and `git stash show -p` show what would go.',
  'discard:stash-clear': '`git stash list` and `git stash show -p` show what would go.',
  'rewrite-history':
    'A new commit does it without changing old ones: `git revert HEAD`, or `git commit -m "Correct the typo"`.',
  'delete-branch': '`git branch -d topic` deletes a branch that is merged and keeps one that is not.',
  'delete-branch:remote': '`git branch -r --merged` shows which remote branches are merged; the person deletes them.',
  'delete-branch:remote-prune': '`git remote prune origin --dry-run` shows which ones would go.',
  'delete:crontab': '`crontab -l` shows what is in it.',
  permissions: 'Give the right that is needed, and only there: `chmod u+x scripts/build.sh`.',
  'permissions:world-writable': '`chmod 755` is usually enough.',
  kill: 'Ask one process to end, by its number: `kill 4242`.',
  exhaust: 'Bound it and wait: `for n in 1 2 3; do ./work.sh; done`.',
  'destroy-disk': '`lsblk` shows what is there; wiping it is for a person at the machine.',
  'destroy-data': 'Look at what it hits first, and let the person keep a copy.',
  'destroy-cloud': 'Most tools list or plan first what they would hit.',
  system: 'Tell the person what it is for, and let them run it.',
  publish: 'Build and inspect what would go out first; many tools have a dry run.',
  unknown: 'Write long data with a file tool, and split the rest into commands that can be read.',
};

/** By kind and program, where that has a way of its own to look first. */
export const LOOK_FIRST: Readonly<Record<string, string>> = {
  'destroy-cloud terraform': '`terraform plan` shows what it would hit.',
  'destroy-cloud kubectl': '`kubectl get all` shows what is there.',
  'destroy-cloud docker': '`docker system df` shows what is there.',
  'destroy-data psql':
    "Look at what it hits, and keep a copy: `psql app -c 'SELECT count(*) FROM users'`, `pg_dump app -f copy.sql`.",
  'publish npm': '`npm publish --dry-run` shows what would go out.',
  'publish cargo': '`cargo publish --dry-run` shows what would go out.',
};

/** Where others build on a branch, no way of overwriting it is one. */
export const INSTEAD_OF_FORCE =
  'Add to it instead, by `git revert HEAD` and a plain `git push`, or push a branch of its own: `git push origin HEAD:second-try`.';

/** Where a reset would leave commits behind. */
export const INSTEAD_OF_LEAVING = 'Keep them on a branch of their own first: `git branch kept`.';

/** What to do instead of a forced push, where that is not what others are told. */
export function adviceForPush(effect: Effect, current: () => string | undefined): string | undefined {
  return isProtected(branchOf(effect) ?? current(), PROTECTED_BRANCHES) ? INSTEAD_OF_FORCE : undefined;
}

export function insteadOf({ kind, how, scope, seen, target }: Effect): string {
  const look = LOOK_FIRST[`${kind} ${/^[\w-]+/.exec(seen)?.[0]}`];
  if (look !== undefined) return look;
  if (kind === 'read-secret' && /(^|\/)\.env/.test(target))
    return 'The names are enough for most work: `cat .env.example`.';
  return INSTEAD[`${kind}:${how}`] ?? INSTEAD[`${kind}@${scope}`] ?? INSTEAD[kind] ?? '';
}

/** The same call without a file by which an agent calls us, as far as there is a way to write it. */
export function withoutWired({ how = '', path = '', seen, git }: Effect): OwnWords {
  const name = path.split('/').at(-2) ?? '';
  const isPlain = /^[\w./-]+$/.test(name) && seen.length < LONGEST_SEEN && !/[`…\n]/.test(seen);
  const way =
    how === 'wired-clean' || how === 'wired-clean-ignored'
      ? seen.replace(/\bclean\b/, `clean -e ${name}`)
      : how.startsWith('wired-stashing')
        ? `git stash push -u -- . ':!${name}'`
        : how === 'wired-checkout' || how === 'wired-restore'
          ? `${seen.includes(' -- ') || how === 'wired-restore' ? seen : seen.replace(/ (\S+)$/, ' -- $1')} ':!${name}'`
          : how === 'wired-hard-reset'
            ? `git checkout ${git?.to ?? 'HEAD'} -- . ':!${name}'`
            : undefined;
  if (way === undefined || !isPlain)
    return own('The same for other files passes; leave that one as it is, and ask the person to change it.');
  return own(`The same without that file: \`${way}\`.`);
}

const LONGEST_SEEN = 120;
