import { cellId, parseValue } from '../../state/cells.ts';
import type { Draft } from '../../state/draft.ts';

/** Stands for every workspace of this person. */
export const EVERYWHERE = '*';

export interface Careful {
  readonly since: number;
  /** Absent: until it is switched off. */
  readonly until?: number;
  readonly by: 'user' | 'agent';
  readonly reason?: string;
  /** The person has yet to hear that an agent switched it on. */
  readonly unsaid?: true;
}

/** What an ask about gated verbs leaves behind: the very command it was about may use each of them, once, while it runs. */
export interface Grant {
  readonly verbs: readonly string[];
  readonly call: string;
  readonly tool: string;
  readonly command: string;
  readonly session: string;
  readonly root: string;
  readonly at: number;
}

/** All of careful mode, and the grant, in one cell, so that an event pays for one look at it. */
export interface CarefulBook {
  /** By workspace root, or `EVERYWHERE`. What has ended stays until the person has heard of it. */
  readonly on: Readonly<Record<string, Careful>>;
  /** When the two cells were last found to differ. */
  readonly changed?: { readonly at: number; readonly unsaid?: true };
  readonly grant?: Grant;
}

export const BOOK = cellId('user', '', 'careful');
/** The same again: where the two differ, somebody else has written. */
const COPY = cellId('user', '', 'careful-copy');

export const NOTHING_ON: CarefulBook = { on: {} };
/** How long what has ended waits for the person to be told. */
const KEPT_MS = 86_400_000;

/** The record that makes careful mode hold here; the one of the workspace counts first. */
export function carefulIn({ on }: CarefulBook, root: string, now: number): Careful | undefined {
  return [on[root], on[EVERYWHERE]].find((careful) => careful !== undefined && lasts(careful, now));
}

export function lasts({ until }: Careful, now: number): boolean {
  return until === undefined || until > now;
}

/** What counts, and whether both cells say so. Of two that differ everything counts that either has on. */
export function readCareful(draft: Draft): { readonly book: CarefulBook; readonly intact: boolean } {
  if (!draft.holds(BOOK) && !draft.holds(COPY)) return { book: NOTHING_ON, intact: true };
  const value = draft.read(BOOK);
  const copy = draft.read(COPY);
  const book = parseBook(value);
  if (value === copy && book) return { book, intact: true };
  const other = parseBook(copy);
  if (book && other) return { book: joined(book, other), intact: false };
  const { grant: _grant, ...left } = book ?? other ?? { on: { [EVERYWHERE]: { since: draft.now, by: 'user' } } };
  return { book: left, intact: false };
}

export function writeCareful(draft: Draft, book: CarefulBook): void {
  const on = Object.fromEntries(
    Object.entries(book.on).filter(([, { until = draft.now }]) => until + KEPT_MS > draft.now),
  );
  if (Object.keys(on).length === 0 && !book.grant && !book.changed) {
    draft.delete(BOOK);
    draft.delete(COPY);
    return;
  }
  const value = JSON.stringify({ ...book, on });
  const ends = Object.values(on).map(({ until }) => until);
  const expires = ends.some((until) => until === undefined)
    ? 0
    : Math.max(draft.now, ...ends.map((until) => until ?? 0)) + KEPT_MS;
  draft.set(BOOK, value, expires);
  draft.set(COPY, value, expires);
}

function joined(a: CarefulBook, b: CarefulBook): CarefulBook {
  const on: Record<string, Careful> = { ...a.on };
  for (const [root, careful] of Object.entries(b.on)) {
    const known = on[root];
    if (!known || endOf(careful) > endOf(known)) on[root] = careful;
  }
  const changed = a.changed ?? b.changed;
  return { on, ...(changed ? { changed } : {}) };
}

function endOf({ until }: Careful): number {
  return until ?? Number.POSITIVE_INFINITY;
}

export function parseBook(value: string | undefined): CarefulBook | undefined {
  const book = parseValue(value) as Partial<CarefulBook> | null | undefined;
  if (typeof book?.on !== 'object' || book.on === null) return undefined;
  const records = Object.values(book.on) as unknown[];
  return records.every((record) => typeof record === 'object' && record !== null) ? (book as CarefulBook) : undefined;
}
