import { nameOf } from './describe-symbol.ts';
import type { SymbolEntry } from './graph-reader.ts';

/** Without what was made of others: declarations and output of the same name, where what was written is there. */
export function withoutCopies(symbols: readonly SymbolEntry[]): SymbolEntry[] {
  const written = new Set(symbols.filter(({ role }) => role !== 'generated').map(nameOf));
  return symbols.filter((symbol) => symbol.role !== 'generated' || !written.has(nameOf(symbol)));
}
