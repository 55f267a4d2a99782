import type { Database } from '../platform/database.ts';

export interface TransactionsOptions {
  /** Runs work after the events that are at hand: their commits become one. */
  readonly later?: (work: () => void) => void;
  /** Whether more than one such event is at hand, as far as anybody can tell; assumed by default. */
  readonly gathers?: () => boolean;
  /** In a new transaction, before any work. */
  onBegin(): void;
  onStored(): void;
  onFailed(): void;
}

/** Commits that are stored together or not at all. */
interface Group {
  readonly stored: Promise<void>;
  /** One commit and no more: it is stored at once. */
  isAlone: boolean;
  settle(error?: Error): void;
}

export interface Transactions {
  transaction<T>(work: () => T): T;
  /** Ends the open transaction. */
  close(): void;
  /** Those who committed hear of a failure from their own promise. */
  closeQuietly(): void;
  /** Resolves when what is in the open transaction is stored; undefined where none is open. */
  stored(): Promise<void> | undefined;
}

/** Transactions on a file. Where more than one piece of work is at hand, they share one. */
export function createTransactions(db: Database, options: TransactionsOptions): Transactions {
  const { later, gathers = () => true, onBegin, onStored, onFailed } = options;
  const begin = db.prepare('BEGIN IMMEDIATE');
  const end = db.prepare('COMMIT');
  const rollback = db.prepare('ROLLBACK');
  /** The transaction that is open, if one is. */
  let group: Group | undefined;

  function open(): Group {
    if (group) return group;
    begin.run();
    group = createGroup();
    try {
      onBegin();
    } catch (error) {
      abandon(group, error);
      throw error;
    }
    if (later && gathers()) later(closeQuietly);
    else group.isAlone = true;
    return group;
  }

  function close(): void {
    const ending = group;
    if (!ending) return;
    try {
      end.run();
      group = undefined;
      onStored();
      ending.settle();
    } catch (error) {
      abandon(ending, error);
      throw error;
    }
  }

  function closeQuietly(): void {
    try {
      close();
    } catch {
      // Told.
    }
  }

  function abandon(failed: Group, error: unknown): void {
    group = undefined;
    onFailed();
    try {
      rollback.run();
    } catch {
      // SQLite has already rolled back, as it does when the disk is full.
    }
    failed.settle(error instanceof Error ? error : new Error(String(error)));
  }

  function transaction<T>(work: () => T): T {
    const current = open();
    let result: T;
    try {
      result = work();
    } catch (error) {
      abandon(current, error);
      throw error;
    }
    if (current.isAlone) close();
    return result;
  }

  return { transaction, close, closeQuietly, stored: () => group?.stored };
}

function createGroup(): Group {
  let settle: Group['settle'] = () => {};
  const stored = new Promise<void>((resolve, reject) => {
    settle = (error) => (error === undefined ? resolve() : reject(error));
  });
  // Whoever committed asks; if nobody did, nobody misses the answer.
  stored.catch(() => {});
  return { stored, isAlone: false, settle };
}
