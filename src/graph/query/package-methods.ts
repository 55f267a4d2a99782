import { directoryOf } from '../model/paths.ts';
import { descriptorOf, descriptorOfPath } from '../walk/known-languages.ts';
import type { GraphReader, SymbolEntry } from './graph-reader.ts';

/** Types of one package and the methods that are written apart from them. */
interface Package {
  readonly types: ReadonlyMap<string, number>;
  readonly methods: ReadonlyMap<string, readonly number[]>;
}

const known = new WeakMap<GraphReader, Map<string, Package>>();

/** A method may stand in another file than its type; its signature says whose it is. */
export function receiverOf({ kind, key, path, signature }: SymbolEntry): string | undefined {
  if (kind !== 'method' || key.includes('.', path.length + 1)) return undefined;
  return descriptorOfPath(path)?.receiver?.exec(signature)?.[1];
}

/** Methods of a type from all files of its package. */
export function methodsApart(reader: GraphReader, { path, name }: SymbolEntry): readonly number[] {
  const isApart = descriptorOfPath(path)?.receiver !== undefined;
  return isApart ? (packageAt(reader, path).methods.get(name) ?? []) : [];
}

/** The type that such a method belongs to. */
export function typeApart(reader: GraphReader, symbol: SymbolEntry): number | undefined {
  const receiver = receiverOf(symbol);
  return receiver === undefined ? undefined : packageAt(reader, symbol.path).types.get(receiver);
}

function packageAt(reader: GraphReader, path: string): Package {
  const packages = known.get(reader) ?? new Map<string, Package>();
  known.set(reader, packages);
  const directory = directoryOf(path);
  const before = packages.get(directory);
  if (before) return before;
  const types = new Map<string, number>();
  const methods = new Map<string, number[]>();
  for (const file of reader.files()) {
    if (directoryOf(file.path) !== directory || descriptorOf(file.language)?.receiver === undefined) continue;
    for (const id of reader.symbolsOf(file.path)) {
      const symbol = reader.symbol(id);
      const receiver = receiverOf(symbol);
      if (receiver === undefined) {
        if (TYPES.has(symbol.kind) && !types.has(symbol.name)) types.set(symbol.name, id);
        continue;
      }
      const own = methods.get(receiver);
      if (own) own.push(id);
      else methods.set(receiver, [id]);
    }
  }
  const made = { types, methods };
  packages.set(directory, made);
  return made;
}

const TYPES = new Set<SymbolEntry['kind']>(['struct', 'interface', 'type']);
