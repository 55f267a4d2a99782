import { keysOfPath, matchGlob, matchGlobPath, requiredKeys } from '../../text/glob.ts';
import type { Glob, GlobPath } from '../../text/glob.ts';

/** The workspace root a path belongs to; empty when it has none. */
export type RootOf = (path: string) => string;

export interface SplitPath {
  readonly segments: readonly string[];
  /** The segments below `root`, or below the path's own workspace; undefined when it lies elsewhere. */
  below(root: string | undefined): readonly string[] | undefined;
}

export function splitPath(path: string, rootOf: RootOf): SplitPath {
  const segments = segmentsOf(path);
  let own: readonly string[] | undefined | null = null;
  return {
    segments,
    below: (root) => {
      if (root !== undefined) return segmentsBelow(path, segments, root);
      return (own = own === null ? segmentsBelow(path, segments, rootOf(path)) : own);
    },
  };
}

function segmentsBelow(path: string, segments: readonly string[], root: string): readonly string[] | undefined {
  if (root === '' || !path.startsWith(root) || (path.length > root.length && path[root.length] !== '/'))
    return undefined;
  return segments.slice(segmentsOf(root).length);
}

function segmentsOf(path: string): string[] {
  return path.split('/').filter((text) => text !== '');
}

/** Something that waits for paths. */
export interface PathEntry {
  readonly rule: { readonly root?: string };
  readonly globs: readonly Glob[];
}

export interface PathIndex<Entry extends PathEntry> {
  readonly entries: readonly Entry[];
  /** Entries by a literal that one of their globs requires. */
  readonly byKey: ReadonlyMap<string, readonly { readonly entry: Entry; readonly path: GlobPath }[]>;
  /** Entries with a glob that has no literal to index by. */
  readonly keyless: readonly Entry[];
}

/** Each glob goes under the literal that fewest others share, so that a thousand rules on `*.ts` do not share one list. */
export function indexPaths<Entry extends PathEntry>(entries: readonly Entry[]): PathIndex<Entry> {
  const count = new Map<string, number>();
  const alternatives = entries.flatMap((entry) =>
    entry.globs.flatMap((glob) => glob.alternatives.map((path) => ({ entry, path, keys: requiredKeys(path) }))),
  );
  for (const { keys } of alternatives) for (const key of keys) count.set(key, (count.get(key) ?? 0) + 1);
  const byKey = new Map<string, { entry: Entry; path: GlobPath }[]>();
  const keyless = new Set<Entry>();
  for (const { entry, path, keys } of alternatives) {
    const key = keys.sort((a, b) => (count.get(a) ?? 0) - (count.get(b) ?? 0))[0];
    if (key === undefined) keyless.add(entry);
    else byKey.set(key, [...(byKey.get(key) ?? []), { entry, path }]);
  }
  return { entries, byKey, keyless: [...keyless] };
}

/** Hands over every entry with a glob that matches; one may come more than once. */
export function findByPath<Entry extends PathEntry>(
  { byKey, keyless }: PathIndex<Entry>,
  target: SplitPath,
  take: (entry: Entry) => void,
): void {
  for (const key of keysOfPath(target.segments)) {
    for (const { entry, path } of byKey.get(key) ?? []) {
      if (matchGlobPath(path, target.below(entry.rule.root), target.segments)) take(entry);
    }
  }
  for (const entry of keyless) {
    if (entry.globs.some((glob) => matchGlob(glob, target.below(entry.rule.root), target.segments))) take(entry);
  }
}
