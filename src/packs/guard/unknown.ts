import { defineRule, own } from '../../engine/rule.ts';
import type { Effect } from '../../engine/rule.ts';
import { HELD, holdEffect } from './denied.ts';
import { shortenCommand } from '../../text/shorten.ts';

/** Padding that keeps a command, or the rest of it, from being read at all. */
const PADDED: ReadonlySet<string | undefined> = new Set([
  'too-long',
  'too-many-heredocs',
  'too-many-commands',
  'too-deep',
  'too-many-effects',
]);

const WHY: Readonly<Record<string, string>> = {
  'too-long': 'it is longer than 32 KiB, or becomes too long when it is written out',
  'too-many-heredocs': 'it holds more than a hundred heredocs',
  'too-many-effects': 'it changes more than a thousand things',
  'too-deep': 'its parts are nested too deeply',
  'too-many-commands': 'it holds too many commands',
  syntax: 'its syntax is broken or unknown',
  computed: 'what it runs is computed while it runs',
};

export default defineRule({
  id: 'guard/unknown',
  pack: 'guard',
  summary:
    'A command too long or too deep to be read is asked about; in careful mode every part that cannot be understood is.',
  on: [{ event: 'tool.before', effect: ['unknown'] }],
  mode: 'ask',
  guard: true,
  priority: 65,
  state: HELD,
  messages: {
    unread: 'What `{seen}` does cannot be told: {why}.\n{instead}',
  },
  examples: {
    deny: [`cat ${'<<A '.repeat(101)}`],
    pass: ['"$TOOL" --version', 'echo hello'],
  },
  check(event, context) {
    const isHeld = ({ kind, how }: Effect) => kind === 'unknown' && (context.careful || PADDED.has(how));
    const held = holdEffect('guard/unknown', event, context, isHeld);
    if (!held) return context.pass('asked about in careful mode only');
    const { seen, instead } = held.seen;
    const why = own(WHY[held.first.how ?? ''] ?? 'it is unclear');
    return context.deny('unread', { seen: shortenCommand(seen, 60), instead, why });
  },
});
