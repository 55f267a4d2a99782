import type { Engine, Place } from '../engine.ts';
import { startDeadline } from './deadlines.ts';
import { startTimer } from './run.ts';
import { EMPTY_REPLY } from '../../adapters/adapter.ts';
import type { Adapter, Reply } from '../../adapters/adapter.ts';
import { rowOf, startWatch } from '../../ledger/record.ts';
import { cellId } from '../../state/cells.ts';
import { Draft } from '../../state/draft.ts';
import { messageOf } from '../../text/message-of.ts';
import { flat } from '../../text/quoted.ts';
import type { Event, HookCall } from '../../event/event.ts';
import { NEUTRAL } from '../../event/verdict.ts';
import type { Decision } from '../../event/verdict.ts';

/** So many denials for one cause a session gets; then a person is asked, so that a failure locks nobody out. */
export const MOST_DENIALS = 3;

/** How a call is stopped that a rule, or the engine itself, could not look at. */
export function stopUnable(
  cause: string,
  { session, hasSession }: Pick<Event, 'session' | 'hasSession'>,
  draft: Draft,
): 'deny' | 'ask' {
  // Whoever names no session would be asked for the denials of all others.
  if (!hasSession) return 'deny';
  const id = cellId('session', session, 'unable', cause);
  const denials = Number(draft.read(id) ?? 0);
  if (denials >= MOST_DENIALS) return 'ask';
  draft.set(id, String(denials + 1), 0);
  return 'deny';
}

/** An event on its way: what is known of it so far. */
export interface Underway {
  readonly call: HookCall;
  readonly adapter: Adapter;
  readonly engine: Engine;
  event?: Event;
  place?: Place;
  /** Once it is decided. */
  reply?: Reply;
}

/**
 * The outermost catch and watchdog: whatever throws, hangs or is late on an event that a rule guards which must not be
 * skipped ends in a reply that stops the call; on all others the session goes on.
 */
export function inTime(deciding: Promise<Reply>, underway: Underway): Promise<Reply> {
  const { call, engine } = underway;
  return new Promise((resolve) => {
    let isOver = false;
    const end = (reply: Reply): void => {
      stop?.();
      if (isOver) reply.unheard?.();
      isOver = true;
      resolve(reply);
    };
    const fail = (what: string, error: unknown): void => {
      if (isOver) return;
      report(engine, what, error);
      end(attemptReply(underway, messageOf(error)));
    };
    const ms = call.withinMs;
    const late = () => fail('answering an event', `no answer within ${ms} ms`);
    const stop = ms === undefined ? undefined : startWatchdog(ms, late, engine);
    deciding.then(end, (error: unknown) => fail('handling an event', error));
  });
}

/** Also where not even the clock can be read. */
function startWatchdog(ms: number, late: () => void, { clock }: Engine): () => void {
  try {
    return startDeadline(ms, late, () => clock.micros() / 1_000);
  } catch {
    return startTimer(ms, late);
  }
}

function report(engine: Engine, what: string, error: unknown): void {
  try {
    engine.onFailure(what, error);
  } catch {
    // What cannot be written down must not cost the reply.
  }
}

/** Nothing is left to say where the adapter itself fails; a promise that never ends would be worse. */
function attemptReply(underway: Underway, why: string): Reply {
  try {
    return replyUnable(underway, why);
  } catch (error) {
    report(underway.engine, 'stopping an event', error);
    return EMPTY_REPLY;
  }
}

/** The reply to an event that nobody could decide. */
function replyUnable(underway: Underway, why: string): Reply {
  const { adapter, engine, place } = underway;
  const event = bare(underway);
  if (!isGuarded(event, underway)) return EMPTY_REPLY;
  const decision: Decision = { ...NEUTRAL, action: countStop(event, engine), by: ['fairlead'], reason: textFor(why) };
  const reply = adapter.render(decision, event);
  try {
    const row = rowOf({
      id: engine.ledger.nextId(event.receivedAt),
      event,
      root: place?.root ?? '',
      digest: place?.policy.index.digest ?? '',
      tier: 0,
      decision,
      replyBytes: reply.stdout.length,
      micros: 0,
      changed: false,
      copy: false,
      delivery: undefined,
      answer: undefined,
    });
    const trace = [
      { rule: 'fairlead', tier: 0 as const, reason: why, mode: 'enforce' as const, failed: true as const },
    ];
    const times = startWatch(() => 0).times();
    const team = place?.policy.team;
    const about = { event, trace, decision, times, attempts: 0, unread: false };
    engine.ledger.record(row, () => ({ ...about, ...(team && { team }) }), false);
  } catch (error) {
    report(engine, 'recording an event', error);
  }
  return reply;
}

/** Without the call itself, which may be what nobody can read. An event that nobody named may be a tool call. */
function bare({ event, call, adapter }: Underway): Event {
  const { depth, receivedAt } = call;
  if (event) {
    const { name, agent, agentEvent, session, hasSession, cwd } = event;
    return { name, agent, agentEvent, session, hasSession, cwd, depth, receivedAt };
  }
  const named = adapter.events.find(({ name }) => name === call.eventHint);
  const { name: agentEvent = '', canonical: name = 'tool.before' as const } = named ?? {};
  const { sessionId: session = '', cwd } = call;
  return { name, agent: adapter.name, agentEvent, session, hasSession: session !== '', cwd, depth, receivedAt };
}

/** Where it is not even known which rules are in force, a tool call counts as guarded. */
function isGuarded({ name }: Event, { adapter, place }: Underway): boolean {
  if (adapter.capabilities(name).deny !== 'enforced') return false;
  return place ? place.policy.index.failsClosed(name) : name === 'tool.before';
}

function countStop(event: Event, engine: Engine): 'deny' | 'ask' {
  try {
    const draft = new Draft(engine.store, event.receivedAt);
    const action = stopUnable('fairlead', event, draft);
    engine.store.commit({ reads: new Map(), changes: draft.changes, now: event.receivedAt });
    return action;
  } catch {
    return 'deny';
  }
}

/** An error may repeat what a repository holds, so its text is kept short and on one line. */
export function shortCause(why: string): string {
  return flat(why).slice(0, LONGEST_CAUSE);
}

const LONGEST_CAUSE = 120;

function textFor(why: string): string {
  return (
    `[fairlead] This call could not be checked (${shortCause(why)}), and a rule that must not be skipped is active, so it was stopped.\n` +
    'A smaller or plainer call may pass.\n' +
    'A person finds the cause with `fairlead doctor`; `fairlead off --for 10m` switches all rules off for a while.'
  );
}
