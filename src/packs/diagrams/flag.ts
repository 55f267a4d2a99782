import type { RecordCell } from '../../engine/rule.ts';

/** A diagram tool ran a moment ago: one write of the session may hold a drawing without a source. */
export interface Flag {
  readonly tool: string;
  readonly at: number;
  /** Which command it was, by its hash. */
  readonly command: string;
  /** The write that has taken it and has not ended yet. */
  readonly reserved?: Reservation;
}

export interface Reservation {
  /** Id of the tool call. */
  readonly by: string;
  readonly since: number;
  /** Which drawings the call brings, by their hash. */
  readonly drawings: string;
}

/** A call that has not ended by then is not waited for. */
const LONGEST_RESERVATION_MS = 120_000;

type Cell = RecordCell<Flag>;

/** Takes the flag for a call that would be stopped without it. What is no fresh flag is removed. */
export function reserve(cell: Cell, call: Omit<Reservation, 'since'>, now: number, freshForMs: number): boolean {
  const flag = freshFlag(cell, now, freshForMs);
  if (!flag) return false;
  const { reserved } = flag;
  const held = reserved !== undefined && now - reserved.since < LONGEST_RESERVATION_MS;
  // A refused call may end without any event; the next one with the same drawings is its second attempt.
  if (held && reserved.drawings !== call.drawings) return false;
  // Nothing would tell how a call without an id ends.
  if (call.by === '') cell.clear();
  else cell.set({ ...flag, reserved: { ...call, since: now } });
  return true;
}

/** The write went through. */
export function consume(cell: Cell, by: string): void {
  if (reservedBy(cell, by)) cell.clear();
}

/** The write did not happen: the flag is as old as it was. */
export function release(cell: Cell, by: string, now: number, freshForMs: number): void {
  if (!reservedBy(cell, by)) return;
  const flag = freshFlag(cell, now, freshForMs);
  if (!flag) return;
  const { reserved: _, ...free } = flag;
  cell.set(free);
}

function reservedBy(cell: Cell, by: string): boolean {
  const flag = cell.get();
  return isFlag(flag) && flag.reserved?.by === by;
}

/** Removes a flag that no write can use any more. */
export function freshFlag(cell: Cell, now: number, freshForMs: number): Flag | undefined {
  const flag = cell.get();
  if (isFlag(flag) && now >= flag.at && now - flag.at < freshForMs) return flag;
  cell.clear();
  return undefined;
}

function isFlag(value: unknown): value is Flag {
  if (typeof value !== 'object' || value === null) return false;
  const { tool, at, reserved } = value as Partial<Flag>;
  return (
    typeof tool === 'string' &&
    typeof at === 'number' &&
    (reserved === undefined || typeof (reserved as Partial<Reservation> | null)?.since === 'number')
  );
}
