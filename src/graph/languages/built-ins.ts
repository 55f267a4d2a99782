import type { FileFacts } from '../model/facts.ts';
import { declareBuiltIns } from './declare-built-ins.ts';

/** What a language brings with it. */
export interface BuiltIns {
  /** Its classes, functions and constants, as facts of a file that lies outside. */
  readonly file: FileFacts;
  /** Further names that every file has. */
  readonly names: ReadonlySet<string>;
  /** Names of members so common in the language and its libraries that they say nothing about a receiver. */
  readonly members: ReadonlySet<string>;
  /** Those among them that its own classes have. */
  readonly ownMembers: ReadonlySet<string>;
}

/** Words of a text, for tables of names. */
export function wordsOf(text: string): readonly string[] {
  return text.split(/\s+/u).filter((word) => word !== '');
}

/** Members of the declared classes are common names as well. */
export function collectBuiltIns(file: FileFacts, names: string, members: string): BuiltIns {
  const ownMembers = new Set<string>();
  for (const { container, name } of file.definitions) if (container !== -1) ownMembers.add(name);
  return { file, names: new Set(wordsOf(names)), members: new Set([...wordsOf(members), ...ownMembers]), ownMembers };
}

export const NO_BUILT_INS = collectBuiltIns(declareBuiltIns('manifest', '[]', ''), '', '');
