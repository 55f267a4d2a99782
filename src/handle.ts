import { EMPTY_REPLY } from './adapters/adapter.ts';
import type { Adapter, Reply } from './adapters/adapter.ts';
import { NO_EFFECTS } from './engine/match/effect-filter.ts';
import type { Engine } from './engine/engine.ts';
import { awake } from './engine/limits/guards.ts';
import { readEffects } from './engine/decide/read-effects.ts';
import { isPromise } from './engine/decide/run.ts';
import { concerns, projectOf, verdictUnread } from './engine/decide/bookkeeping.ts';
import { settle, settleNeutral } from './engine/decide/settle.ts';
import { takeBack } from './engine/decide/unheard.ts';
import type { HookCall } from './event/event.ts';
import { recordEvent, startWatch } from './ledger/record.ts';

const NONE: readonly string[] = [];

/**
 * The story of one event: what the agent sent is read, placed in its workspace, held against the rules that listen,
 * decided, stored and answered. Whatever goes wrong on the way, the agent's session goes on.
 */
export async function handle(call: HookCall, adapter: Adapter, engine: Engine): Promise<Reply> {
  try {
    const watch = startWatch(engine.clock.micros);

    const event = adapter.parse(call);
    watch.lap('parse');
    if (engine.isOff(event.receivedAt)) return EMPTY_REPLY;
    engine.store.refresh(event.receivedAt);

    const locating = engine.locate(event, projectOf(engine.store, event), call.variables);
    const place = isPromise(locating) ? await locating : locating;
    watch.lap('workspace');

    const unread = call.unread === true;
    const reading = unread ? NO_EFFECTS : readEffects(event, place, engine);
    const effects = isPromise(reading) ? await reading : reading;
    if (effects !== NO_EFFECTS) watch.lap('effects');

    const own = unread ? verdictUnread(event, place.policy, adapter.capabilities(event.name).ask === 'enforced') : [];
    const heard = unread ? [] : place.policy.index.select(event, place.rootOf, effects); // tiers 0 and 1
    const silenced = call.silenced ?? NONE;
    const selected = awake(heard, event, engine.store, silenced, place);
    watch.lap('select');

    const settling = { event, selected, own, effects, place, adapter, engine, watch };
    const unwanted = selected.length + own.length === 0 && !concerns(event, place, engine.store);
    const settled = unwanted ? settleNeutral(settling) : await settle(settling); // tiers 2 and 3, merge, commit, render

    recordEvent(engine.ledger, settled, { event, watch, unread }); // written after the reply
    const { reply, row, trace, followUps, said } = settled;
    engine.after?.({ event, place, row, trace, followUps, silenced, micros: watch.total() }); // jobs, telemetry, relay
    return said.length === 0 ? reply : { ...reply, unheard: () => takeBack(said, engine) };
  } catch (error) {
    engine.onFailure('handling an event', error);
    return EMPTY_REPLY;
  }
}
