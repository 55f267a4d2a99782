import type { TakenSet } from '../adapters/adopting.ts';
import type { Edit } from '../adapters/json-edit.ts';
import type { Files } from '../platform/files.ts';
import { join } from '../platform/paths.ts';

/** Hooks that were taken out of one file. */
export interface AdoptedSet extends TakenSet {
  readonly agent: string;
  readonly file: string;
  /** Milliseconds since the epoch. */
  readonly takenAt: number;
  /** Of the text that was written; `undo` leads back from exactly that text. */
  readonly sha256: string;
  readonly undo: readonly Edit[];
}

/** A rule file of something else that became one of ours. */
export interface TranslatedRule {
  readonly name: string;
  readonly file: string;
  /** All that was in it. */
  readonly text: string;
  readonly mode: number;
  /** Where ours is, and what was written there. */
  readonly rule: string;
  readonly written: string;
  /** Directories that were made for it, innermost first. */
  readonly madeDirs: readonly string[];
}

/** What was adopted for one home; the only copy of what is not in the agent's files any more. */
export interface Adopted {
  readonly sets: readonly AdoptedSet[];
  readonly rules: readonly TranslatedRule[];
}

export function adoptedPath(state: string): string {
  return join(state, 'adopted.json');
}

/** Throws where the file is damaged: nobody may write another over it. */
export function readAdopted(files: Pick<Files, 'readText'>, state: string): Adopted {
  const text = files.readText(adoptedPath(state));
  if (text === undefined) return { sets: [], rules: [] };
  const { sets = [], rules = [] } = JSON.parse(text) as Partial<Adopted>;
  return { sets, rules };
}

export function writeAdopted(files: Files, state: string, adopted: Adopted): void {
  files.makeDir(state, 0o700);
  files.writeAtomic(adoptedPath(state), `${JSON.stringify(adopted, null, 2)}\n`, 0o600);
}
