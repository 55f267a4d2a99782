import { compileGlob, matchGlob, reachesGlob } from '../../text/glob.ts';
import type { Glob } from '../../text/glob.ts';
import type { IndexedFiles } from '../../engine/settings.ts';
import type { Language } from '../model/facts.ts';

export interface WalkedFile {
  /** Below the root, with forward slashes. */
  readonly path: string;
  readonly size: number;
  readonly mtimeMs: number;
  readonly language: Language;
}

/**
 * `ignored` by an ignore file, `excluded` by the options or because such directories hold output or copies, `hidden`,
 * `repository` of its own, `link` or another thing that is no file, `unreadable`, `too-many` beyond the cap, `other` for
 * files of no language that is known here.
 */
export type SkipReason =
  | 'ignored'
  | 'excluded'
  | 'hidden'
  | 'repository'
  | 'link'
  | 'unreadable'
  | 'too-many'
  | 'other';

export interface WalkOptions extends IndexedFiles {
  /** Directories below the root that are walked before the others, so that the cap does not leave them out. */
  readonly first?: readonly string[];
}

export const MAX_FILES = 50_000;

/** What the options choose, ready to be asked. */
export interface Choice {
  isExcluded(path: string): boolean;
  isIncluded(path: string): boolean;
  /** Whether an included glob leads into the directory by name. */
  names(dir: string): boolean;
  isWanted(language: Language): boolean;
}

export function readChoice({ include = [], exclude = [], languages = [] }: WalkOptions): Choice {
  const included = include.map(compileGlob);
  const excluded = exclude.map(compileGlob);
  return {
    isExcluded: (path) => excluded.length > 0 && isMatched(excluded, path),
    isIncluded: (path) => included.length === 0 || isMatched(included, path),
    names(dir) {
      if (included.length === 0) return false;
      const segments = dir.split('/');
      return included.some((glob) => reachesGlob(glob, segments, segments, false));
    },
    // Code is resolved with what manifests say, whatever it is written in.
    isWanted: (language) => languages.length === 0 || language === 'manifest' || languages.includes(language),
  };
}

function isMatched(globs: readonly Glob[], path: string): boolean {
  const segments = path.split('/');
  return globs.some((glob) => matchGlob(glob, segments, segments));
}
