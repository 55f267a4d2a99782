import { cellId, parseValue } from '../../state/cells.ts';

export interface Paused {
  readonly since: number;
  readonly turns: number;
}

export function pausedId(session: string): string {
  return cellId('session', session, 'paused');
}

/** A damaged pause is still one. */
export function readPause(value: string | undefined): Paused | undefined {
  if (value === undefined) return undefined;
  const { since = 0, turns = 0 } = (parseValue(value) ?? {}) as Partial<Paused>;
  return { since, turns };
}
