import type { Files } from '../platform/files.ts';
import { writeHeld } from '../state/switch.ts';
import type { Layers } from './standing.ts';
import { holds, teamOf } from './team-standing.ts';

/** Puts down for the switch whether the policy holds its rules, also for when its glass is whole again. */
export function settleHeld(layers: Layers, files: Files, state: string): void {
  const { glass, ...whole } = layers.team ?? {};
  const team = layers.team && teamOf({ ...layers, team: whole as typeof layers.team });
  writeHeld(files, state, team && holds(team) ? (glass?.until ?? 0) : undefined);
}
