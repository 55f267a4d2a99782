import type { CallEffects } from '../engine/match/effect-filter.ts';
import type { Engine, Place } from '../engine/engine.ts';
import type { Effect } from '../event/effect.ts';
import type { Event } from '../event/event.ts';
import type { Reading } from '../shell/command.ts';
import { readShell } from '../shell/read.ts';

/** What the engine makes of a call before any rule looks at it. */
export interface ReadCall {
  /** The simple commands of a shell command. */
  readonly reading?: Reading;
  readonly effects?: readonly Effect[];
}

/** Reads the call of an event again, whether a rule wants that or not. */
export async function readCall(
  event: Event,
  place: Place,
  engine: Engine,
): Promise<ReadCall & { readonly told: CallEffects }> {
  const { tool, cwd } = event;
  if (!tool?.hasInput) return { told: [] };
  const { home } = place.workspace;
  const reading = tool.command === undefined ? {} : { reading: readShell(tool.command, { cwd, home }) };
  try {
    const effects = await engine.effectsOf(event, place);
    return { ...reading, effects, told: effects };
  } catch (error) {
    return { ...reading, told: error instanceof Error ? error : new Error(String(error)) };
  }
}
