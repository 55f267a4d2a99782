import type { Taken } from '../../event/lease.ts';
import type { Change, StoredCell } from '../../state/store.ts';

/** What a machine has committed to its own copy, on its way to the server. */
export interface TeamCommit {
  /** Made by chance; the server applies each once, however often it arrives. */
  readonly delivery: string;
  /** What was read, by cell id; `undefined` for a cell that was absent. */
  readonly reads: ReadonlyMap<string, string | undefined>;
  readonly changes: readonly Change[];
  /** The machine's time, by which `expires` counts. The server only hears how much is left. */
  readonly now: number;
  /** The machine has answered with it already: what it adds counts, also where something else was read. */
  readonly isLate?: boolean;
}

/** What an event may wait for. */
export interface Leases {
  /** Taken when it is free or held by the same holder, whose fence then stays; it is held for this time. */
  takeLease(name: string, holder: string, ttlMs: number): Promise<Taken>;
  /** False when somebody else holds it, or nobody. */
  releaseLease(name: string, holder: string): Promise<boolean>;
}

/** A cell of the server as it is now; without a value it is gone. */
export interface ServerCell extends Pick<StoredCell, 'id' | 'expires'> {
  readonly value: string | undefined;
}

/** A commit that the server took, as it tells all machines. */
export interface Push {
  /** Its number, and that of the commit before: a machine that has not seen that one has missed something. */
  readonly number: number;
  readonly before: number;
  readonly delivery: string;
  readonly cells: readonly ServerCell[];
}

/** The state of a team on its server. Every call ends by its deadline: it rejects when the server is away or slow. */
export interface TeamServer extends Leases {
  read(ids: readonly string[]): Promise<ServerCell[]>;
  /** Cells whose ids begin with the prefix, in order. Those that change meanwhile are as they were before or after. */
  list(prefix: string): Promise<StoredCell[]>;
  /** In order, each all or nothing. False for those that were refused because a cell no longer holds what was read. */
  commit(commits: readonly TeamCommit[]): Promise<boolean[]>;
  /** These deliveries will not come again. */
  forget(deliveries: readonly string[]): Promise<void>;
  /** The number of the newest commit. */
  newest(): Promise<number>;
  /** Tells of each commit from now on. `onGap`: the connection is lost, so some may be missed; watch again. */
  watch(onPush: (push: Push) => void, onGap: (problem: string) => void): Promise<void>;
  close(): Promise<void>;
}
