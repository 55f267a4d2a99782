import { isSecretPath } from '../../effects/paths/secret-names.ts';
import { defineRule } from '../../engine/rule.ts';
import type { Effect } from '../../engine/rule.ts';
import { HELD, remember } from './denied.ts';
import { seenOf } from './wording.ts';

export default defineRule({
  id: 'guard/secrets',
  pack: 'guard',
  summary: 'Files that hold secrets are read, and stores of credentials changed, only when a person agrees.',
  on: [{ event: 'tool.before', effect: ['read-secret', 'write'] }],
  mode: 'ask',
  careful: 'enforce',
  guard: true,
  priority: 75,
  state: HELD,
  messages: {
    read: 'This reads {target}, which holds secrets.\n{instead}',
    committed:
      'This puts {target}, which holds secrets, into the history of the repository, where it stays.\nLeave it ignored and commit an example with empty values.',
    stored:
      'This writes to {target}, a store of credentials outside the workspace.\nThe person can store it there without the value passing through the conversation.',
  },
  examples: {
    deny: [
      'cat .env',
      'base64 ~/.ssh/id_ed25519',
      { tool: 'read', path: '/home/me/.aws/credentials' },
      'echo https://me:token@example.com > ~/.git-credentials',
    ],
    pass: [
      'cat .env.example',
      'ls -la .env',
      'echo PORT=3000 >> .env',
      'cat ~/.ssh/id_ed25519.pub',
      { tool: 'read', path: 'src/env.ts' },
    ],
  },
  check(event, context) {
    const held = context.effects.filter((effect) => isRead(effect, context.careful) || isStore(effect));
    const [first] = held;
    if (!first) return context.pass('no secret is read, none stored');
    // What is kept of the call must not hold a secret either.
    remember(
      'guard/secrets',
      event,
      context,
      held.map((effect) => ({ ...effect, seen: effect.target })),
    );
    const { target, instead } = seenOf(first, held);
    if (first.how === 'committed') return context.deny('committed', { target });
    return first.kind === 'read-secret'
      ? context.deny('read', { target, instead })
      : context.deny('stored', { target });
  },
});

/** Listing the environment is everyday work, and what a script reads for itself nobody sees; in careful mode both count. */
function isRead({ kind, of, at }: Effect, careful: boolean): boolean {
  return kind === 'read-secret' && (careful || (of !== 'environment' && !at));
}

function isStore({ kind, scope, path }: Effect): boolean {
  if (kind !== 'write' && kind !== 'overwrite' && kind !== 'truncate') return false;
  return (scope === 'user' || scope === 'system' || scope === 'outside') && path !== undefined && isSecretPath(path);
}
