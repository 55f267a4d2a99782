import { byRole } from '../model/role.ts';
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
  return inOrder(ids.map((id) => meritsOf(reader, id)));
}

function inOrder(merits: Merits[]): number[] {
  return merits
    .sort(
      (a, b) =>
        byRole(a.symbol.role, b.symbol.role) ||
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
export function hiddenness(reader: GraphReader, { visibility, exported, container }: SymbolEntry): number {
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
