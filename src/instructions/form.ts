import type { Clause, Reason } from './clause.ts';
import type { Phrase } from './phrase.ts';
import type { Draft } from './rule-draft.ts';

/** Where the sentence stands, and what it is about. */
export interface Setting {
  readonly phrase: Phrase;
  /** The directory of the file of instructions, from the root; empty for the root itself. */
  readonly base: string;
  /** The globs that the file says it is about. */
  readonly scope?: readonly string[];
}

export type Reading = readonly Draft[] | Reason;

/** A way to say something: what the words look like, and the rules that they ask for. Undefined where they only look so. */
export interface Form {
  readonly name: string;
  readonly said: RegExp;
  read(found: readonly string[], setting: Setting, clause: Clause): Reading | undefined;
}

const VERBS = [
  'edit',
  'modify',
  'change',
  'touch',
  'alter',
  'update',
  'overwrite',
  'commit',
  'push',
  'force-push',
  'use',
  'run',
  'execute',
  'add',
  'write',
  'delete',
  'remove',
  'rename',
  'move',
  'read',
  'install',
  'merge',
  'amend',
  'publish',
  'rebase',
  'skip',
  'bypass',
  'leave',
  'introduce',
  'import',
  'call',
  'create',
  'start',
  'invoke',
  'open',
  'access',
  'stage',
  'open',
  'submit',
  'deploy',
  'tag',
];
const GERUNDS = new Map(
  VERBS.flatMap((verb) => [
    [`${verb}ing`, verb],
    [`${verb.replace(/e$/, '')}ing`, verb],
    [`${verb}${verb.at(-1)}ing`, verb],
  ]),
);

export function isVerb(word: string): boolean {
  return VERBS.includes(word);
}

/** `editing a or deleting b` as `edit a or delete b`. */
export function withBaseVerb(what: string): string {
  return what.replaceAll(/[a-z-]+ing\b/g, (word) => GERUNDS.get(word) ?? word);
}
