import { rolesOf } from '../model/role.ts';
import type { Mention, SymbolInfo } from './answer.ts';
import { declaresApart, labelOf, withOwner } from './declared.ts';
import { callersOf, familyOf } from './family.ts';
import type { GraphReader, SymbolEntry } from './graph-reader.ts';
import { receiverOf } from './package-methods.ts';
import { variantsOf } from './variants.ts';

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

export function describeSymbol(reader: GraphReader, id: number): SymbolInfo {
  const symbol = reader.symbol(id);
  const callers = [...callersOf(reader, familyOf(reader, id))].map((each) => reader.symbol(each));
  const others = variantsOf(reader, symbol).filter((each) => each !== id);
  const { lastLine, signature, doc, exported, role } = symbol;
  return {
    ...mention(symbol),
    lastLine,
    signature,
    ...(doc === undefined ? {} : { doc }),
    exported,
    test: role === 'test',
    ...(others.length > 0 && { variants: others.map((each) => mention(reader.symbol(each))) }),
    callers: callers.length,
    callerRoles: rolesOf(callers),
  };
}
