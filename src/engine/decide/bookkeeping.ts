import { carriesWaiting, forgetSpent, waitingId } from '../advice/attention.ts';
import { concernsCareful } from '../careful/careful.ts';
import { expectId, judgeExpectations, judgesExpectations } from '../advice/expect.ts';
import type { Place, Policy } from '../engine.ts';
import { agentKey } from '../session/scope.ts';
import { stamp } from '../../text/stamp.ts';
import { pausedId, readPause } from '../session/pause.ts';
import type { Paused } from '../session/pause.ts';
import { openTurn, opensTurn } from '../session/turn.ts';
import { concernsWeakened } from './weakened.ts';
import { cellId, STATE_NOTICE, parseValue } from '../../state/cells.ts';
import type { Draft } from '../../state/draft.ts';
import type { Store } from '../../state/store.ts';
import type { Event } from '../../event/event.ts';
import { NEUTRAL } from '../../event/verdict.ts';
import type { Decision, Verdict } from '../../event/verdict.ts';

export function projectId(session: string): string {
  return cellId('session', session, 'project');
}

/** The root the session was started in; it stays, wherever the agent goes. */
export function projectOf(store: Store, event: Event): string | undefined {
  const value = store.get(projectId(event.session), event.receivedAt);
  const project = parseValue(value);
  return typeof project === 'string' ? project : undefined;
}

/** Whether the engine itself has something to keep or to deliver on this event, even when no rule wants it. */
export function concerns(event: Event, place: Pick<Place, 'root' | 'policy'>, store: Store): boolean {
  if (event.name === 'session.start' || opensTurn(event)) return true;
  const { session, receivedAt } = event;
  const agent = agentKey(event);
  if (carriesWaiting(event.name) && store.get(waitingId(session, agent), receivedAt) !== undefined) return true;
  if (judgesExpectations(event) && store.get(expectId(session, agent), receivedAt) !== undefined) return true;
  return concernsCareful(event, store) || concernsWeakened(event, place, store);
}

/** Keeps the session's own cells: its project, its turn, its pause, the advice whose effect is awaited. */
export function keepSession(event: Event, project: string, draft: Draft): Paused | undefined {
  if (event.name === 'session.start') {
    if (draft.read(projectId(event.session)) === undefined)
      draft.set(projectId(event.session), JSON.stringify(project), 0);
  }
  forgetSpent(event, draft);
  if (judgesExpectations(event)) judgeExpectations(event, project, draft);
  const before = readPause(draft.read(pausedId(event.session)));
  if (!opensTurn(event)) return before;
  openTurn(draft, event);
  if (!before) return undefined;
  const paused = { ...before, turns: before.turns + 1 };
  draft.set(pausedId(event.session), JSON.stringify(paused), 0);
  return paused;
}

/** What the person hears once per session. */
export function noticesFor(event: Event, notices: readonly string[], draft: Draft): Verdict[] {
  if (event.name !== 'session.start' && !opensTurn(event)) return [];
  const ofState = parseValue(draft.read(STATE_NOTICE));
  return [...notices, ...(typeof ofState === 'string' ? [ofState] : [])].flatMap((text): Verdict[] => {
    const id = cellId('session', event.session, 'noticed', stamp([text]));
    if (draft.read(id) !== undefined) return [];
    draft.mark(id, '1', 0);
    return [{ kind: 'warn', rule: 'fairlead', priority: 100, variant: 'notice', text }];
  });
}

/** A payload too big to read passes, unless a guard listens: what a guard cannot see, a person decides. */
export function verdictUnread(event: Event, policy: Policy, canAsk: boolean): Verdict[] {
  if (!canAsk || !policy.index.isGuarded(event.name)) return [];
  const text =
    'This call is too big for Fairlead to read, and a rule that guards such calls is active. A person decides whether it may run; the same work in smaller calls is checked as usual.';
  return [{ kind: 'ask', rule: 'fairlead', priority: 100, variant: 'unread', text }];
}

/**
 * Names an event that settings of several scopes, or a fallback process, may deliver twice; undefined when the event
 * carries nothing that would tell a copy from a repetition.
 */
export function deliveryOf(event: Event): string | undefined {
  const own = event.name.startsWith('tool.')
    ? event.tool?.id
    : event.name.startsWith('prompt.')
      ? promptKey(event)
      : undefined;
  if (own === undefined) return undefined;
  return `${event.session} ${event.name} ${agentKey(event)} ${own}`;
}

/** Notifications come under the id of the prompt they follow, so the text belongs to the name. */
function promptKey({ promptId, prompt }: Event): string | undefined {
  return promptId === undefined ? undefined : `${promptId} ${stamp([prompt?.text ?? ''])}`;
}

/** A copy is decided like its original, so that a denied call stays denied, but says nothing twice. */
export function answerOf(decision: Decision): string {
  return decision.action === 'pass' ? NEUTRAL_ANSWER : JSON.stringify({ ...decision, notes: [], warns: [] });
}

const NEUTRAL_ANSWER = JSON.stringify(NEUTRAL);

/** What the event was answered before; a damaged answer counts as none. */
export function answeredBefore(store: Store, delivery: string): Decision | undefined {
  return parseValue(store.answered(delivery)) as Decision | undefined;
}
