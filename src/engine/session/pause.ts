import { cellId, parseValue } from '../../state/cells.ts';

/** A session whose advice is stopped, or, with `all`, every rule. */
export interface Paused {
  readonly since: number;
  readonly turns: number;
  readonly all?: true;
  /** When it ends by itself. */
  readonly until?: number;
}

export function pausedId(session: string): string {
  return cellId('session', session, 'paused');
}

/** The same again: that everything is off counts only where both say so, as nobody writes both who may not. */
export function offId(session: string): string {
  return cellId('session', session, 'off');
}

export function pauseOf(session: string, read: (id: string) => string | undefined): Paused | undefined {
  const found = readPause(read(pausedId(session)));
  if (found?.all !== true || read(offId(session)) === String(found.since)) return found;
  const { all: _, ...pause } = found;
  return pause;
}

/** A damaged pause is still one. */
export function readPause(value: string | undefined): Paused | undefined {
  if (value === undefined) return undefined;
  const { since = 0, turns = 0, all, until } = (parseValue(value) ?? {}) as Partial<Paused>;
  return { since, turns, ...(all === true && { all }), ...(typeof until === 'number' && { until }) };
}
