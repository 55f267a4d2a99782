import type { LedgerRow } from '../event/ledger-row.ts';

/** A change of one cell. Each maps to one command of any key-value store with expiry; `add` keeps the expiry a live cell has. */
export type Change =
  | { readonly op: 'set'; readonly id: string; readonly value: string; readonly expires: number }
  | { readonly op: 'add'; readonly id: string; readonly by: number; readonly expires: number }
  | { readonly op: 'delete'; readonly id: string };

export interface Commit {
  /** What the event read, by cell id; `undefined` for a cell that was absent. */
  readonly reads: ReadonlyMap<string, string | undefined>;
  readonly changes: readonly Change[];
  /** Written in the same transaction, so that no state change is without its record. Refused like a moved cell when its delivery has an answer. */
  readonly row?: LedgerRow;
  readonly now: number;
  /** It brings this machine what its team has, so the team is not told of it. */
  readonly fromTeam?: true;
}

export interface StoredCell {
  readonly id: string;
  /** JSON. */
  readonly value: string;
  /** Milliseconds since the epoch; 0 never expires. */
  readonly expires: number;
  readonly updated: number;
}

export interface Store {
  get(id: string, now: number): string | undefined;
  /** All or nothing. False when a cell no longer holds what was read: nothing was written, read again and retry. */
  commit(commit: Commit): boolean;
  /** Resolves when all that was committed is stored, rejects when it is lost; undefined when it is stored already. */
  stored(): Promise<void> | undefined;
  /** The answer that a recent row gave to this delivery. */
  answered(delivery: string): string | undefined;
  /** Makes changes of other processes visible to the next `get`, those of the last moment perhaps not yet. */
  refresh(now: number): void;
  /** How often it was noticed that other processes had committed. */
  seenOthers(): number;
  /** Cells whose ids begin with the prefix and hold the other text, if one is given. */
  list(prefix: string, now: number, having?: string): StoredCell[];
  remove(prefix: string): number;
  /** Deletes expired cells, and every cell of sessions untouched since `sessionsBefore`. */
  prune(sessionsBefore: number, now: number): number;
  close(): void;
}
