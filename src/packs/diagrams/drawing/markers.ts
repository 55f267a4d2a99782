import type { Drawing } from './drawing.ts';

export interface Marker {
  readonly line: number;
  readonly wholeFile: boolean;
  readonly reason: string;
  /** The reason is long enough. */
  readonly counts: boolean;
}

export function markersIn(_text: string): readonly Marker[] {
  return [];
}

export interface Excuses {
  /** Drawing → the marker that lets it pass. */
  readonly excused: ReadonlyMap<Drawing, Marker>;
  /** Drawing → a marker in reach that would do if it had a reason. */
  readonly unreasoned: ReadonlyMap<Drawing, Marker>;
}

export function excused(_drawings: readonly Drawing[], _markers: readonly Marker[]): Excuses {
  return { excused: new Map(), unreasoned: new Map() };
}
