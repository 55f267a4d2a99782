import { cellId } from '../../state/cells.ts';
import type { Change, StoredCell } from '../../state/store.ts';

/**
 * The part of a commit that the team shares, kept in the same transaction until the server has it. It is a cell under
 * this prefix; what follows the prefix puts the entries in order.
 */
export const QUEUE = cellId('user', '', 'team.out');

export interface QueueEntry {
  readonly delivery: string;
  /** `null` for a cell that was absent. */
  readonly reads: readonly (readonly [id: string, value: string | null])[];
  readonly changes: readonly Change[];
}

/** Undefined for what is no entry: the state file was damaged or is from a newer version. */
export function readEntry({ value }: Pick<StoredCell, 'value'>): QueueEntry | undefined {
  try {
    const entry = JSON.parse(value) as QueueEntry;
    const isWhole =
      typeof entry.delivery === 'string' && Array.isArray(entry.reads) && entry.changes.every(({ id }) => id !== '');
    return isWhole ? entry : undefined;
  } catch {
    return undefined;
  }
}
