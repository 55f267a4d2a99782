/** Lines of a text, from 1. */
export interface Span {
  readonly first: number;
  readonly last: number;
}

interface Matched<Wanting, Source> {
  readonly wanting: ReadonlySet<Wanting>;
  readonly sources: ReadonlySet<Source>;
}

interface Entry<Wanting, Source> {
  readonly span: Span;
  readonly wanting?: Wanting;
  readonly source?: Source;
  before: Entry<Wanting, Source> | undefined;
  after: Entry<Wanting, Source> | undefined;
}

/**
 * Gives each source to one that wants it, the nearest pair first. The nearest pair are always neighbours, and a pair
 * that become neighbours later are no nearer than those between them were; so one pass over the distances is enough.
 */
export function matchNearest<Wanting extends Span, Source extends Span>(
  wanting: readonly Wanting[],
  sources: readonly Source[],
  inReach: (wanting: Wanting, source: Source, distance: number) => boolean,
): Matched<Wanting, Source> {
  const matched = { wanting: new Set<Wanting>(), sources: new Set<Source>() };
  const pairs: (readonly [Entry<Wanting, Source>, Entry<Wanting, Source>])[][] = [];
  const consider = (
    one: Entry<Wanting, Source> | undefined,
    other: Entry<Wanting, Source> | undefined,
    from: number,
  ): void => {
    if (one === undefined || other === undefined || (one.source === undefined) === (other.source === undefined)) return;
    (pairs[Math.max(from, gap(one.span, other.span))] ??= []).push([one, other]);
  };

  let last: Entry<Wanting, Source> | undefined;
  for (const entry of inOrder(wanting, sources)) {
    entry.before = last;
    if (last !== undefined) last.after = entry;
    consider(last, entry, 0);
    last = entry;
  }
  for (let distance = 0; distance < pairs.length; distance += 1) {
    const near = pairs[distance] ?? []; // may grow while it is read
    for (const [one, other] of near) {
      const want = one.wanting ?? other.wanting;
      const source = one.source ?? other.source;
      if (want === undefined || source === undefined) continue;
      if (matched.wanting.has(want) || matched.sources.has(source) || !inReach(want, source, distance)) continue;
      matched.wanting.add(want);
      matched.sources.add(source);
      const { before } = one;
      const { after } = other;
      if (before !== undefined) before.after = after;
      if (after !== undefined) after.before = before;
      consider(before, after, distance);
    }
  }
  return matched;
}

function inOrder<Wanting extends Span, Source extends Span>(
  wanting: readonly Wanting[],
  sources: readonly Source[],
): readonly Entry<Wanting, Source>[] {
  const ends = { before: undefined, after: undefined };
  return [
    ...wanting.map((span) => ({ span, wanting: span, ...ends })),
    ...sources.map((span) => ({ span, source: span, ...ends })),
  ].sort((one, other) => one.span.first - other.span.first);
}

const gap = (one: Span, other: Span): number => Math.max(0, one.first - other.last, other.first - one.last);
