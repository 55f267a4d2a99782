import type { PlaceReason } from '../engine/engine.ts';

/**
 * `pending`: nothing to index yet; `indexing`: the first time; `initialised`: there is an index that is behind; `stable`: it
 * is up to date; `failed`: the last attempt broke.
 */
export type InitState = 'pending' | 'indexing' | 'initialised' | 'stable' | 'failed';

export type InitReason = Exclude<PlaceReason, 'active' | 'none'> | 'explicit';

/** How and when a root came to be indexed, or why it is not: `<ws>/init.json`. Times are milliseconds since the epoch. */
export interface InitRecord {
  readonly version: 1;
  readonly root: string;
  readonly state: InitState;
  readonly reason: InitReason;
  readonly startedAt: number;
  readonly endedAt?: number;
  /** Files that are indexed. */
  readonly files?: number;
  /** Attempts that broke since one succeeded, and why the last one did. */
  readonly failures: number;
  readonly error?: string;
}
