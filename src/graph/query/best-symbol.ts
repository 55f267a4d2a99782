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

const HEADER = /\.(h|hh|hpp|hxx)$/;

/** Best first, in an order that depends on nothing but the graph. */
export function byMerit(reader: GraphReader, ids: readonly number[]): number[] {
  return ids
    .map((id) => meritsOf(reader, id))
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
    hidden: hiddenness(symbol),
    kind: kindRank(symbol),
    degree: degreeOf(reader, familyOf(reader, id)),
    children: childrenOf(reader, id).length,
    header: HEADER.test(symbol.path),
  };
}

function hiddenness({ visibility, exported }: SymbolEntry): number {
  if (visibility === 'special') return 2;
  return visibility === 'private' && !exported ? 1 : 0;
}

function kindRank(symbol: SymbolEntry): number {
  if (isCallable(symbol)) return 0;
  return isClassLike(symbol) ? 1 : symbol.kind === 'module' ? 3 : 2;
}

/** Not by the reader's language, which would sort differently from one machine to the next. */
export function byText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
