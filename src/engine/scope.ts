import { cellId, parseValue } from '../state/cells.ts';
import type { OwnerOf } from '../state/cells.ts';
import type { Draft } from '../state/draft.ts';
import type { Event } from '../event/event.ts';

/** Sub-agents share the session's memory but have a turn of their own. */
export function agentKey(event: Event): string {
  return event.subagent?.id ?? 'main';
}

/** The number of the turn; unknown where nothing tells turns apart, and then the whole session is one. */
export type Turn = number | 'unknown';

interface TurnRecord {
  readonly count: number;
  readonly promptId?: string;
}

function turnId(session: string): string {
  return cellId('session', session, 'turn');
}

export function readTurn(draft: Draft, session: string): TurnRecord {
  return (parseValue(draft.read(turnId(session))) as TurnRecord | undefined) ?? { count: 0 };
}

/** Only a person's prompt to the main agent opens a turn; the same prompt delivered twice opens one. */
export function opensTurn(event: Event): boolean {
  return event.name === 'prompt.submit' && event.prompt?.origin === 'human' && !event.subagent;
}

export function openTurn(draft: Draft, event: Event): void {
  const { count, promptId } = readTurn(draft, event.session);
  const id = event.prompt?.id;
  if (id !== undefined && id === promptId) return;
  draft.set(
    turnId(event.session),
    JSON.stringify({ count: count + 1, ...(id === undefined ? {} : { promptId: id }) }),
    0,
  );
}

/** A sub-agent has one turn for its life. */
export function turnOf(event: Event, draft: Draft): Turn {
  return event.subagent ? 1 : readTurn(draft, event.session).count;
}

export function ownersFor(event: Event, root: string, dayOf: (at: number) => string, draft: Draft): OwnerOf {
  let turn: string | undefined;
  return (scope) => {
    switch (scope) {
      case 'session':
        return event.session;
      case 'turn':
        turn ??= [event.session, agentKey(event), turnOf(event, draft)].join('\u001e');
        return turn;
      case 'day':
        return `${root}\u001e${dayOf(event.receivedAt)}`;
      case 'workspace':
        return root;
      case 'user':
        return '';
    }
  };
}
