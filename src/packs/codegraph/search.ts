/** A search that may touch many files, as far as the call itself tells. */
export interface Search {
  readonly tool: 'search' | 'glob' | 'shell';
  /** What is looked for, as the agent wrote it: expressions that content matches, or names where it is a listing. */
  readonly patterns: readonly string[];
  /** Absolute: the directories and files that are searched, at least one. */
  readonly places: readonly string[];
  /** Globs of file names: what a listing asks for, or the files that content is searched in. */
  readonly globs: readonly string[];
  /** The searching program's own names of file types, which limit where it searches: `ts`, `json`. */
  readonly types: readonly string[];
  /** It asks for files, not for what they hold. */
  readonly listing: boolean;
  /** What is asked for is no code: sizes, times, owners or numbers of files, or directories alone. */
  readonly facts?: true;
}

/** What a decision may look at; it stats a few paths and opens nothing. */
export interface Look {
  stat(path: string): { readonly kind: 'file' | 'dir' | 'other' } | undefined;
}

/** What the graph lacks to answer a search. */
export type Incompetence = 'outside' | 'dependency' | 'other-languages' | 'facts' | 'no-term';

export function hasWildcard(text: string): boolean {
  return /[*?[]/.test(text);
}

/** `*`, `**`, `./**`: every file passes, so it limits nothing. */
export function admitsAll(glob: string): boolean {
  return /^(?:\.{0,2}\/|\*+\/)*(?:\*+(?:\.\*)?)?$/.test(glob);
}

/** `src/**`: below the directory it starts from, every file passes, however deep. */
export function admitsAllBelow(glob: string): boolean {
  const rest = glob.slice(fixedPart(glob).length);
  return rest.includes('**') && admitsAll(rest);
}

/** The directories of a glob before its first wildcard; empty when it begins with one. */
export function fixedPart(glob: string): string {
  const first = glob.search(/[*?[{]/);
  return first < 0 ? glob : glob.slice(0, glob.lastIndexOf('/', first) + 1);
}
