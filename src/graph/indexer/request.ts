import type { WalkOptions } from '../walk/walk-options.ts';
import type { Progress, Work } from './indexer.ts';

/** What the indexing process is asked, as one line of JSON. */
export interface IndexRequest {
  readonly do: 'index' | 'refresh' | 'sweep' | 'verify';
  readonly root: string;
  /** Of `refresh`: absolute. */
  readonly paths?: readonly string[];
  /** Of `index`: from the files alone, whatever is stored. */
  readonly force?: boolean;
  /** Of `sweep`. */
  readonly budgetMs?: number;
  /** How long another process that writes there is waited for. */
  readonly waitMs?: number;
  /** Which files; what `packs.autocontext` says. */
  readonly walk?: WalkOptions;
  readonly maxFile?: number;
}

export interface NumberedRequest extends IndexRequest {
  readonly id: number;
}

/** What it answers: any number of times how far it is, and once that it is done or why not. */
export type IndexReply =
  | { readonly id: number; readonly progress: Progress }
  | { readonly id: number; readonly done: IndexResult }
  | { readonly id: number; readonly failed: string };

export interface IndexResult extends Work {
  readonly tookMs: number;
}
