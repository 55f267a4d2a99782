import { childrenOf, degreeOf, familyOf, isCallable, isClassLike } from './family.ts';
import type { GraphReader, SymbolEntry } from './graph-reader.ts';

interface Merits {
  readonly symbol: SymbolEntry;
  readonly hidden: number;
  readonly kind: number;
  readonly degree: number;
  readonly children: number;
  readonly header: boolean;
}

/** Ranks of kinds. */
const KINDS = 4;
/** Of more symbols of one rank in a file, which nobody wrote by hand, the first so many are weighed. */
const MOST_WEIGHED = 1_000;
const HEADER = /\.(h|hh|hpp|hxx)$/;

/** Best first, in an order that depends on nothing but the graph. */
export function byMerit(reader: GraphReader, ids: readonly number[]): number[] {
  return inOrder(ids.map((id) => meritsOf(reader, id)));
}

/**
 * The first by merit of those that something calls or that call something. Degrees are asked for no sooner than they
 * decide: of a large file that takes longest.
 */
export function bestConnected(reader: GraphReader, symbols: readonly SymbolEntry[]): number | undefined {
  const ranks = new Map<number, number[]>();
  for (const symbol of symbols) {
    const rank = hiddenness(reader, symbol) * KINDS + kindRank(symbol);
    const same = ranks.get(rank);
    if (same) same.push(symbol.id);
    else ranks.set(rank, [symbol.id]);
  }
  for (const rank of [...ranks.keys()].sort((a, b) => a - b)) {
    const merits = (ranks.get(rank) ?? []).slice(0, MOST_WEIGHED).map((id) => meritsOf(reader, id));
    const [best] = inOrder(merits.filter(({ degree }) => degree > 0));
    if (best !== undefined) return best;
  }
  return undefined;
}

function inOrder(merits: Merits[]): number[] {
  return merits
    .sort(
      (a, b) =>
        a.hidden - b.hidden ||
        a.kind - b.kind ||
        b.degree - a.degree ||
        b.children - a.children ||
        Number(a.header) - Number(b.header) ||
        a.symbol.firstLine - b.symbol.firstLine ||
        byText(a.symbol.key, b.symbol.key),
    )
    .map(({ symbol }) => symbol.id);
}

function meritsOf(reader: GraphReader, id: number): Merits {
  const symbol = reader.symbol(id);
  return {
    symbol,
    hidden: hiddenness(reader, symbol),
    kind: kindRank(symbol),
    degree: degreeOf(reader, familyOf(reader, id)),
    children: childrenOf(reader, id).length,
    header: HEADER.test(symbol.path),
  };
}

/** A member is as open as what it belongs to. */
function hiddenness(reader: GraphReader, { visibility, exported, container }: SymbolEntry): number {
  if (visibility === 'special') return 2;
  if (exported) return 0;
  const outer = visibility === 'private' || container === undefined ? undefined : reader.symbol(container);
  return outer === undefined || outer.kind === 'module' ? 1 : Math.min(1, hiddenness(reader, outer));
}

function kindRank(symbol: SymbolEntry): number {
  if (isCallable(symbol)) return 0;
  return isClassLike(symbol) ? 1 : symbol.kind === 'module' ? 3 : 2;
}

/** Not by the reader's language, which would sort differently from one machine to the next. */
export function byText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
