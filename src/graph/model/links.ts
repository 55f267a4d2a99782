import type { FileFlag } from './facts.ts';

/** What leads from one file to definitions: derived from facts, never parsed. */
export interface FileLinks {
  /** What manifests say that the file is there for, where nothing in the file does. */
  readonly role?: FileFlag;
  /** By place, then kind, then target. */
  readonly edges: readonly Edge[];
  /** References that may mean one of several definitions, at most five each. Never counted as callers. */
  readonly possible: readonly Edge[];
  /** Names that may be in the project and could not be resolved, with how often; by name. */
  readonly unresolved: readonly (readonly [name: string, count: number])[];
  /** How many references lead out of the project: to the language itself or to packages that are not indexed. */
  readonly outside: number;
  /** All that resolving this file looked at, sorted; when one of these changes, it is resolved again. */
  readonly asked: readonly Question[];
}

/**
 * `file:src/a.ts` its facts or that it is not there, `name:save` which definitions of this name there are,
 * `dir:src/store` which indexed files lie directly in a directory.
 */
export type Question = `${'file' | 'name' | 'dir'}:${string}`;

export type EdgeKind =
  | 'imports'
  | 'exports'
  | 'calls'
  | 'instantiates'
  | 'extends'
  | 'implements'
  | 'overrides'
  | 'references';

export interface Edge {
  /** Index of the definition it comes from, -1 for the module. */
  readonly source: number;
  readonly kind: EdgeKind;
  /** Path of the file that has the target, and the index of the definition there, -1 for the module. */
  readonly path: string;
  readonly target: number;
  /** Where it stands in its own file. */
  readonly at: number;
  readonly why: Why;
}

/** How an edge was found; `CONFIDENCE` says how far each can be relied on. */
export type Why = 'scope' | 'import' | 'class' | 'receiver' | 'return' | 'package' | 'handed' | 'only' | 'possible';

export const CONFIDENCE: Readonly<Record<Why, number>> = {
  scope: 0.98,
  import: 0.97,
  class: 0.95,
  receiver: 0.95,
  return: 0.95,
  handed: 0.95,
  package: 0.75,
  only: 0.6,
  possible: 0.35,
};

/** Answers, counts and ranking use edges from here on. */
export const COUNTS_FROM = 0.75;
