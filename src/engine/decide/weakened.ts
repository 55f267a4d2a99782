import { carriesWaiting } from '../advice/attention.ts';
import type { Place, Policy } from '../engine.ts';
import { strayExceptions } from '../limits/exceptions.ts';
import { cellId } from '../../state/cells.ts';
import type { Draft } from '../../state/draft.ts';
import type { Store } from '../../state/store.ts';
import type { Event } from '../../event/event.ts';
import type { Verdict } from '../../event/verdict.ts';
import { stamp } from '../../text/stamp.ts';

/** What the person was told last. */
const SAID = cellId('user', '', 'weakened-said');

type Where = Pick<Place, 'root'> & { readonly policy: Pick<Policy, 'weakened'> };

/** Whether the person has yet to hear that something protects less than what they accepted. */
export function concernsWeakened(event: Event, where: Where, store: Store): boolean {
  if (!carriesWaiting(event.name)) return false;
  const lines = linesIn(where, (id) => store.get(id, event.receivedAt));
  return lines.length > 0 && store.get(SAID, event.receivedAt) !== stamp(lines);
}

/** Says it, once for as long as it is the same. */
export function sayWeakened(event: Event, where: Where, draft: Draft): Verdict[] {
  if (!carriesWaiting(event.name)) return [];
  const lines = linesIn(where, (id) => (draft.holds(id) ? draft.read(id) : undefined));
  if (lines.length === 0 || draft.read(SAID) === stamp(lines)) return [];
  draft.markAnew(SAID, stamp(lines), 0);
  const more = lines.length > SHOWN ? `; and ${lines.length - SHOWN} more` : '';
  const text =
    `Something other than its verbs changed what it guards: ${lines.slice(0, SHOWN).join('; ')}${more}.\n` +
    '`fairlead doctor` lists it. Undo it, or run `fairlead accept` in a terminal of your own if it was you.';
  return [{ kind: 'warn', rule: 'fairlead', priority: 100, variant: 'weakened', text }];
}

const SHOWN = 3;
const NONE: readonly string[] = [];

function linesIn(
  { root, policy: { weakened = NONE } }: Where,
  read: (id: string) => string | undefined,
): readonly string[] {
  const stray = strayExceptions(root, read);
  return stray.length === 0
    ? weakened
    : [...weakened, ...stray.map(({ id }) => `exception ${id} is not from \`rules mode\` and has no effect`)];
}
