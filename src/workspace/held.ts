import type { Files } from '../platform/files.ts';
import { writeHeld } from '../state/switch.ts';
import type { Layers } from './standing.ts';
import { holds, teamOf } from './team-standing.ts';

/** Puts down for the switch whether the policy holds its rules, also for when its glass is whole again. */
export function settleHeld(layers: Layers, files: Files, state: string): void {
  const team = teamOf(layers, 'whole');
  try {
    writeHeld(files, state, team && holds(team) ? (layers.team?.glass?.until ?? 0) : undefined);
  } catch {
    // A disk that is full or read-only: the next look at the settings tries again.
  }
}
