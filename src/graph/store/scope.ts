import type { Files } from '../../platform/files.ts';
import type { GraphPaths } from './graph-paths.ts';
import { MAX_FILES } from '../walk/walk-options.ts';
import type { WalkOptions } from '../walk/walk-options.ts';

/** How much of a workspace that has more files than the cap is indexed. */
export interface PartialScope {
  readonly files: number;
  /** Files that could be. */
  readonly of: number;
  /** They were not all counted. */
  readonly atLeast?: true;
}

/** What of a root is indexed before the rest. */
export interface Leading {
  /** Directories of the packages that sessions have touched, the newest first. */
  readonly touched: readonly string[];
  /** These, and the packages of the same root that they depend on. */
  readonly first: readonly string[];
  /** Tells when what they depend on may have changed. */
  readonly manifests?: string;
}

/** What a root that is above the cap is indexed by: `<ws>/scope.json`, written by the indexing process alone. A root below it has none. */
export interface Scope extends PartialScope, Leading {
  readonly version: 1;
  readonly root: string;
}

const MAX_BYTES = 1 << 20;
const MAX_TOUCHED = 50;

/** What is damaged, or of another root, counts as none. */
export function readScope(files: Pick<Files, 'readText'>, location: GraphPaths, root: string): Scope | undefined {
  const text = files.readText(location.scope, MAX_BYTES);
  if (text === undefined) return undefined;
  let read: Partial<Scope> | null;
  try {
    read = JSON.parse(text) as Partial<Scope> | null;
  } catch {
    return undefined;
  }
  if (read?.version !== 1 || read.root !== root) return undefined;
  const { files: indexed, of, atLeast, touched, first, manifests } = read;
  if (typeof indexed !== 'number' || typeof of !== 'number' || !areTexts(touched) || !areTexts(first)) return undefined;
  return {
    version: 1,
    root,
    files: indexed,
    of,
    ...(atLeast === true && { atLeast }),
    touched,
    first,
    ...(typeof manifests === 'string' && { manifests }),
  };
}

/** Writes down what a walk has come to, where that is not known yet. */
export function keepScope(
  files: Pick<Files, 'makeDir' | 'writeDerived' | 'remove' | 'exists' | 'readText'>,
  location: GraphPaths,
  scope: Scope | undefined,
): void {
  if (scope === undefined) {
    if (files.exists(location.scope)) files.remove(location.scope);
    return;
  }
  const text = `${JSON.stringify(scope)}\n`;
  if (files.readText(location.scope, MAX_BYTES) === text) return;
  files.makeDir(location.workspace, 0o700);
  files.writeDerived(location.scope, new TextEncoder().encode(text), 0o600);
}

/** Undefined where nothing was beyond the cap. */
export function scopeOf(
  root: string,
  skipped: Readonly<Record<string, number>>,
  { maxFiles = MAX_FILES }: WalkOptions = {},
  { touched, first, manifests }: Leading = { touched: [], first: [] },
): Scope | undefined {
  const beyond = skipped['too-many'] ?? 0;
  if (beyond === 0) return undefined;
  const atLeast = beyond >= maxFiles;
  return {
    version: 1,
    root,
    files: maxFiles,
    of: maxFiles + beyond,
    ...(atLeast && { atLeast }),
    touched,
    first,
    ...(manifests !== undefined && { manifests }),
  };
}

export function withTouched(touched: readonly string[], now: readonly string[]): string[] {
  return [...new Set([...now, ...touched])].slice(0, MAX_TOUCHED);
}

/** The walk that a root is indexed by. */
export function walkIn(scope: Pick<Leading, 'first'> | undefined, walk: WalkOptions | undefined): WalkOptions {
  return scope === undefined || scope.first.length === 0 ? (walk ?? {}) : { ...walk, first: scope.first };
}

/** What others are told of it. */
export function partOf(scope: Scope | undefined): PartialScope | undefined {
  return scope && { files: scope.files, of: scope.of, ...(scope.atLeast && { atLeast: true }) };
}

function areTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string');
}
