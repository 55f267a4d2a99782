/** A search that may touch many files, as far as the call itself tells. */
export interface Search {
  readonly tool: 'search' | 'glob' | 'shell';
  /** What is looked for, as the agent wrote it: patterns of content, or names for a listing. */
  readonly patterns: readonly string[];
  /** Absolute: the directory or file that is searched, the common base when there are several. */
  readonly place: string;
  /** Patterns of names that limit which files are searched. */
  readonly globs: readonly string[];
  /** The searching program's own names of file types that limit which files are searched: `ts`, `json`. */
  readonly types: readonly string[];
  /** It asks for files, not for what they hold. */
  readonly listing: boolean;
}

/** What a decision may look at; it stats a few paths and opens nothing. */
export interface Look {
  stat(path: string): { readonly kind: 'file' | 'dir' | 'other' } | undefined;
}

/** What the graph lacks to answer a search. */
export type Incompetence = 'outside' | 'dependency' | 'other-languages' | 'no-term';
