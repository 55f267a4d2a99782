import { effectsOf } from '../effects/effects.ts';
import type { Surroundings } from '../effects/scene.ts';
import type { Effect } from '../event/effect.ts';
import type { Event } from '../event/event.ts';
import { surroundingsIn } from './surroundings.ts';

/** What the call of an example or a test would do in a home whose own directories are where they usually are. */
export function effectsOfExample(
  event: Event,
  place: Pick<Surroundings, 'root' | 'home'>,
  disk?: Surroundings['disk'],
): readonly Effect[] {
  const { home } = place;
  const own = { config: `${home}/.config/fairlead`, state: `${home}/.local/state/fairlead` };
  return effectsOf(event, { ...surroundingsIn(own)(event, place), disk });
}
