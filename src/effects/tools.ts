import type { Effect } from '../event/effect.ts';
import type { ToolCall } from '../event/event.ts';
import type { Surroundings } from './scene.ts';

/** The effects of a call to a tool other than the shell. */
export function readToolEffects(_tool: ToolCall, _surroundings: Surroundings): readonly Effect[] {
  return [];
}
