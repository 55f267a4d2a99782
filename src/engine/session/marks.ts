import type { Event } from '../../event/event.ts';
import type { Marks } from '../../event/marks.ts';
import { record } from '../../state/cell.ts';
import { cellId, parseValue } from '../../state/cells.ts';
import type { Store } from '../../state/store.ts';

/** Rules keep it, and whoever reads what a call would do is given it. */
export const MARKS = record<Marks>('marks');

/** A session asks for the same text again and again. */
let last: { readonly value: string; readonly marks: Marks | undefined } | undefined;

export function marksOf({ session, hasSession, receivedAt }: Event, store: Pick<Store, 'get'>): Marks | undefined {
  const value = hasSession ? store.get(cellId('session', session, MARKS.name), receivedAt) : undefined;
  if (value === undefined) return undefined;
  if (last?.value !== value) last = { value, marks: parseValue(value) as Marks | undefined };
  return last.marks;
}
