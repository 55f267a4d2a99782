import type { Mention, SymbolInfo } from './answer.ts';
import { declaresApart, labelOf, withOwner } from './declared.ts';
import { countCallers, familyOf } from './family.ts';
import type { GraphReader, SymbolEntry } from './graph-reader.ts';
import { receiverOf } from './package-methods.ts';

/** `Container.name` as the code has it, the path of a module. Which of several with one name it is, key and place say. */
export function nameOf(symbol: SymbolEntry): string {
  const { kind, path } = symbol;
  if (kind === 'module') return path;
  const receiver = receiverOf(symbol);
  if (receiver !== undefined) return `${receiver}.${symbol.name}`;
  return kind === 'method' && declaresApart(symbol) ? withOwner(symbol) : labelOf(symbol);
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
