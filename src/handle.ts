import { EMPTY_REPLY } from './adapters/adapter.ts';
import type { Adapter, Reply } from './adapters/adapter.ts';
import { NO_EFFECTS } from './engine/match/effect-filter.ts';
import type { Engine } from './engine/engine.ts';
import { awake } from './engine/limits/guards.ts';
import { isCanary } from './engine/session/canary.ts';
import { isPromise } from './engine/decide/run.ts';
import { concerns, inSessionDir, projectOf, whyUnread, withoutInput } from './engine/decide/bookkeeping.ts';
import { readEffects } from './engine/decide/read-effects.ts';
import { settle, settleNeutral } from './engine/decide/settle.ts';
import { inTime } from './engine/decide/unable.ts';
import type { Underway } from './engine/decide/unable.ts';
import { takeBack } from './engine/decide/unheard.ts';
import type { HookCall } from './event/event.ts';
import { recordEvent, startWatch } from './ledger/record.ts';

const NONE: readonly string[] = [];

/** Answers one event, in time and whatever goes wrong on the way: at once, where nothing had to be waited for. */
export function handle(call: HookCall, adapter: Adapter, engine: Engine): Reply | Promise<Reply> {
  const underway: Underway = { call, adapter, engine };
  const deciding = decideOn(underway);
  return underway.reply ?? inTime(deciding, underway);
}

/**
 * The story of one event: what the agent sent is read, placed in its workspace, held against the rules that listen,
 * decided, stored and answered.
 */
async function decideOn(underway: Underway): Promise<Reply> {
  const { call, adapter, engine } = underway;
  const watch = startWatch(engine.clock.micros);

  const parsed = adapter.parse(call);
  const unread = call.unread ?? whyUnread(parsed);
  const told = unread === undefined ? parsed : withoutInput(parsed);
  underway.event = told;
  watch.lap('parse');
  const turn = engine.turn?.(told);
  if (turn) {
    await turn;
    watch.rested();
  }
  if (engine.isOff(told.receivedAt)) return EMPTY_REPLY;
  engine.store.refresh(told.receivedAt);
  const event = adapter.tellsDirAtStart && unread === undefined ? inSessionDir(told, underway) : told;
  underway.event = event;

  const locating = engine.locate(event, projectOf(engine.store, event), call.variables);
  const place = isPromise(locating) ? await locating : locating;
  underway.place = place;
  watch.lap('workspace');

  const reading = unread === undefined ? readEffects(event, place, engine) : NO_EFFECTS;
  const effects = isPromise(reading) ? await reading : reading;
  if (effects !== NO_EFFECTS) watch.lap('effects');

  const heard = unread === undefined ? place.policy.index.select(event, place.rootOf, effects) : []; // tiers 0 and 1
  const silenced = call.silenced ?? NONE;
  const selected = awake(heard, event, engine.store, silenced, place);
  watch.lap('select');

  const settling = { event, selected, unread, effects, place, adapter, engine, watch };
  const unwanted = selected.length === 0 && unread === undefined && !concerns(event, place, engine.store);
  const settled = unwanted ? settleNeutral(settling) : await settle(settling); // tiers 2 and 3, merge, commit, render

  const { reply, row, trace, followUps, said } = settled;
  try {
    // Whoever tries out the way of events leaves no other trace than its own row.
    const isTrial = isCanary(event, engine.store);
    const { traceparent } = call;
    const about = { event, watch, unread: unread !== undefined, isTrial, traceparent, team: place.policy.team };
    recordEvent(engine.ledger, settled, about); // written after the reply
    if (!isTrial) engine.after?.({ event, place, row, trace, followUps, silenced, micros: watch.total() }); // jobs, telemetry, relay
  } catch (error) {
    engine.onFailure('following an event', error);
  }
  underway.reply = said.length === 0 ? reply : { ...reply, unheard: () => takeBack(said, engine) };
  return underway.reply;
}
