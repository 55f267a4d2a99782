import type { LedgerDetail, LedgerRow } from '../event/ledger-row.ts';
import type { RelayRecord } from '../event/follow-up.ts';

/** The append-only record of every event and decision. */
export interface Ledger {
  nextId(at: number): string;
  /**
   * Takes what is written after the reply: the detail, and the row itself unless it was committed with the state.
   * `detail` is called at that time, so an event pays nothing for it before its reply.
   */
  record(row: LedgerRow, detail: () => LedgerDetail, committed: boolean): void;
  /** Takes a record for those who listen outside the session; written with the rows. */
  relay(record: RelayRecord): void;
  /** Writes what waits, or the `most` that wait longest. */
  flush(most?: number): void;
}

export interface Retention {
  readonly days: number;
  readonly rows: number;
  /** Characters kept of each text of an event. */
  readonly bodies: number;
}

export const RETENTION: Retention = { days: 30, rows: 200_000, bodies: 2_000 };

/** Unique across processes and sortable by time: milliseconds, then a counter that starts anywhere. */
export function createIds(random: () => number): (at: number) => string {
  let counter = Math.floor(random() * 46_656);
  return (at) => {
    counter = (counter + 1) % 46_656;
    return at.toString(36) + counter.toString(36).padStart(3, '0');
  };
}
