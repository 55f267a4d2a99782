import type { Mention, SymbolInfo } from './answer.ts';
import { isC, withOwner } from './declared.ts';
import { countCallers, familyOf } from './family.ts';
import type { GraphReader, SymbolEntry } from './graph-reader.ts';
import { receiverOf } from './package-methods.ts';

/** `Container.name`, the path of a module. */
export function nameOf(symbol: SymbolEntry): string {
  const { key, kind, path } = symbol;
  if (kind === 'module') return path;
  const receiver = receiverOf(symbol);
  const name = key.slice(path.length + 1);
  if (receiver !== undefined) return `${receiver}.${name}`;
  return kind === 'method' && isC(symbol) ? withOwner(symbol) : name;
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
