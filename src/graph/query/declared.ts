import { descriptorOfPath } from '../walk/known-languages.ts';
import type { GraphReader, SymbolEntry } from './graph-reader.ts';

/** What files declare under one name, and where that is defined. */
interface Apart {
  readonly definition: ReadonlyMap<number, number>;
  readonly declarations: ReadonlyMap<number, readonly number[]>;
}

/** Definitions that one declaration may mean: of one name, in one namespace or class. */
interface Candidates {
  readonly byStem: Map<string, Placed>;
  first: Placed;
  isTogether: boolean;
}

/** Those in one file, by how many parameters they have. */
interface Placed {
  readonly path: string;
  readonly first: number;
  readonly byCount: Map<number, number>;
}

const known = new WeakMap<GraphReader, Map<string, Apart>>();

/** A declaration and its definition in another file are one symbol, which is where the definition is. */
export function definitionOf(reader: GraphReader, id: number): number {
  const symbol = reader.symbol(id);
  return symbol.isDeclared && declaresApart(symbol) ? (apartOf(reader, symbol.name).definition.get(id) ?? id) : id;
}

/** The class that declares what is defined outside of it. */
export function classApart(reader: GraphReader, symbol: SymbolEntry): number | undefined {
  if (symbol.kind !== 'method' || symbol.isDeclared || !declaresApart(symbol)) return undefined;
  const [declaration] = apartOf(reader, symbol.name).declarations.get(symbol.id) ?? [];
  const container = declaration === undefined ? undefined : reader.symbol(declaration).container;
  return container === undefined || reader.symbol(container).kind === 'module' ? undefined : container;
}

/** `Area` of `void Area::draw()` and `geo.Area` of `void geo::Area::draw()`, where that is not the container anyway. */
function scopeOf(symbol: SymbolEntry): string | undefined {
  if (symbol.kind !== 'method' || symbol.isDeclared || !declaresApart(symbol)) return undefined;
  const scope = SCOPE.exec(headOf(symbol)?.before ?? '')?.[1];
  if (scope === undefined) return undefined;
  const whole = scope.replaceAll(/<[^<>]*>/g, '').replaceAll('::', '.');
  return lastOf(containerOf(symbol)) === lastOf(whole) ? undefined : whole;
}

/** `geo.Area.draw`, though it stands outside of its class. */
export function withOwner(symbol: SymbolEntry): string {
  return scopeOf(symbol) === undefined ? labelOf(symbol) : `${ownerOf(symbol)}.${symbol.name}`;
}

/** What a key has behind the path, without the numbers of what is repeated. */
export function labelOf({ key, path }: SymbolEntry): string {
  const label = key.slice(path.length + 1);
  return label.includes('~') ? label.replaceAll(/~\d+(?=\.|$)/g, '') : label;
}

export function declaresApart({ path }: Pick<SymbolEntry, 'path'>): boolean {
  return descriptorOfPath(path)?.declaresApart === true;
}

const SCOPE = /((?:\w+(?:<[^<>()]*>)?::)*\w+(?:<[^<>()]*>)?)::$/;

function apartOf(reader: GraphReader, name: string): Apart {
  const names = known.get(reader) ?? new Map<string, Apart>();
  known.set(reader, names);
  const before = names.get(name);
  if (before) return before;
  const definition = new Map<number, number>();
  const declarations = new Map<number, number[]>();
  const symbols = reader.named(name).map((id) => reader.symbol(id));
  const defined = candidatesIn(symbols);
  for (const symbol of symbols) {
    const found = symbol.isDeclared && declaresApart(symbol) ? definitionFor(symbol, defined) : undefined;
    if (found === undefined) continue;
    definition.set(symbol.id, found);
    const own = declarations.get(found);
    if (own) own.push(symbol.id);
    else declarations.set(found, [symbol.id]);
  }
  const apart = { definition, declarations };
  names.set(name, apart);
  return apart;
}

function candidatesIn(symbols: readonly SymbolEntry[]): ReadonlyMap<string, Candidates> {
  const defined = new Map<string, Candidates>();
  for (const symbol of symbols) {
    const manner = mannerOf(symbol);
    if (manner === undefined || symbol.isDeclared || !symbol.exported || !declaresApart(symbol)) continue;
    const key = `${manner} ${ownerOf(symbol)}`;
    const { id, path } = symbol;
    const stem = stemOf(path);
    const all = defined.get(key);
    // Of two files that are called the same, the first by path.
    let placed = all?.byStem.get(stem);
    if (placed === undefined) {
      placed = { path, first: id, byCount: new Map() };
      if (all) all.byStem.set(stem, placed);
      else defined.set(key, { byStem: new Map([[stem, placed]]), first: placed, isTogether: true });
    }
    if (all && all.first.path !== path) all.isTogether = false;
    const count = headOf(symbol)?.parameters ?? -1;
    if (placed.path === path && !placed.byCount.has(count)) placed.byCount.set(count, id);
  }
  return defined;
}

/** Beside the header, else where all of them are: which of several files is meant, nothing tells. */
function definitionFor(symbol: SymbolEntry, defined: ReadonlyMap<string, Candidates>): number | undefined {
  const manner = mannerOf(symbol);
  // `void Area::draw()` may leave out the namespaces around `Area`.
  for (let owner = ownerOf(symbol); ; owner = owner.slice(owner.indexOf('.') + 1)) {
    const candidates = defined.get(`${manner} ${owner}`);
    const placed =
      candidates?.byStem.get(stemOf(symbol.path)) ?? (candidates?.isTogether ? candidates.first : undefined);
    if (placed) return placed.byCount.get(headOf(symbol)?.parameters ?? -1) ?? placed.first;
    if (!owner.includes('.')) return undefined;
  }
}

/** A variable is no declaration of a function. */
function mannerOf({ kind }: SymbolEntry): '()' | '=' | undefined {
  if (kind === 'function' || kind === 'method') return '()';
  return kind === 'variable' || kind === 'constant' ? '=' : undefined;
}

function containerOf(symbol: SymbolEntry): string {
  const label = labelOf(symbol);
  return label.slice(0, Math.max(0, label.length - symbol.name.length - 1));
}

function lastOf(qualified: string): string {
  return qualified.slice(qualified.lastIndexOf('.') + 1);
}

/** By name, with the namespaces around it. */
function ownerOf(symbol: SymbolEntry): string {
  const inside = containerOf(symbol);
  const scope = scopeOf(symbol);
  if (scope === undefined) return inside;
  return inside === '' || scope.startsWith(`${inside}.`) ? scope : `${inside}.${scope}`;
}

function stemOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).replace(/\.[^.]*$/, '');
}

/** What stands before the name, how many parameters behind it, and what follows those. */
export interface SignatureHead {
  readonly before: string;
  /** -1 where the signature was cut short. */
  readonly parameters: number;
  readonly after: string;
}

export function headOf({ signature, name }: SymbolEntry): SignatureHead | undefined {
  for (let at = signature.indexOf(name); at >= 0; at = signature.indexOf(name, at + 1)) {
    const end = at + name.length;
    const open = signature[end] === ' ' ? end + 1 : end;
    if (signature[open] !== '(' || /[\w~]/.test(signature[at - 1] ?? '')) continue;
    return { before: signature.slice(0, at), ...countParameters(signature, open + 1) };
  }
  return undefined;
}

export function countParameters(signature: string, from: number): Omit<SignatureHead, 'before'> {
  let depth = 0;
  let commas = 0;
  for (let at = from; at < signature.length; at += 1) {
    const char = signature[at] as string;
    if ('([{<'.includes(char)) depth += 1;
    else if (depth === 0 && char === ')') {
      const text = signature.slice(from, at).trim();
      // A comma may end the list.
      const items = text.endsWith(',') ? commas : commas + 1;
      return { parameters: text === '' || text === 'void' ? 0 : items, after: signature.slice(at + 1).trim() };
    } else if (')]}>'.includes(char)) depth -= 1;
    else if (char === ',' && depth === 0) commas += 1;
  }
  return { parameters: -1, after: '' };
}
