import { SEPARATOR } from './cells.ts';
import type { Database } from '../platform/database.ts';

/** With more cells than this in memory the view starts over; the file has them all. */
const VIEW_LIMIT = 50_000;

/** More cells than this of one owner are not read at once. */
const OWNER_LIMIT = 5_000;

interface Seen {
  readonly value: string;
  readonly expires: number;
}

/** What is known of the cells in the file; null for a cell that is not there. */
export interface CellView {
  look(id: string, now: number): Seen | undefined;
  set(id: string, seen: Seen | null): void;
  forget(): void;
}

/** `byOwner`: reads all cells of an owner at once, so later it knows without asking which are absent. */
export function createCellView(db: Database, byOwner: boolean): CellView {
  const view = new Map<string, Seen | null>();
  /** Owners whose cells are all in the view. */
  const owners = new Set<string>();
  const select = db.prepare('SELECT value, expires FROM cells WHERE id = ?');
  const ofOwner = db.prepare('SELECT id, value, expires FROM cells WHERE id >= ? AND id < ? LIMIT ?');

  function forget(): void {
    view.clear();
    owners.clear();
  }

  /** Whether all cells of the id's owner are in the view now. */
  function knowsOwner(id: string): boolean {
    const owner = id.slice(0, id.indexOf(SEPARATOR, id.indexOf(SEPARATOR) + 1) + 1);
    if (owners.has(owner)) return true;
    const cells = ofOwner.all(owner, `${owner}\u{10ffff}`, OWNER_LIMIT) as (Seen & { id: string })[];
    if (view.size + cells.length >= VIEW_LIMIT) forget();
    for (const { id: each, value, expires } of cells) view.set(each, { value, expires });
    if (cells.length < OWNER_LIMIT) owners.add(owner);
    return cells.length < OWNER_LIMIT;
  }

  return {
    look(id, now) {
      let seen = view.get(id);
      if (seen === undefined) {
        seen =
          (byOwner && !isOfTurn(id) && knowsOwner(id) ? view.get(id) : (select.get(id) as Seen | undefined)) ?? null;
        if (view.size >= VIEW_LIMIT) forget();
        view.set(id, seen);
      }
      return seen !== null && (seen.expires === 0 || seen.expires > now) ? seen : undefined;
    },
    set: (id, seen) => void view.set(id, seen),
    forget,
  };
}

/** Each turn is an owner of its own with few cells, so asking for one cell costs less than listing them. */
function isOfTurn(id: string): boolean {
  return id.startsWith(`turn${SEPARATOR}`);
}
