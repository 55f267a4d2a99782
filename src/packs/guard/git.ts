import { asPath, defineRule, own } from '../../engine/rule.ts';
import type { Effect, Look } from '../../engine/rule.ts';
import { currentBranch, hasRemote } from './current-branch.ts';
import { HELD, holdLoss, mended } from './denied.ts';
import type { Holding } from './denied.ts';
import { adviceForPush, INSTEAD_OF_LEAVING } from './instead.ts';
import { isSeen, lostWords, unseenWords } from './look.ts';

export default defineRule({
  id: 'guard/git',
  pack: 'guard',
  summary: 'Uncommitted work, published history and branches are thrown away only when a person agrees.',
  on: [{ event: 'tool.before', effect: ['force-push', 'rewrite-history', 'discard', 'delete-branch'] }],
  mode: 'save',
  saves: true,
  careful: 'enforce',
  guard: true,
  onError: 'block',
  budgetMs: 250,
  priority: 70,
  state: HELD,
  options: {
    /** Ways to rewrite history that pass outside careful mode. */
    free: ['rebase'] as readonly string[],
  },
  messages: {
    'force-push': '`{seen}` replaces {lost} that {remote} had when it was last fetched.\n{instead}',
    'force-push-unseen':
      '`{seen}` replaces whatever the remote has by now ({target}), the work of others included; that was not looked at.\n{instead}',
    amend:
      'The last commit is already on {remote}, so `{seen}` rewrites shared history.\nMake a new commit instead: `git commit -m "Correct the typo"`.',
    'rewrite-history': '`{seen}` rewrites {lost} that {remote} has, so it rewrites shared history.\n{instead}',
    'rewrite-history-unseen':
      '`{seen}` rewrites or drops commits ({target}). Fairlead could not look which ones: {why}.\n{instead}',
    discard: '`{seen}` throws away {lost}.\n{instead}',
    'discard-unseen':
      '`{seen}` throws away what no commit has, if there is anything. Fairlead could not look: {why}.\n{instead}',
    'delete-branch': '`{seen}` loses {lost}.\n{instead}',
    'delete-branch-unseen':
      '`{seen}` deletes or moves {target}, merged or not. Fairlead could not look: {why}.\n{instead}',
  },
  examples: {
    deny: [
      'git push --force',
      'git reset --hard HEAD~1',
      'git checkout -- .',
      'git clean -fd',
      'git stash clear',
      'git branch -D topic',
      'git commit --amend --no-edit',
    ],
    pass: [
      'git push --force-with-lease',
      'git rebase main',
      'git reset HEAD~1',
      'git checkout -b topic',
      'git branch -d topic',
      'git clean -n',
      'git clean -fdX dist node_modules',
      'git commit -m "git reset --hard is not for me"',
    ],
  },
  check(event, context) {
    const free = context.careful ? [] : context.options.free;
    const effects = context.effects.filter(
      (effect) => isDestructive(effect, free) && (effect.kind !== 'force-push' || hasRemote(effect, context) !== 'no'),
    );
    if (effects.length === 0) return context.pass('nothing is lost by it');
    return holdLoss('guard/git', event, context, effects).then((held) =>
      held ? mended(stop(held), held.effects, context) : context.pass('a look found nothing that would be lost'),
    );

    function stop(held: Holding) {
      const { first, look } = held;
      const advice =
        first.kind === 'force-push' ? adviceForPush(first, () => currentBranch(first, context)) : undefined;
      const seen = advice === undefined ? held.seen : { ...held.seen, instead: own(advice) };
      if (!isSeen(look)) {
        const unseen = { ...seen, why: unseenWords(look) };
        switch (first.kind) {
          case 'force-push':
            return context.deny('force-push-unseen', seen);
          case 'rewrite-history':
            return context.deny('rewrite-history-unseen', unseen);
          case 'discard':
            return context.deny('discard-unseen', unseen);
          default:
            return context.deny('delete-branch-unseen', unseen);
        }
      }
      const remote = asPath(sharedBy(look));
      switch (first.kind) {
        case 'force-push':
          return context.deny('force-push', { ...seen, remote, lost: lostWords(look) });
        case 'rewrite-history':
          if (first.how === 'amend') return context.deny('amend', { ...seen, remote });
          return first.how === 'rebase'
            ? context.deny('rewrite-history', { ...seen, remote, lost: lostWords(look) })
            : context.deny('delete-branch', { ...seen, lost: lostWords(look) });
        case 'discard': {
          const instead = look.lost.every(({ what }) => what === 'commits') ? own(INSTEAD_OF_LEAVING) : seen.instead;
          return context.deny('discard', { ...seen, instead, lost: lostWords(look) });
        }
        default:
          return context.deny('delete-branch', { ...seen, lost: lostWords(look) });
      }
    }
  },
});

/** The remote branch that has what is replaced. */
function sharedBy({ lost }: Extract<Look, { lost: unknown }>): string {
  return lost.find(({ what }) => what === 'shared')?.names[0] ?? 'a remote branch';
}

function isDestructive({ kind, how, scope }: Effect, free: readonly string[]): boolean {
  if (scope === 'temp' || (kind === 'discard' && scope === 'made')) return false;
  if (kind === 'rewrite-history') return !free.includes(how ?? '');
  return kind === 'force-push' || kind === 'discard' || kind === 'delete-branch';
}
