import type { Effect } from '../event/effect.ts';
import type { KeepResult } from '../event/keeping.ts';

/** What is to be kept before a call destroys it. */
export interface KeepRequest {
  /** What the call would destroy. */
  readonly effects: readonly Effect[];
  readonly about: {
    readonly at: number;
    readonly session: string;
    readonly root: string;
    readonly agent: string;
    /** Without secrets: it is listed. */
    readonly command: string;
  };
  readonly budget: { readonly ms: number; readonly bytes: number };
  /** Globs of what the person does not want to be copied: an effect that hits one keeps nothing. */
  readonly excluded: readonly string[];
  /** Looks what would be copied, and copies nothing. */
  readonly isTrial?: true;
}

/** Copies what a call would destroy. It never throws, and what it calls kept is whole. */
export interface Keeper {
  /** Starts what copies, so that no call waits for that. */
  warmUp(): Promise<void>;
  keep(request: KeepRequest): Promise<KeepResult>;
  close(): void;
}
