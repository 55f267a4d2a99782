import type { Mention, SymbolInfo } from './answer.ts';
import { countCallers, familyOf } from './family.ts';
import type { GraphReader, SymbolEntry } from './graph-reader.ts';

/** `Container.name` of a key, the path of a module. */
export function nameOf({ key, kind, path }: SymbolEntry): string {
  return kind === 'module' ? path : key.slice(path.length + 1);
}

export function mention(symbol: SymbolEntry): Mention {
  return { key: symbol.key, name: nameOf(symbol), kind: symbol.kind, path: symbol.path, line: symbol.line };
}

export function describeSymbol(reader: GraphReader, id: number, callers?: number): SymbolInfo {
  const symbol = reader.symbol(id);
  const { lastLine, signature, doc, exported, isTest } = symbol;
  return {
    ...mention(symbol),
    lastLine,
    signature,
    ...(doc === undefined ? {} : { doc }),
    exported,
    test: isTest,
    callers: callers ?? countCallers(reader, familyOf(reader, id)),
  };
}
