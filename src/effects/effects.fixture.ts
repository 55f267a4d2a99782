import type { EffectKind } from '../event/effect.ts';
import { readShell } from '../shell/read.ts';
import { effectsOfReading } from './effects.ts';
import { SURROUNDINGS, lineOf } from './scene.fixture.ts';

/** The effects of these kinds that a whole command line has, in one line each. */
export function told(text: string, ...kinds: readonly EffectKind[]): string[] {
  return effectsOfReading(readShell(text, SURROUNDINGS), SURROUNDINGS)
    .filter(({ kind }) => kinds.includes(kind))
    .map(lineOf);
}
