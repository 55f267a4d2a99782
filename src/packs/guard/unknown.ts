import { defineRule, own } from '../../engine/rule.ts';
import type { Effect } from '../../engine/rule.ts';
import { HELD, holdEffect } from './denied.ts';
import { PROTECTED_BRANCHES, isCatastrophe } from './is-catastrophe.ts';
import { shortSeen } from './wording.ts';

/** Padding that keeps a command, or the rest of it, from being read at all. */
const PADDED: ReadonlySet<string | undefined> = new Set([
  'too-long',
  'too-many-heredocs',
  'too-many-commands',
  'too-deep',
  'too-many-effects',
  'no-text',
]);

const WHY: Readonly<Record<string, string>> = {
  'too-long': 'it is longer than 32 KiB, or becomes too long when it is written out',
  'too-many-heredocs': 'it holds more than a hundred heredocs',
  'too-many-effects': 'it changes more than a thousand things',
  'too-deep': 'its parts are nested too deeply',
  'too-many-commands': 'it holds too many commands',
  'no-text': 'its command is no text',
  syntax: 'its syntax is broken or unknown',
  computed: 'what it runs is computed while it runs',
};

/** The catastrophe among what the command perhaps does. */
function worstOf({ perhaps }: Effect): Effect | undefined {
  return perhaps?.find((effect) => isCatastrophe(effect, { protectedBranches: PROTECTED_BRANCHES, leave: [] }));
}

export default defineRule({
  id: 'guard/unknown',
  pack: 'guard',
  summary:
    'A command that is too long or too deep to read is asked about, and a catastrophe in the words of an unknown program; careful mode asks about more.',
  on: [{ event: 'tool.before', effect: ['unknown'] }],
  mode: 'ask',
  guard: true,
  priority: 65,
  state: HELD,
  messages: {
    unread: 'What `{seen}` does cannot be told: {why}.\n{instead}',
    perhaps: '`{program}` is not known, and perhaps it runs `{inner}`.\n{instead}',
  },
  examples: {
    deny: [`cat ${'<<A '.repeat(101)}`, 'with-locks rm -rf /'],
    pass: ['"$TOOL" --version', 'echo hello', 'with-locks rm -rf build'],
  },
  check(event, context) {
    const isHeld = (effect: Effect) =>
      effect.kind === 'unknown' &&
      (effect.how === 'perhaps' ? worstOf(effect) !== undefined : context.careful || PADDED.has(effect.how));
    const held = holdEffect('guard/unknown', event, context, isHeld);
    if (!held) return context.pass('asked about in careful mode only');
    const { seen, instead } = held.seen;
    const worst = worstOf(held.first);
    if (worst) {
      const { target: program } = held.first;
      return context.deny('perhaps', { program, inner: shortSeen(worst.seen, 60), instead });
    }
    const why = own(WHY[held.first.how ?? ''] ?? 'it is unclear');
    return context.deny('unread', { seen: shortSeen(seen, 60), instead, why });
  },
});
