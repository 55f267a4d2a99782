import type { Effect } from '../event/effect.ts';
import type { Scene } from './scene.ts';

/** What only shows across several commands: data that leaves, code that arrives and is run. */
export function readFlows(_scene: Scene): readonly Effect[] {
  return [];
}
