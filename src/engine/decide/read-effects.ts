import { NO_EFFECTS } from '../match/effect-filter.ts';
import type { CallEffects } from '../match/effect-filter.ts';
import type { Engine, Place } from '../engine.ts';
import { isPromise } from './run.ts';
import type { Event } from '../../event/event.ts';

/**
 * What the event's call would do, read only when a rule in force listens to effects of such calls. A failure is an
 * answer too: each of those rules meets it, and its `onError` decides.
 */
export function readEffects(event: Event, place: Place, engine: Engine): CallEffects | Promise<CallEffects> {
  if (!place.policy.index.wantsEffects(event)) return NO_EFFECTS;
  const failed = (error: unknown): Error => {
    engine.onFailure('reading what a call would do', error);
    return error instanceof Error ? error : new Error(String(error));
  };
  try {
    const effects = engine.effectsOf(event, place);
    return isPromise(effects) ? effects.catch(failed) : effects;
  } catch (error) {
    return failed(error);
  }
}
