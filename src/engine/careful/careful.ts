import { carriesWaiting } from '../advice/attention.ts';
import { BOOK, carefulIn, EVERYWHERE, lasts, NOTHING_ON, parseBook, readCareful, writeCareful } from './book.ts';
import type { Careful } from './book.ts';
import { voidsGrant } from './grant.ts';
import type { Draft } from '../../state/draft.ts';
import type { Store } from '../../state/store.ts';
import type { Event } from '../../event/event.ts';
import type { Verdict } from '../../event/verdict.ts';
import { packsHolding } from '../../event/known-packs.ts';

/** What the engine says about careful mode comes under this rule's id. */
export const CAREFUL_RULE = `${packsHolding('careful')[0]}/careful`;

/** Whether it is on in one of these workspaces: an agent that steps out of its project does not leave it. */
export function isCareful(draft: Draft, ...roots: readonly string[]): boolean {
  const { book } = readCareful(draft);
  return book !== NOTHING_ON && roots.some((root) => carefulIn(book, root, draft.now) !== undefined);
}

/** Whether this event has to look, even when no rule wants it: somebody has to be told, or a grant ends. */
export function concernsCareful(event: Event, store: Store): boolean {
  const value = store.get(BOOK, event.receivedAt);
  if (value === undefined) return false;
  const book = parseBook(value);
  if (!book) return true;
  if (book.grant && voidsGrant(book.grant, event)) return true;
  if (!carriesWaiting(event.name)) return false;
  return (
    book.changed?.unsaid === true ||
    Object.values(book.on).some((careful) => careful.unsaid === true || !lasts(careful, event.receivedAt))
  );
}

/** Ends what an event ends, mends what was changed, and says to the person what there is to say. */
export function keepCareful(event: Event, root: string, draft: Draft): Verdict[] {
  const { book, intact } = readCareful(draft);
  if (book === NOTHING_ON) return [];
  let { grant, changed } = book;
  if (grant && voidsGrant(grant, event)) grant = undefined;
  if (!intact && Object.values(book.on).some((careful) => lasts(careful, draft.now)))
    changed = { at: draft.now, unsaid: true };
  const lines: Verdict[] = [];
  const on = { ...book.on };
  if (carriesWaiting(event.name)) {
    if (changed?.unsaid === true) {
      lines.push(line('changed', CHANGED));
      changed = { at: changed.at };
    }
    for (const where of [root, EVERYWHERE]) {
      const careful = on[where];
      if (!careful) continue;
      const { unsaid, ...said } = careful;
      if (!lasts(careful, draft.now)) {
        delete on[where];
        lines.push(line('ended', ended(where)));
      } else if (unsaid === true) {
        on[where] = said;
        lines.push(line('agent', byAgent(where, careful, draft.now)));
      }
    }
  }
  if (!intact || lines.length > 0 || grant !== book.grant)
    writeCareful(draft, { on, ...(changed ? { changed } : {}), ...(grant ? { grant } : {}) });
  return lines;
}

const CHANGED =
  'The record of careful mode was changed by something other than Fairlead. Careful mode stays on; `fairlead careful status` shows where, `fairlead careful off` in a terminal ends it.';

function ended(where: string): string {
  return `Careful mode has ended${placeName(where)}; its time was up. \`fairlead careful on\` starts it again.`;
}

function byAgent(where: string, { until, reason }: Careful, now: number): string {
  const time = until === undefined ? 'until it is switched off' : `for ${spanOf(until - now)}`;
  const why = reason === undefined ? '' : ` Its reason: ${reason}`;
  return `The agent switched careful mode on${placeName(where)}, ${time}. \`fairlead careful off\` in a terminal ends it.${why}`;
}

function placeName(where: string): string {
  return where === EVERYWHERE ? ' in every workspace' : ` in ${where}`;
}

function spanOf(ms: number): string {
  const minutes = Math.ceil(ms / 60_000);
  return minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 60)} h`;
}

function line(variant: string, text: string): Verdict {
  return { kind: 'warn', rule: CAREFUL_RULE, priority: 100, variant, text };
}
