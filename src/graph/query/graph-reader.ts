import type { DefinitionKind, FileFlag, Language, Visibility } from '../model/facts.ts';
import type { Role } from '../model/role.ts';
import type { EdgeKind, Why } from '../model/links.ts';

/** A finished graph, opened for questions. Symbols are numbers from 0 on; each file's module is one of them. */
export interface GraphReader {
  /** Of everything that was derived: two graphs of the same files have the same. */
  readonly digest: string;
  readonly root: string;
  readonly counts: GraphCounts;
  files(): readonly FileEntry[];
  /** The files that have one of these flags: there are few, and no other is taken apart for it. */
  flagged(flags: ReadonlySet<FileFlag>): readonly FileEntry[];
  file(path: string): FileEntry | undefined;
  symbol(id: number): SymbolEntry;
  /** The symbols of a file without its module, in order of appearance. */
  symbolsOf(path: string): readonly number[];
  /** All symbols of exactly this name. */
  named(name: string): readonly number[];
  /** Different names with the symbols that have them, for searching; in a stable order. */
  eachName(visit: (name: string, symbols: readonly number[]) => void): void;
  /** `path#Container.name`. */
  byKey(key: string): number | undefined;
  incoming(id: number): readonly Link[];
  outgoing(id: number): readonly Link[];
  /** Links that may lead here; never part of `incoming`. */
  maybeIncoming(id: number): readonly Link[];
  maybeOutgoing(id: number): readonly Link[];
  /** References of this name that could not be resolved. */
  unresolved(name: string): number;
  /** All names of a file that could not be resolved, and how often; of a file that was not read, the words it has. */
  unresolvedIn(path: string): readonly (readonly [name: string, count: number])[];
  close(): void;
}

export interface GraphCounts {
  readonly files: number;
  readonly symbols: number;
  readonly edges: number;
  readonly possible: number;
  readonly unresolved: number;
  readonly outside: number;
  readonly languages: Readonly<Partial<Record<Language, { readonly files: number; readonly symbols: number }>>>;
  /** Files that are listed without facts, or without all of them, by reason. */
  readonly skipped: Readonly<Record<string, number>>;
}

export interface FileEntry {
  readonly path: string;
  readonly language: Language;
  readonly flags: readonly FileFlag[];
  readonly role: Role;
  /** The symbol of the module. */
  readonly module: number;
  readonly symbols: number;
  readonly size: number;
  readonly mtimeMs: number;
  /** References in this file that could not be resolved. */
  readonly unresolved: number;
}

export interface SymbolEntry {
  readonly id: number;
  readonly key: string;
  readonly path: string;
  readonly name: string;
  readonly kind: DefinitionKind | 'module';
  /** Symbol of the enclosing definition or module; undefined for a module. */
  readonly container: number | undefined;
  /** Lines count from 1, columns from 1. */
  readonly firstLine: number;
  readonly lastLine: number;
  readonly line: number;
  readonly column: number;
  readonly signature: string;
  readonly exported: boolean;
  readonly visibility: Visibility;
  /** That of its file, unless it is a test inside a file that is none. */
  readonly role: Role;
  /** A function inside a function: reached from its container alone. */
  readonly isLocal: boolean;
  /** Without a body: of an interface, abstract, or defined elsewhere. */
  readonly isDeclared: boolean;
  readonly doc: string | undefined;
}

export interface Link {
  /** The symbol at the other end. */
  readonly symbol: number;
  readonly kind: EdgeKind;
  readonly path: string;
  readonly line: number;
  readonly column: number;
  readonly why: Why;
}
