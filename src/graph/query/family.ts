import { CONFIDENCE, COUNTS_FROM } from '../model/links.ts';
import type { EdgeKind } from '../model/links.ts';
import { descriptorOf } from '../walk/known-languages.ts';
import { classApart, declaresApart, definitionOf } from './declared.ts';
import type { GraphReader, Link, SymbolEntry } from './graph-reader.ts';
import { methodsApart, typeApart } from './package-methods.ts';
import { firstVariant, variantsOf } from './variants.ts';

/** What is asked about when one symbol is: itself, and for a class or module all that is in it. */
export interface Family {
  readonly head: number;
  readonly ids: ReadonlySet<number>;
  /** At which level the other ends of edges are summed. */
  readonly level: 'symbol' | 'class' | 'module';
}

const CALLABLE = new Set<SymbolEntry['kind']>(['function', 'method']);
const CLASS_LIKE = new Set<SymbolEntry['kind']>(['class', 'struct', 'interface', 'trait', 'enum', 'type', 'namespace']);

export function isCallable({ kind }: SymbolEntry): boolean {
  return CALLABLE.has(kind);
}

export function isClassLike({ kind }: SymbolEntry): boolean {
  return CLASS_LIKE.has(kind);
}

export function isCall(kind: EdgeKind): boolean {
  return kind === 'calls' || kind === 'instantiates';
}

export function counts({ why }: Link): boolean {
  return CONFIDENCE[why] >= COUNTS_FROM;
}

/** The symbols of one file by their container, and functions also by container and name. */
interface Children {
  readonly of: ReadonlyMap<number, readonly number[]>;
  readonly callable: ReadonlyMap<string, readonly number[]>;
}

const known = new WeakMap<GraphReader, Map<string, Children>>();

/** Worked out once per file, since many symbols of it may be asked about. */
function childrenIn(reader: GraphReader, path: string): Children {
  const files = known.get(reader) ?? new Map<string, Children>();
  known.set(reader, files);
  const before = files.get(path);
  if (before) return before;
  const of = new Map<number, number[]>();
  const callable = new Map<string, number[]>();
  for (const id of reader.symbolsOf(path)) {
    const symbol = reader.symbol(id);
    if (symbol.container === undefined) continue;
    push(of, symbol.container, id);
    if (isCallable(symbol)) push(callable, siblingKey(symbol), id);
  }
  const children = { of, callable };
  files.set(path, children);
  return children;
}

function push<Key>(lists: Map<Key, number[]>, key: Key, id: number): void {
  const own = lists.get(key);
  if (own) own.push(id);
  else lists.set(key, [id]);
}

function siblingKey({ container, name }: SymbolEntry): string {
  return `${container} ${name}`;
}

export function childrenOf(reader: GraphReader, id: number): readonly number[] {
  return childrenIn(reader, reader.symbol(id).path).of.get(id) ?? [];
}

export function familyOf(reader: GraphReader, head: number): Family {
  const symbol = reader.symbol(head);
  if (symbol.kind === 'module')
    return { head, ids: new Set([head, ...reader.symbolsOf(symbol.path)]), level: 'module' };
  const ids = new Set([head]);
  if (isCallable(symbol)) {
    for (const id of overloadsOf(reader, symbol)) ids.add(id);
    for (const id of variantsOf(reader, symbol)) ids.add(id);
    // What a function hands out and nobody calls by name runs on its behalf.
    for (const id of ids)
      for (const child of childrenOf(reader, id)) if (factoryOf(reader, child) !== undefined) ids.add(child);
    const methods = methodsMade(reader, head);
    if (methods.length === 0) return { head, ids, level: 'symbol' };
    return { head, ids: new Set([...ids, ...methods]), level: 'class' };
  }
  for (const id of variantsOf(reader, symbol)) ids.add(id);
  for (const id of methodsApart(reader, symbol)) ids.add(id);
  for (const id of ids) for (const child of childrenOf(reader, id)) ids.add(child);
  if (declaresApart(symbol)) for (const id of ids) ids.add(definitionOf(reader, id));
  return { head, ids, level: isClassLike(symbol) || ids.size > 1 ? 'class' : 'symbol' };
}

const MAKERS: ReadonlySet<SymbolEntry['kind']> = new Set(['function', 'method', 'constant', 'variable']);

/** The function that made a closure which no call leads to, or what was made of it. */
export function factoryOf(reader: GraphReader, id: number): number | undefined {
  const symbol = reader.symbol(id);
  if (!symbol.isLocal || !isCallable(symbol) || symbol.container === undefined) return undefined;
  const { kind } = reader.symbol(symbol.container);
  if (!MAKERS.has(kind)) return undefined;
  return reader.incoming(id).some((link) => isCall(link.kind) && counts(link)) ? undefined : symbol.container;
}

/** What leads to a symbol by a call: who calls it, and of a closure who made it. */
export function callsInto(reader: GraphReader, id: number): readonly Link[] {
  const calls = reader.incoming(id).filter((link) => isCall(link.kind) && counts(link));
  const factory = factoryOf(reader, id);
  if (factory === undefined) return calls;
  const { path, line, column } = reader.symbol(id);
  return [...calls, { symbol: factory, kind: 'calls', path, line, column, why: 'scope' }];
}

/** Where a function makes objects, what they can do belongs to it as to a class. */
function methodsMade(reader: GraphReader, head: number): readonly number[] {
  return childrenOf(reader, head).filter((child) => {
    const { kind, isLocal } = reader.symbol(child);
    return kind === 'method' && !isLocal;
  });
}

/** Where a function cannot be defined twice in one place, what looks so are declarations of the one. */
function overloadsOf(reader: GraphReader, symbol: SymbolEntry): readonly number[] {
  const language = reader.file(symbol.path)?.language;
  if (language === undefined || !descriptorOf(language)?.overloadsAreOne) return [];
  const same = childrenIn(reader, symbol.path).callable.get(siblingKey(symbol)) ?? [];
  return same.length > MOST_OVERLOADS ? [] : same;
}

/** More of one name in one place are no overloads that somebody wrote. */
const MOST_OVERLOADS = 50;

/** The symbol that stands for the other end of an edge: D for a call from `D.d`, when a class is asked about. */
export function lifted(reader: GraphReader, id: number, level: Family['level']): number {
  if (level === 'symbol') return firstVariant(reader, id);
  const symbol = reader.symbol(id);
  if (level === 'module') return reader.file(symbol.path)?.module ?? id;
  for (let each = symbol; ;) {
    if (isClassLike(each)) return firstVariant(reader, each.id);
    const apart = typeApart(reader, each) ?? classApart(reader, each);
    if (apart !== undefined) return apart;
    if (each.container === undefined) return firstVariant(reader, id);
    each = reader.symbol(each.container);
  }
}

export function countCallers(reader: GraphReader, family: Family): number {
  return callersOf(reader, family).size;
}

/** Distinct symbols outside the family that call into it. */
export function callersOf(reader: GraphReader, family: Family): ReadonlySet<number> {
  const seen = new Set<number>();
  const callers = new Set<number>();
  for (const id of family.ids) {
    for (const link of reader.incoming(id)) {
      if (!isCall(link.kind) || seen.has(link.symbol) || family.ids.has(link.symbol) || !counts(link)) continue;
      seen.add(link.symbol);
      callers.add(lifted(reader, link.symbol, family.level));
    }
  }
  return callers;
}

/** Distinct callers and callees of a symbol itself. */
export function degreeOf(reader: GraphReader, family: Family): number {
  const callees = new Set<number>();
  for (const id of family.ids) {
    for (const link of reader.outgoing(id)) {
      if (isCall(link.kind) && !family.ids.has(link.symbol) && counts(link))
        callees.add(lifted(reader, link.symbol, family.level));
    }
  }
  return countCallers(reader, family) + callees.size;
}
