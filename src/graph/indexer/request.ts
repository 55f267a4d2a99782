import type { WalkOptions } from '../walk/walk-options.ts';
import type { Progress, Work } from './indexer.ts';

/** For whoever can do without: another process that writes is done with a small change by then, and with a large one not. */
export const WRITER_MS = 2_000;

/** What the indexing process is asked, as one line of JSON. */
export interface IndexRequest {
  readonly do: 'index' | 'refresh' | 'sweep' | 'verify';
  readonly root: string;
  /** Of `refresh`: absolute. */
  readonly paths?: readonly string[];
  /** Of `index`: from the files alone, whatever is stored. */
  readonly force?: boolean;
  /** Of `sweep`, where not all files are indexed: directories of packages, below the root, that come before others from now on. */
  readonly touched?: readonly string[];
  /** Of `sweep`. */
  readonly budgetMs?: number;
  /** How long another process that writes there is waited for. */
  readonly waitMs?: number;
  /** Which files; what `packs.autocontext` says. */
  readonly walk?: WalkOptions;
  readonly maxFile?: number;
}

/** A picture to be drawn of what is indexed by now, and kept as evidence. */
export interface DrawRequest {
  readonly do: 'draw';
  readonly root: string;
  readonly what: 'architecture' | 'impact';
  /** Of `impact`: the key. */
  readonly symbol?: string;
  /** `auto`: after something an agent was told; a person or an agent who asks is `explicit`, and so moves the focus. */
  readonly origin: 'auto' | 'explicit';
  /** Only the evidence, no picture. */
  readonly isTextOnly?: boolean;
  readonly waitMs?: number;
}

export interface DrawResult {
  /** `E3`. */
  readonly evidence: string;
  /** Absolute; absent when it was not asked for, or could not be made. */
  readonly svg?: string;
  readonly png?: string;
  /** Why a picture is missing. */
  readonly warning?: string;
}

export interface NumberedRequest extends IndexRequest {
  readonly id: number;
}

export interface NumberedDrawRequest extends DrawRequest {
  readonly id: number;
}

/** What it answers: any number of times how far it is, and once that it is done or why not. */
export type IndexReply =
  | { readonly id: number; readonly progress: Progress }
  | { readonly id: number; readonly done: IndexResult }
  | { readonly id: number; readonly drawn: DrawResult }
  | { readonly id: number; readonly failed: string };

export interface IndexResult extends Work {
  readonly tookMs: number;
}
