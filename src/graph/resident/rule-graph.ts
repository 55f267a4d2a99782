import type { RuleGraph, RuleSymbol } from '../../engine/rule.ts';
import { rolesOf, byRole } from '../model/role.ts';
import { byMerit, byText } from '../query/best-symbol.ts';
import { edgesOf, groupLinks } from '../query/calls.ts';
import {
  codeSymbol,
  createImpactOf,
  locationOf,
  reachingTests,
  symbolLocation,
  unreadCode,
  useOf,
} from '../query/card-facts.ts';
import { withoutCopies } from '../query/copies.ts';
import { definitionOf } from '../query/declared.ts';
import { nameOf } from '../query/describe-symbol.ts';
import { familyOf, isCallable, isClassLike } from '../query/family.ts';
import type { GraphReader, Link, SymbolEntry, FileEntry } from '../query/graph-reader.ts';
import { withoutOverloads } from '../query/search.ts';

/** Files that are weighed; of a directory with more, those nearest to it. Of each, so many symbols. */
const MOST_WEIGHED = 40;
const MOST_SYMBOLS = 20;

/** Code below a directory that a reader would most likely want: what others lead to most, nothing that only tests. */
export function likelyFiles(reader: GraphReader, directory: string, max: number): string[] {
  const inside = directory === '' ? '' : `${directory}/`;
  const depthOf = ({ path }: FileEntry) => path.split('/').length;
  return reader
    .files()
    .filter(({ path, language, symbols }) => path.startsWith(inside) && language !== 'manifest' && symbols > 0)
    .toSorted((a, b) => byRole(a.role, b.role) || depthOf(a) - depthOf(b) || byText(a.path, b.path))
    .slice(0, MOST_WEIGHED)
    .map((file) => ({ file, weight: weightOf(reader, file) }))
    .sort((a, b) => byRole(a.file.role, b.file.role) || b.weight - a.weight || byText(a.file.path, b.file.path))
    .slice(0, max)
    .map(({ file }) => file.path);
}

/** Other files that lead into this one. */
function weightOf(reader: GraphReader, { path, module }: FileEntry): number {
  const sources = new Set<string>();
  for (const id of [module, ...reader.symbolsOf(path).slice(0, MOST_SYMBOLS)])
    for (const link of reader.incoming(id)) if (link.path !== path) sources.add(link.path);
  return sources.size;
}

/** Symbols of one name that are looked at. */
const MAX_WEIGHED = 20;
/** Callers that are told of a symbol; the others are counted. */
const MAX_CALLERS = 6;

/** How far a graph is behind what is known to have changed. */
export interface Currency {
  isCurrent(): boolean;
  /** Only some files of the root are in it. */
  hasPartialScope?(): boolean;
  whenCurrent: RuleGraph['whenCurrent'];
  whenStable?: RuleGraph['whenStable'];
  recheck?: RuleGraph['recheck'];
}

/** What rules see of an open graph. */
export function createRuleGraph(reader: GraphReader, currency: Currency): RuleGraph {
  const { root } = reader;
  const impactOf = createImpactOf(reader);
  return {
    get state() {
      return currency.isCurrent() ? 'stable' : 'initialised';
    },
    get hasPartialScope() {
      return currency.hasPartialScope?.() === true;
    },
    symbols(name, max) {
      const ids = symbolsNamed(reader, name);
      const known = ids.slice(0, MAX_WEIGHED).map((id) => describe(reader, id));
      const calls = ({ callers, use }: RuleSymbol) =>
        [callers.roles.production ?? 0, use.places.production ?? 0, callers.total] as const;
      known.sort((a, b) => compare(calls(b), calls(a)));
      return { total: ids.length, items: known.slice(0, max) };
    },
    impactOf(path, wanted) {
      return path.startsWith(`${root}/`) ? impactOf(path.slice(root.length + 1), wanted) : undefined;
    },
    symbolsIn(path, { first, last }) {
      if (!path.startsWith(`${root}/`)) return [];
      const shown = reader
        .symbolsOf(path.slice(root.length + 1))
        .map((id) => reader.symbol(id))
        .filter((symbol) => !symbol.isLocal && (isCallable(symbol) || isClassLike(symbol)))
        .filter(({ firstLine, lastLine }) => firstLine <= last && lastLine >= first);
      const outer = new Set(shown.map(({ container }) => container));
      return shown.filter(({ id }) => !outer.has(id)).map(({ id }) => codeSymbol(reader, id));
    },
    symbolAt(key) {
      const id = reader.byKey(key);
      return id === undefined ? undefined : codeSymbol(reader, id);
    },
    testsReaching(keys) {
      const ids = keys.flatMap((key) => reader.byKey(key) ?? []).flatMap((id) => [...familyOf(reader, id).ids]);
      return [...new Set(reachingTests(reader, new Set(ids), true).map(({ symbol }) => `${root}/${symbol.path}`))];
    },
    isTest: (path) => path.startsWith(`${root}/`) && reader.file(path.slice(root.length + 1))?.role === 'test',
    filesBelow(dir, max) {
      if (dir !== root && !dir.startsWith(`${root}/`)) return [];
      return likelyFiles(reader, dir.slice(root.length + 1), max).map((below) => `${root}/${below}`);
    },
    whenCurrent: currency.whenCurrent,
    whenStable: (ms) => currency.whenStable?.(ms),
    recheck: (path) => currency.recheck?.(path),
  };
}

function compare(a: readonly number[], b: readonly number[]): number {
  return a.map((each, at) => each - (b[at] ?? 0)).find((difference) => difference !== 0) ?? 0;
}

function symbolsNamed(reader: GraphReader, name: string): number[] {
  const at = name.lastIndexOf('.');
  const all = reader.named(name.slice(at + 1)).map((id) => reader.symbol(id));
  const wanted = at < 0 ? all : membersOf(reader, all, name.slice(0, at));
  const open = wanted.filter(({ isLocal }) => !isLocal);
  // What is only declared there is made by a function inside another one.
  const known = open.every(({ isDeclared }) => isDeclared) ? wanted.filter(isFunctionOrOpen) : open;
  const used = withoutCopies(known).filter(({ kind, id }) => kind !== 'field' || reader.incoming(id).length > 0);
  const definitions = [...new Set(used.map(({ id }) => definitionOf(reader, id)))];
  return byMerit(reader, withoutOverloads(reader, definitions));
}

function isFunctionOrOpen(symbol: SymbolEntry): boolean {
  return !symbol.isLocal || isCallable(symbol);
}

/**
 * What is written behind a name and a dot: a member of what has that name, however it is capitalized; else, where it is a
 * file, a directory or the project that has it, what is there; else any member, since the name may be a variable's.
 */
function membersOf(reader: GraphReader, symbols: readonly SymbolEntry[], owner: string): readonly SymbolEntry[] {
  const lower = owner.slice(owner.lastIndexOf('.') + 1).toLowerCase();
  const outer = ({ container }: SymbolEntry) => (container === undefined ? undefined : reader.symbol(container));
  const isOwned = (symbol: SymbolEntry) =>
    nameOf(symbol).toLowerCase().endsWith(`${lower}.${symbol.name.toLowerCase()}`);
  const owned = symbols.filter((symbol) => nameOf(symbol) !== symbol.name && isOwned(symbol));
  if (owned.length > 0) return owned;
  const isFree = (symbol: SymbolEntry) => outer(symbol)?.kind === 'module' && nameOf(symbol) === symbol.name;
  const isPlaced = ({ path }: SymbolEntry) =>
    `${reader.root}/${path}`
      .toLowerCase()
      .split('/')
      .slice(-2)
      .some((part) => part.replace(/\..*$/, '') === lower);
  const placed = symbols.filter((symbol) => isFree(symbol) && isPlaced(symbol));
  return placed.length > 0 ? placed : symbols.filter((symbol) => !isFree(symbol));
}

function describe(reader: GraphReader, id: number): RuleSymbol {
  const family = familyOf(reader, id);
  const incoming = edgesOf(reader, family, 'callers');
  const groups = groupLinks(reader, family, incoming.calls);
  const unread = unreadCode(reader, id);
  const items = groups.slice(0, MAX_CALLERS).map((group) => {
    const [first] = group.links;
    return { name: group.symbol.name, ...locationOf(reader, first as Link) };
  });
  return {
    ...symbolLocation(reader, reader.symbol(id)),
    callers: { total: groups.length, items, roles: rolesOf(groups.map(({ symbol }) => symbol)) },
    use: useOf(reader, family, incoming),
    ...(unread && { unread }),
  };
}
