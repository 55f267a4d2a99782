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

/** A copy of what a call destroys. */
export interface Kept {
  /** By which `fairlead undo` finds it. */
  readonly number: number;
  /** What was kept, as a person would name it; the first few. */
  readonly names: readonly string[];
  readonly files: number;
  readonly bytes: number;
}

export type KeepResult =
  | { readonly kept: Kept }
  /** There is nothing that could be lost. */
  | { readonly nothing: true }
  /** Why not, in words that follow a colon. */
  | { readonly unkept: string };
