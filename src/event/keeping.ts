import type { EffectKind } from './effect.ts';

/** Effects that a copy of what lies on this machine can mend. */
export const MENDABLE: ReadonlySet<EffectKind> = new Set([
  'delete',
  'overwrite',
  'truncate',
  'write',
  'discard',
  'rewrite-history',
  'delete-branch',
]);

/** What a copy holds. */
export interface CopyContents {
  /** As a person would name it; the first few. */
  readonly names: readonly string[];
  readonly files: number;
  readonly bytes: number;
}

/** A copy of what a call destroys. */
export interface Kept extends CopyContents {
  /** By which `fairlead undo` finds it. */
  readonly number: number;
  /** How long the call waited for it. */
  readonly ms?: number;
}

export type KeepResult =
  | { readonly kept: Kept }
  /** In a trial, which copies nothing. */
  | { readonly keepable: CopyContents }
  /** There is nothing that could be lost. */
  | { readonly nothing: true }
  /** Why not, in words that follow a colon. */
  | { readonly unkept: string };
