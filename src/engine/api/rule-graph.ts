/** What the built-in code graph of a workspace can tell at once. */
export interface RuleGraph {
  readonly state: 'initialised' | 'stable';
  /** The workspace has more files than are indexed, so that callers may be missing. */
  readonly hasPartialScope?: boolean;
  /** Symbols of exactly this name, or of what may be meant by one behind another and a dot (`Store.save`); those that matter most first, at most `max`. */
  symbols(name: string, max: number): Ranked<RuleSymbol>;
  /**
   * The symbol of a file that matters most to whoever changes it, and what calls it and is called by it; undefined where
   * none has an impact or the choice is doubtful. Of the names that are wanted, and in the lines that were read, symbols
   * come first. The path is absolute.
   */
  impactOf(
    path: string,
    wanted?: { readonly lines?: LineRange | undefined; readonly names?: readonly string[] },
  ): Impact | undefined;
  /** The innermost functions and types of a file that lines of it belong to, with those who call them. */
  symbolsIn(path: string, lines: LineRange): readonly CodeSymbol[];
  /** By its key, as it is now. */
  symbolAt(key: string): CodeSymbol | undefined;
  /** Absolute paths of the files of tests that reach symbols, directly or not; those that are nearest first. */
  testsReaching(keys: readonly string[]): readonly string[];
  /** A file of tests, named by its absolute path. */
  isTest(path: string): boolean;
  /** Files below a directory, those that most depends on first; all paths absolute. */
  filesBelow(dir: string, max: number): readonly string[];
  /** Resolves when the file is read again after a change that is known of, or when so much time is over; undefined when there is nothing to wait for. */
  whenCurrent(path: string, ms: number): Promise<void> | undefined;
  /** Resolves when all changes that are being looked for are read, or when so much time is over; undefined when nothing is under way. */
  whenStable(ms: number): Promise<void> | undefined;
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
}

/** The first of a list, best first, and how many there are in all. */
export interface Ranked<Item> {
  readonly total: number;
  readonly items: readonly Item[];
}

export interface Impact {
  readonly key: string;
  readonly symbol: SymbolLocation;
  /** The package of the file, where the root has several. */
  readonly package?: string;
  /** Another symbol of the file that matters as much. */
  readonly also?: SymbolLocation & { readonly callers: RoleCounts };
  readonly callers: Ranked<CallLink> & { readonly roles: RoleCounts };
  readonly use: SymbolUse;
  readonly callees: Ranked<CallLink>;
  /** Among those who call it, directly or not, nearest first; there may be more than the total. */
  readonly tests: Ranked<CallLink>;
  /** Where it stands in for members of interfaces and bases, or others for it; not counted among callers. */
  readonly dispatch?: {
    /** The member by which it may be called most often, by how many, and how many more such members there are. */
    readonly as?: { readonly name: string; readonly callers: RoleCounts; readonly more: number };
    /** How many stand in for it. */
    readonly implemented: number;
    /** Whether the tests reach it through such members alone. */
    readonly areTestsThrough: boolean;
  };
  readonly unread?: UnreadCode;
  /** Call sites that may lead here and are not counted. */
  readonly possible: number;
  /** Call sites of this name that led nowhere. */
  readonly unresolved: number;
  /** Calls from here that may lead somewhere, and references in its file that led nowhere. */
  readonly calleeDoubt: { readonly possible: number; readonly unresolved: number };
}

/** Files that were not read, or not all of them, and may have more that leads to a symbol; absolute paths, the first few. */
export type UnreadCode = Ranked<string>;

export interface SymbolLocation extends CodeLocation {
  /** With the names that it lies in. */
  readonly qualified: string;
  readonly kind: string;
}

/** What code is there for, in the order in which it is told of. */
export type CodeRole = 'production' | 'test' | 'sample' | 'generated' | 'vendored';
export type RoleCounts = Readonly<Partial<Record<CodeRole, number>>>;

/** How code leads to a symbol without a call: places that name it, and symbols that implement, extend or override it. */
export interface SymbolUse {
  readonly places: RoleCounts;
  readonly implementers: number;
  /** References of this name that led nowhere. */
  readonly unresolved: number;
}

export interface CodeSymbol extends SymbolLocation {
  readonly key: string;
  readonly lines: LineRange;
  readonly signature: string;
  /** The first of those who call it, each where it does first. */
  readonly callers: readonly CallLink[];
}

export interface RuleSymbol extends SymbolLocation {
  /** Production first, each where it calls first; that line need not have the symbol's own name. */
  readonly callers: Ranked<CodeLocation> & { readonly roles: RoleCounts };
  readonly use: SymbolUse;
  readonly unread?: UnreadCode;
}
