import type { Adapter } from '../../adapters/adapter.ts';
import type { Event, EventName } from '../../event/event.ts';
import type { Verdict } from '../../event/verdict.ts';
import { cellId, parseValue } from '../../state/cells.ts';
import type { Store } from '../../state/store.ts';

/** Sessions that only try out whether events and texts arrive have ids of this form, which no agent gives. */
const PREFIX = 'ca9a41e5-0000-4000-8000-';

/** What the engine says in such a session on each event that can carry it. */
export interface Canary {
  readonly text: string;
  /** The event that gets the text filled up to this many characters. */
  readonly long: { readonly event: string; readonly characters: number };
}

export const canarySession = (twelveHexDigits: string): string => PREFIX + twelveHexDigits;

const canaryId = (session: string): string => cellId('session', session, 'canary');

/** Only who may write the state can say that a session is one: an agent that starts another with such an id gains nothing. */
export function releaseCanary(store: Store, session: string, canary: Canary, now: number, lastsMs: number): void {
  const value = JSON.stringify(canary);
  store.commit({
    reads: new Map(),
    changes: [{ op: 'set', id: canaryId(session), value, expires: now + lastsMs }],
    now,
  });
}

export function forgetCanary(store: Store, session: string): void {
  store.remove(canaryId(session));
}

export function isCanary({ session, receivedAt }: Event, store: Pick<Store, 'get'>): boolean {
  return session.startsWith(PREFIX) && store.get(canaryId(session), receivedAt) !== undefined;
}

export const canaryEnd = (event: string): string => `End of ${event}.`;

/** Whom it can tell on an event, if anybody. A note on a stop would keep the agent going, so the person is told there. */
export function canaryKind(
  event: EventName,
  { capabilities }: Pick<Adapter, 'capabilities'>,
): 'note' | 'warn' | undefined {
  const { note, warn } = capabilities(event);
  const goesOn = event === 'turn.stop' || event === 'subagent.stop';
  if (note === 'advised' && !goesOn) return 'note';
  return warn === 'person' ? 'warn' : undefined;
}

/** Rules decide as always; this stands beside what they say. */
export function canaryVerdicts(
  event: Event,
  store: Pick<Store, 'get'>,
  adapter: Pick<Adapter, 'capabilities'>,
): Verdict[] {
  if (!isCanary(event, store)) return [];
  const { text, long } = parseValue(store.get(canaryId(event.session), event.receivedAt)) as Canary;
  const kind = canaryKind(event.name, adapter);
  if (kind === undefined) return [];
  const [start, end] = [`${text} ${event.name}.`, canaryEnd(event.name)];
  const line = `${'canary '.repeat(12)}\n`;
  const room = event.name === long.event ? Math.max(0, long.characters - start.length - end.length - 2) : 0;
  const filled = line.repeat(Math.ceil(room / line.length)).slice(0, room);
  return [{ kind, rule: 'fairlead', priority: 1_000, variant: 'canary', text: `${start}\n${filled}\n${end}` }];
}
