import type { Effect } from '../event/effect.ts';
import type { Scene } from './scene.ts';

/** Verbs of Fairlead that only a person may use, when a command calls them. */
export function readOwnVerbs(_scene: Scene): readonly Effect[] {
  return [];
}
