import type { Effect } from '../../event/effect.ts';
import { grammar, readArguments } from './grammar.ts';
import type { GitCall, ReadGit } from './call.ts';
import { inRepository, isSharedBranch, named } from './call.ts';
import type { MoreWords } from './call.ts';

function rewrite(call: GitCall, how: string, target: string, branch?: string, words?: MoreWords): Effect {
  const about = { kind: 'rewrite-history', how, target, ...inRepository(call, words) } as const;
  return call.scene.effect(call.command, branch === undefined ? about : { ...about, branch });
}

export const COMMIT = grammar(
  'q quiet, v verbose, F file=, author=, date=, m message=, c reedit-message=, C reuse-message=, fixup=, squash=, ' +
    'reset-author, trailer=, s signoff, t template=, e edit, cleanup=, status, S gpg-sign?, a all, i include, ' +
    'interactive, p patch, U unified=, inter-hunk-context=, o only, n skip-hooks, verify, dry-run, short, branch, ' +
    'ahead-behind, porcelain, long, z null, amend, post-rewrite, u untracked-files?, pathspec-from-file=, ' +
    'pathspec-file-nul, allow-empty, allow-empty-message',
);

const commit: ReadGit = (call) => {
  const args = readArguments(call.words, COMMIT);
  if (args.help || args.on('dry-run') || !args.on('amend')) return [];
  return [rewrite(call, 'amend', 'the last commit', '')];
};

const REBASE = grammar(
  'onto=, keep-base, s strategy=, X strategy-option=, x exec=, i interactive, q quiet, v verbose, n no-stat, ' +
    'stat, autostash, C=, whitespace=, f force-rebase, fork-point, m merge, apply, empty=, S gpg-sign?, root, ' +
    'abort, continue, skip, quit, edit-todo, show-current-patch, r rebase-merges?, autosquash, committer-date-is-author-date, ' +
    'reset-author-date, ignore-date, ignore-whitespace, reapply-cherry-picks, reschedule-failed-exec, update-refs, verify, signoff',
);

const rebase: ReadGit = (call) => {
  const args = readArguments(call.words, REBASE);
  if (args.help || args.on('abort', 'continue', 'skip', 'quit', 'edit-todo', 'show-current-patch')) return [];
  const [upstream, branch] = args.operands;
  const kept: MoreWords = args.on('root') ? 'untold' : upstream ? named(upstream) : { to: '@{upstream}' };
  return [rewrite(call, 'rebase', 'the current branch', branch?.value ?? '', kept)];
};

const FILTER_REPO = grammar(
  'analyze, report-dir=, path=, invert-paths, path-match=, path-glob=, path-regex=, use-base-name, path-rename=, ' +
    'path-rename-match=, paths-from-file=, subdirectory-filter=, to-subdirectory-filter=, replace-text=, replace-message=, ' +
    'strip-blobs-bigger-than=, strip-blobs-with-ids=, tag-rename=, mailmap=, use-mailmap, replace-refs=, prune-empty=, ' +
    'prune-degenerate=, no-ff, filename-callback=, file-info-callback=, message-callback=, name-callback=, ' +
    'email-callback=, refname-callback=, blob-callback=, commit-callback=, tag-callback=, reset-callback=, ' +
    'source=, target=, refs=, dry-run, debug, stdin, quiet, force, partial, proceed, date-format-permissive, ' +
    'sensitive-data-removal, fetch, preserve-commit-hashes, preserve-commit-encoding, state-branch=',
);

export const filterRepo: ReadGit = (call) => {
  const args = readArguments(call.words, FILTER_REPO);
  return args.help || args.on('dry-run', 'analyze') ? [] : [rewrite(call, 'filter-repo', 'every commit')];
};

const filterBranch: ReadGit = (call) =>
  call.words.length === 0 || readArguments(call.words, NONE).help
    ? []
    : [rewrite(call, 'filter-branch', 'every commit')];

const NONE = grammar('');

const REFLOG = grammar(
  'all, n dry-run, expire=, expire-unreachable=, updateref, rewrite, stale-fix, verbose, single-worktree',
);

const reflog: ReadGit = (call) => {
  const verb = call.words[0]?.value.toLowerCase();
  if (verb !== 'expire' && verb !== 'delete' && verb !== 'drop') return [];
  const args = readArguments(call.words.slice(1), REFLOG);
  if (args.help || args.on('dry-run')) return [];
  const expiries = [...args.values('expire'), ...args.values('expire-unreachable')];
  // Without a date it forgets what any `git gc` would.
  if (verb === 'expire' && !expiries.some(({ value }) => isAtOnce(value))) return [];
  return [rewrite(call, `reflog-${verb}`, args.operands[0]?.text ?? 'the reflog')];
};

const GC = grammar(
  'q quiet, prune?, cruft, max-cruft-size=, expire-to=, aggressive, auto, detach, force, keep-largest-pack',
);

const gc: ReadGit = (call) => {
  const args = readArguments(call.words, GC);
  if (args.help || args.off('prune')) return [];
  const expiry = args.values('prune').at(-1)?.value ?? call.config.get('gc.pruneexpire');
  return expiry !== undefined && isAtOnce(expiry) ? [rewrite(call, 'gc', 'unreachable commits')] : [];
};

const PRUNE = grammar('n dry-run, v verbose, progress, expire=, exclude-promisor-objects');

const prune: ReadGit = (call) => {
  const args = readArguments(call.words, PRUNE);
  if (args.help || args.on('dry-run')) return [];
  const expiry = args.values('expire').at(-1)?.value;
  return expiry === undefined || isAtOnce(expiry) ? [rewrite(call, 'prune', 'unreachable commits')] : [];
};

/** `2.weeks.ago` leaves time to recover; seconds to hours do not. */
function isAtOnce(expiry: string): boolean {
  const [count = '', unit = ''] = expiry.toLowerCase().split(/[.\s]+/);
  return count === 'now' || count === 'all' || count === '0' || /^(?:second|minute|hour)/.test(unit);
}

const UPDATE_REF = grammar('m=, d, deref, z, stdin, create-reflog, batch-updates');

const updateRef: ReadGit = (call) => {
  const args = readArguments(call.words, UPDATE_REF);
  if (args.help) return [];
  const { input } = call.command;
  if (args.on('stdin')) {
    const deletes = input?.kind === 'text' && /^delete\b/m.test(input.text);
    return deletes ? [rewrite(call, 'update-ref', 'refs that are named on its input', '', 'untold')] : [];
  }
  const [ref, to] = args.operands;
  if (!ref || !(args.on('d') || (to && isSharedBranch(ref.value)))) return [];
  const words = args.on('d') ? {} : named(to);
  return [rewrite(call, 'update-ref', ref.text, ref.value.replace('refs/heads/', ''), words)];
};

const SYMBOLIC_REF = grammar('d delete, q quiet, short, recurse, m=');

/** Without what HEAD leads to there is no repository any more. */
const symbolicRef: ReadGit = (call) => {
  const args = readArguments(call.words, SYMBOLIC_REF);
  const [ref] = args.operands;
  return ref && args.on('delete') && !args.help ? [rewrite(call, 'symbolic-ref', ref.text, ref.value, 'untold')] : [];
};

const REPLACE = grammar('d delete, e edit, g graft, convert-graft-file, f force, raw, l list, format=');

const replace: ReadGit = (call) => {
  const args = readArguments(call.words, REPLACE);
  if (args.help || args.on('list', 'delete')) return [];
  if (args.operands.length < 2 && !args.on('edit', 'graft', 'convert-graft-file')) return [];
  return [rewrite(call, 'replace', args.operands[0]?.text ?? 'grafted commits')];
};

export const GIT_HISTORY: Readonly<Record<string, ReadGit>> = {
  commit,
  rebase,
  'filter-repo': filterRepo,
  'filter-branch': filterBranch,
  reflog,
  gc,
  prune,
  'update-ref': updateRef,
  'symbolic-ref': symbolicRef,
  replace,
};
