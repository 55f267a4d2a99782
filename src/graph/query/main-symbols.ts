import type { LineRange } from '../../engine/rule.ts';
import { byRole } from '../model/role.ts';
import { byText, hiddenness } from './best-symbol.ts';
import { declaresApart, definitionOf } from './declared.ts';
import { childrenOf, counts, familyOf, isCall, isCallable, isClassLike } from './family.ts';
import type { GraphReader, Link, SymbolEntry } from './graph-reader.ts';

/** What an agent is known to be after in a file: the lines that it read, and names that it looked for or was told. */
export interface Wanted {
  readonly lines?: LineRange | undefined;
  readonly names?: readonly string[] | undefined;
}

/** Who depends on a symbol of a file, and what of the file depends on it. */
interface Merits {
  readonly id: number;
  /** Distinct symbols in production: of other files that call it, that only name it, and others of this file that do either. */
  readonly external: ReadonlySet<number>;
  readonly named: ReadonlySet<number>;
  readonly internal: ReadonlySet<number>;
  readonly tests: ReadonlySet<number>;
  /** Other symbols of the file that it leads to. */
  readonly leads: Set<number>;
  /** It calls what other files have. */
  readonly callsOut: boolean;
  /** The part of its file that it takes. */
  readonly size: number;
  readonly isOpen: boolean;
}

/** A symbol that weighs so much of what the heaviest does is its rival. */
const RIVAL = 0.65;
/** What a file is called after, its author held for the main thing in it. */
const NAMESAKE = 2;
/** What weighs less tells nothing, and twice as much is wanted of what takes less of its file. */
const LEAST = 0.9;
const SMALL = 0.05;
/** As many are named together; with more rivals the choice is anybody's. */
const MOST_NAMED = 2;
/** What one or two symbols have to weigh of all, so that a file of many small ones has no main one. */
const SHARES = [0.25, 0.4];
/** In a file with more, which nobody wrote by hand, no symbol is the main one. */
const MOST_SYMBOLS = 2_000;
/** Of what so much depends on, more changes nothing. */
const MOST_LINKS = 400;

/** The symbols that matter to whoever changes a file, heaviest first: one, two that weigh alike, or none where that is doubtful. */
export function mainSymbols(reader: GraphReader, path: string, { lines, names }: Wanted = {}): readonly number[] {
  const file = reader.file(path);
  if (file === undefined || file.symbols > MOST_SYMBOLS) return [];
  const declared = declaredIn(reader, path);
  const named = declared.filter(({ name }) => names?.includes(name) === true);
  if (named.length > 0) return heaviest(reader, path, named).rivals.slice(0, MOST_NAMED);
  if (file.role === 'generated' || file.role === 'vendored') return [];
  const read = lines === undefined ? [] : readIn(declared, lines);
  const { rivals, share } = heaviest(reader, path, read.length > 0 ? read : declared);
  return share >= (SHARES[rivals.length - 1] ?? Infinity) ? rivals : [];
}

/** A function inside a function is reached from there alone. In C a declaration stands for what is defined elsewhere. */
function declaredIn(reader: GraphReader, path: string): readonly SymbolEntry[] {
  return reader
    .symbolsOf(path)
    .map((id) => reader.symbol(id))
    .filter((symbol) => !symbol.isLocal && (isCallable(symbol) || isClassLike(symbol) || isLikeClass(reader, symbol)))
    .filter(
      (symbol) =>
        !(
          symbol.isDeclared &&
          isCallable(symbol) &&
          declaresApart(symbol) &&
          definitionOf(reader, symbol.id) === symbol.id
        ),
    );
}

/** An object whose members are functions is as good as a class, and so is a value that the file is called after. */
function isLikeClass(reader: GraphReader, symbol: SymbolEntry): boolean {
  const { id, kind } = symbol;
  if (kind !== 'constant' && kind !== 'variable') return false;
  return isNamesake(symbol) || childrenOf(reader, id).some((child) => isCallable(reader.symbol(child)));
}

/** `undo-redo.ts` and `UndoRedo`. */
function isNamesake({ path, name }: SymbolEntry): boolean {
  const stem = path.slice(path.lastIndexOf('/') + 1).replace(/\..*$/, '');
  const plain = (text: string) => text.replaceAll(/[^\p{L}\p{N}]/gu, '').toLowerCase();
  return plain(name) !== '' && plain(stem) === plain(name);
}

/** Functions and methods that the lines show, and what begins there. */
function readIn(declared: readonly SymbolEntry[], { first, last }: LineRange): readonly SymbolEntry[] {
  return declared.filter(({ firstLine, lastLine, line, ...symbol }) =>
    isCallable({ firstLine, lastLine, line, ...symbol })
      ? firstLine <= last && lastLine >= first
      : line >= first && line <= last,
  );
}

interface Heaviest {
  readonly rivals: readonly number[];
  /** Of the weight of all. */
  readonly share: number;
}

/** The heaviest, and those that weigh nearly as much. A member counts for what it belongs to, where that is there as well. */
function heaviest(reader: GraphReader, path: string, declared: readonly SymbolEntry[]): Heaviest {
  const all = [...new Set(declared.map(({ id }) => definitionOf(reader, id)))];
  const families = all.map((id) => ({ id, members: familyOf(reader, id).ids }));
  const own = new Map<number, number>();
  for (const { id, members } of families.toSorted((a, b) => b.members.size - a.members.size))
    for (const member of members) if (!own.has(member)) own.set(member, own.get(id) ?? id);
  const merits = families
    .filter(({ id }) => own.get(id) === id)
    .map(({ id, members }) => meritsOf(reader, path, id, members, own));
  followLeads(merits);
  const made = worthMade(reader, merits);
  const weighed = merits
    .map((merit) => {
      const symbol = reader.symbol(merit.id);
      const weight = weightOf(merit) + (made.get(merit.id) ?? 0);
      return { merit, symbol, weight: isNamesake(symbol) ? NAMESAKE * weight : weight };
    })
    .filter(({ merit }) => isConnected(merit))
    .sort((a, b) => b.weight - a.weight || a.symbol.line - b.symbol.line || byText(a.symbol.key, b.symbol.key));
  // What serves one file alone is no rival of what others reach.
  const open = weighed.filter((each) => each.merit.isOpen && isTelling(each));
  const candidates = open.length > 0 ? open : weighed.filter(isTelling);
  const least = RIVAL * (candidates[0]?.weight ?? 0);
  const rivals = candidates.filter(({ weight }) => weight >= least);
  const sum = (some: typeof weighed) => some.reduce((before, { weight }) => before + weight, 0);
  return { rivals: rivals.map(({ merit }) => merit.id), share: sum(rivals) / Math.max(sum(candidates), 1) };
}

/** A small part of a file that little leads to is a part of something that the graph does not see. */
function isTelling({ merit, weight }: { readonly merit: Merits; readonly weight: number }): boolean {
  return weight >= LEAST && (merit.size >= SMALL || weight >= 2 * LEAST);
}

function isConnected({ external, named, internal, tests, leads, callsOut }: Merits): boolean {
  return callsOut || external.size + named.size + internal.size + tests.size + leads.size > 0;
}

/**
 * Callers in other files count most, a type that is only named there less. What others can reach stands for what it leads
 * to. Tests and length decide between equals.
 */
function weightOf({ external, named, internal, tests, leads, size, isOpen }: Merits): number {
  const inside = isOpen ? (internal.size + leads.size) / 2 : internal.size / 4;
  return external.size + named.size / 4 + inside + Math.log2(1 + tests.size) / 2 + 3 * size;
}

/** What an interface is worth, whoever makes the only thing of that kind here is worth too: that is where the code is. */
function worthMade(reader: GraphReader, merits: readonly Merits[]): ReadonlyMap<number, number> {
  const makers = new Map<string, number[]>();
  for (const { id } of merits)
    for (const name of returned(reader.symbol(id))) makers.set(name, [...(makers.get(name) ?? []), id]);
  const worth = new Map<number, number>();
  for (const { id, external } of merits) {
    const { kind, name } = reader.symbol(id);
    const [maker, ...more] = INTERFACES.has(kind) ? (makers.get(name) ?? []) : [];
    if (maker !== undefined && more.length === 0) worth.set(maker, (worth.get(maker) ?? 0) + external.size);
  }
  return worth;
}

const INTERFACES: ReadonlySet<SymbolEntry['kind']> = new Set(['interface', 'trait', 'type']);

/** The types that a signature has behind the parameters. */
function returned(symbol: SymbolEntry): ReadonlySet<string> {
  if (!isCallable(symbol)) return new Set();
  const { signature } = symbol;
  return new Set(signature.slice(signature.lastIndexOf(')') + 1).match(/\p{ID_Continue}+/gu));
}

function meritsOf(
  reader: GraphReader,
  path: string,
  id: number,
  members: ReadonlySet<number>,
  own: ReadonlyMap<number, number>,
): Merits {
  const symbol = reader.symbol(id);
  const { role } = symbol;
  const [external, named, internal] = [new Set<number>(), new Set<number>(), new Set<number>()];
  const [tests, leads] = [new Set<number>(), new Set<number>()];
  let lines = 0;
  let callsOut = false;
  for (const member of members) {
    lines += linesOf(reader, symbol.path, member, members);
    for (const link of reader.incoming(member).slice(0, MOST_LINKS)) {
      if (members.has(link.symbol) || !isUse(link, symbol)) continue;
      const user = reader.symbol(link.symbol);
      if (byRole(user.role, role) > 0) {
        if (user.role === 'test') tests.add(link.symbol);
      } else if (user.path === path || user.path === symbol.path) internal.add(own.get(link.symbol) ?? link.symbol);
      else (isCall(link.kind) ? external : named).add(link.symbol);
    }
    for (const { symbol: called, kind } of reader.outgoing(member)) {
      if (!isCall(kind) || members.has(called)) continue;
      const unit = own.get(called);
      if (unit === undefined) callsOut = true;
      else leads.add(unit);
    }
  }
  for (const caller of external) named.delete(caller);
  return {
    id,
    external,
    named,
    internal,
    tests,
    leads,
    callsOut,
    size: Math.min(1, lines / Math.max(reader.symbol(reader.file(symbol.path)?.module ?? id).lastLine, 1)),
    isOpen: hiddenness(reader, symbol) === 0 || symbol.name === 'main' || external.size + named.size > 0,
  };
}

/** The lines of a member in the file, where they are no part of those of another one. */
function linesOf(reader: GraphReader, path: string, member: number, members: ReadonlySet<number>): number {
  const { path: at, container, firstLine, lastLine } = reader.symbol(member);
  if (at !== path) return 0;
  const outer = container !== undefined && members.has(container) ? reader.symbol(container) : undefined;
  const isInside = outer !== undefined && outer.firstLine <= firstLine && outer.lastLine >= lastLine;
  return isInside ? 0 : lastLine - firstLine + 1;
}

/** A type is there to be named, what runs to be called or handed on. */
function isUse(link: Link, symbol: SymbolEntry): boolean {
  if (!counts(link) || link.kind === 'imports' || link.kind === 'exports' || link.kind === 'overrides') return false;
  return isCall(link.kind) || isClassLike(symbol) || link.kind === 'references';
}

/** What is led to leads further. */
function followLeads(merits: readonly Merits[]): void {
  const byId = new Map(merits.map((merit) => [merit.id, merit]));
  for (const { id, leads } of merits)
    for (const lead of leads) for (const next of byId.get(lead)?.leads ?? []) if (next !== id) leads.add(next);
}
