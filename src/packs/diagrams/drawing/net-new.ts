import type { Drawing } from './drawing.ts';

/** What a file held when a session first touched it; small and plain, so that it can be stored. */
export interface Baseline {
  readonly drawings: readonly { readonly fingerprint: string; readonly lines: readonly string[] }[];
}

export const EMPTY_BASELINE: Baseline = { drawings: [] };

export function baselineOf(_drawings: readonly Drawing[]): Baseline {
  return EMPTY_BASELINE;
}

/** `drawings` are all of the file. */
export function netNew(drawings: readonly Drawing[], _baseline: Baseline): readonly Drawing[] {
  return drawings;
}
