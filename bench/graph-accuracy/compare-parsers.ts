import type { Indexed } from './index-corpus.ts';
import type { Oracle } from './oracle.ts';
import { placeKey, type Found, type Place } from './score.ts';

/** Two sets of places: ours and the real parser's. */
export interface Agreement {
  readonly ours: number;
  readonly theirs: number;
  /** Of ours, those the parser has as well. */
  readonly right: number;
  /** Of the parser's, those we have as well. */
  readonly found: number;
  readonly extra: readonly Place[];
  readonly missing: readonly Place[];
}

export function compareDefinitions(oracle: Oracle, { definitions }: Pick<Indexed, 'definitions'>): Agreement {
  return compare(judgeable(oracle, definitions), oracle.definitions, oracle.names);
}

/** Decorators that are only named are no call sites, and calls of what has no name are not compared. */
export function compareSites(oracle: Oracle, indexed: Pick<Indexed, 'sites'>): Agreement {
  const decorators = oracle.sites.filter(({ kind }) => kind === 'decorator');
  const calls = oracle.sites.filter(({ kind }) => kind !== 'decorator');
  return compare(
    judgeable(
      oracle,
      indexed.sites.filter(({ name }) => name !== ''),
    ),
    calls,
    decorators,
  );
}

/** Edges that the judge can judge: one that leads to a file of another build may be right there. */
export function judgeableEdges(oracle: Oracle, edges: readonly Found[]): Found[] {
  return judgeable(oracle, edges).filter(({ target }) => !oracle.variants.has(target.file));
}

/**
 * Leaves out what is in files the judge has not read, and what stands where its places cannot be relied on, unless the
 * judge has it at the same place.
 */
export function judgeable<T extends Place>(oracle: Oracle, places: readonly T[]): T[] {
  const known = new Set(oracle.sites.map(placeKey));
  const byFile = new Map<string, Oracle['blurred'][number][]>();
  for (const range of oracle.blurred) byFile.set(range.from.file, [...(byFile.get(range.from.file) ?? []), range]);
  return places.filter((place) => {
    if (!oracle.files.has(place.file)) return false;
    const blurred = byFile.get(place.file);
    if (blurred === undefined || known.has(placeKey(place))) return true;
    return !blurred.some(({ from, to }) => isBefore(from, place) && isBefore(place, to));
  });
}

function compare(ours: readonly Place[], theirs: readonly Place[], allowed: readonly Place[]): Agreement {
  const mine = new Set(ours.map(placeKey));
  const wanted = new Set(theirs.map(placeKey));
  const known = new Set([...wanted, ...allowed.map(placeKey)]);
  const extra = ours.filter((place) => !known.has(placeKey(place)));
  const missing = theirs.filter((place) => !mine.has(placeKey(place)));
  return {
    ours: ours.length,
    theirs: theirs.length,
    right: ours.length - extra.length,
    found: theirs.length - missing.length,
    extra,
    missing,
  };
}

function isBefore(a: Place, b: Place): boolean {
  return a.line < b.line || (a.line === b.line && a.column <= b.column);
}
