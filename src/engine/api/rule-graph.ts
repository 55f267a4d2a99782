/** What the built-in code graph of a workspace can tell at once. */
export interface RuleGraph {
  readonly state: 'initialised' | 'stable';
  /** The workspace has more files than are indexed, so that callers may be missing. */
  readonly hasPartialScope?: boolean;
  /** The one symbol of exactly this name; undefined when there is none or more than one. */
  symbol(name: string): RuleSymbol | undefined;
  /**
   * The symbol of a file that is most worth knowing about, and what calls it and is called by it; undefined when none has
   * an impact. With `lines`, those that were read, symbols there come first. The path is absolute.
   */
  impactOf(path: string, lines?: LineRange): Impact | undefined;
  /** A file of tests, named by its absolute path. */
  isTest(path: string): boolean;
  /** Files below a directory, those that most depends on first; all paths absolute. */
  filesBelow(dir: string, max: number): readonly string[];
  /** Resolves when the file is read again after a change that is known of, or when so much time is over; undefined when there is nothing to wait for. */
  whenCurrent(path: string, ms: number): Promise<void> | undefined;
  /** The file is not what was indexed: it is read again once the reply is out. The path is absolute. */
  recheck(path: string): void;
}

export interface LineRange {
  readonly first: number;
  readonly last: number;
}

/** A place in the code as of when it was indexed: `path` is absolute. */
export interface CodeLocation {
  readonly name: string;
  readonly path: string;
  readonly line: number;
  /** Where in the line what is meant begins. */
  readonly column: number;
  /** As of when it was indexed. */
  readonly size: number;
  readonly mtimeMs: number;
}

/** What joins a symbol and one that calls it, or that it calls: `line` is that of the first call, or of what is called. */
export interface CallLink extends CodeLocation {
  /** What the line has to hold for this to be true still. */
  readonly called: string;
  readonly sites: number;
  readonly isTest: boolean;
}

/** The first of a list, best first, and how many there are in all. */
export interface Ranked<Item> {
  readonly total: number;
  readonly items: readonly Item[];
}

export interface Impact {
  readonly key: string;
  readonly symbol: CodeLocation & { readonly qualified: string; readonly kind: string };
  /** The package of the file, where the root has several. */
  readonly package?: string;
  readonly callers: Ranked<CallLink> & { readonly files: number };
  readonly callees: Ranked<CallLink>;
  /** Among those who call it, directly or not, nearest first; there may be more than the total. */
  readonly tests: Ranked<CallLink>;
  /** Call sites that may lead here and are not counted. */
  readonly possible: number;
  /** Call sites of this name that led nowhere. */
  readonly unresolved: number;
  /** Calls from here that may lead somewhere, and references in its file that led nowhere. */
  readonly calleeDoubt: { readonly possible: number; readonly unresolved: number };
}

export interface RuleSymbol extends CodeLocation {
  /** Each where it calls first; that line need not have the symbol's own name. */
  readonly callers: readonly CodeLocation[];
}
