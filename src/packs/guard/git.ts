import { defineRule } from '../../engine/rule.ts';
import type { Effect } from '../../engine/rule.ts';
import { HELD, holdEffect } from './denied.ts';

export default defineRule({
  id: 'guard/git',
  pack: 'guard',
  summary: 'Uncommitted work, published history and branches are thrown away only when a person agrees.',
  on: [{ event: 'tool.before', effect: ['force-push', 'rewrite-history', 'discard', 'delete-branch'] }],
  mode: 'ask',
  careful: 'enforce',
  guard: true,
  priority: 70,
  state: HELD,
  options: {
    /** Ways to rewrite history that pass outside careful mode. */
    free: ['rebase'] as readonly string[],
  },
  messages: {
    'force-push':
      '`{seen}` replaces what the remote has ({target}), with the work of others if there is any. {instead} A person can allow it once (`fairlead allow-once`) or set `fairlead rules mode guard/git advise`.',
    'rewrite-history':
      '`{seen}` replaces commits that may be shared ({target}). {instead} A person can allow it once (`fairlead allow-once`) or set `fairlead rules mode guard/git advise`.',
    discard:
      '`{seen}` throws away work that no commit has ({target}). {instead} A person can allow it once (`fairlead allow-once`) or set `fairlead rules mode guard/git advise`.',
    'delete-branch':
      '`{seen}` deletes {target}, merged or not. {instead} A person can allow it once (`fairlead allow-once`) or set `fairlead rules mode guard/git advise`.',
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
    const held = holdEffect('guard/git', event, context, (effect) => isDestructive(effect, free));
    if (!held) return context.pass('nothing is lost by it');
    const { first, seen } = held;
    switch (first.kind) {
      case 'force-push':
        return context.deny('force-push', seen);
      case 'rewrite-history':
        return context.deny('rewrite-history', seen);
      case 'discard':
        return context.deny('discard', seen);
      default:
        return context.deny('delete-branch', seen);
    }
  },
});

function isDestructive({ kind, how, scope }: Effect, free: readonly string[]): boolean {
  if (scope === 'temp' || (kind === 'discard' && scope === 'made')) return false;
  if (kind === 'rewrite-history') return !free.includes(how ?? '');
  return kind === 'force-push' || kind === 'discard' || kind === 'delete-branch';
}
