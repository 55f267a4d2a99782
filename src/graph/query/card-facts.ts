import type {
  CallLink,
  CodeLocation,
  CodeSymbol,
  Impact,
  Ranked,
  SymbolLocation,
  SymbolUse,
  UnreadCode,
} from '../../engine/rule.ts';
import { rolesOf } from '../model/role.ts';
import { descriptorOfPath } from '../walk/known-languages.ts';
import { byText } from './best-symbol.ts';
import { doubtOf, edgesOf, groupLinks } from './calls.ts';
import type { Edges, Group } from './calls.ts';
import { dispatchOf } from './called-as.ts';
import { withoutCopies } from './copies.ts';
import { nameOf } from './describe-symbol.ts';
import { callsThrough, standsFor } from './dispatch.ts';
import { callsInto, counts, familyOf } from './family.ts';
import type { Family } from './family.ts';
import type { FileEntry, GraphReader, Link, SymbolEntry } from './graph-reader.ts';
import { mainSymbols } from './main-symbols.ts';
import type { Wanted } from './main-symbols.ts';
import { unreadAbout } from './unread.ts';
import { below, directoryOf, upwards } from '../model/paths.ts';

/** Files that make their directory a package; the first that is there names it. */
const MANIFESTS = ['package.json', 'pyproject.toml', 'Cargo.toml', 'go.mod', 'setup.cfg'];

/** The package a file belongs to, by its own name or its directory; undefined for a file of the whole project. */
function packageOf(reader: GraphReader, path: string): string | undefined {
  for (const directory of upwards(directoryOf(path))) {
    if (directory === '') return undefined;
    const manifest = MANIFESTS.map((name) => below(directory, name)).find((each) => reader.file(each) !== undefined);
    if (manifest === undefined) continue;
    const [named] = reader.symbolsOf(manifest);
    return named === undefined ? directory : reader.symbol(named).name;
  }
  return undefined;
}

const NAMED = 3;
const NAMED_TESTS = 2;
/** Callers that are kept of a symbol that changes. */
const MOST_KEPT = 10;

/** Tests are looked for this far up, among no more than so many callers and calls. */
const TEST_DEPTH = 4;
const MOST_CALLERS = 150;
const MOST_LINKS = 800;

/** Files and symbols that are remembered; then all are forgotten. */
const MAX_KEPT = 256;

export type ImpactOf = (path: string, wanted?: Wanted) => Impact | undefined;

/** A reader never changes, so that what was worked out about a file holds as long as it does. */
export function createImpactOf(reader: GraphReader): ImpactOf {
  const chosen = new Map<string, Impact | undefined>();
  return (path, wanted = {}) => {
    const { lines, names = [] } = wanted;
    const asked = [path, lines?.first, lines?.last, ...names].join('\n');
    return remember(chosen, asked, () => {
      const [id, other] = mainSymbols(reader, path, wanted);
      return id === undefined ? undefined : describeImpact(reader, id, other);
    });
  };
}

function remember<Key, Value>(kept: Map<Key, Value>, key: Key, find: () => Value): Value {
  if (kept.has(key)) return kept.get(key) as Value;
  if (kept.size >= MAX_KEPT) kept.clear();
  const value = find();
  kept.set(key, value);
  return value;
}

function describeImpact(reader: GraphReader, id: number, other: number | undefined): Impact {
  const symbol = reader.symbol(id);
  const family = familyOf(reader, id);
  const incoming = edgesOf(reader, family, 'callers');
  const outgoing = edgesOf(reader, family, 'callees');
  const callers = groupLinks(reader, family, incoming.calls);
  const callees = groupLinks(reader, family, outgoing.calls);
  const own = packageOf(reader, symbol.path);
  const { possible, unresolved } = doubtOf(reader, family, incoming);
  const unread = unreadCode(reader, id);
  const tests = testsAbove(reader, family, false);
  const dispatch = calledAsOf(reader, family);
  // Where nobody calls it as something else, what others are called as says nothing about it.
  const mayTests = tests.total > 0 || dispatch?.as === undefined ? tests : testsAbove(reader, family, true);
  const areTestsThrough = tests.total === 0 && mayTests.total > 0;
  return {
    key: symbol.key,
    symbol: symbolLocation(reader, symbol),
    ...(other === undefined ? {} : { also: besides(reader, other) }),
    ...(own === undefined ? {} : { package: own }),
    callers: {
      total: callers.length,
      roles: rolesOf(callers.map((group) => group.symbol)),
      items: callers.slice(0, NAMED).map((group) => callBy(reader, group, family)),
    },
    callees: { total: callees.length, items: callees.slice(0, NAMED).map((group) => callTo(reader, group)) },
    use: useOf(reader, family, incoming),
    tests: mayTests,
    ...(dispatch && { dispatch: { ...dispatch, areTestsThrough } }),
    ...(unread && { unread }),
    possible,
    // What was not read counts among what is not resolved, so that no card says 0.
    unresolved: Math.max(unresolved, unread === undefined ? 0 : 1),
    calleeDoubt: doubtOf(reader, family, outgoing),
  };
}

export function unreadCode(reader: GraphReader, id: number): UnreadCode | undefined {
  const unread = unreadAbout(reader, id);
  return unread && { total: unread.total, items: unread.items.map(({ path }) => `${reader.root}/${path}`) };
}

function calledAsOf(
  reader: GraphReader,
  family: Family,
): Omit<NonNullable<Impact['dispatch']>, 'areTestsThrough'> | undefined {
  const { overrides, implementations } = dispatchOf(reader, family, NAMED);
  const called = overrides.filter(({ callers }) => callers > 0);
  const [first] = called;
  const implemented = implementations?.total ?? 0;
  if (first === undefined && implemented === 0) return undefined;
  return {
    ...(first && { as: { name: first.symbol.name, callers: first.from.roles, more: called.length - 1 } }),
    implemented,
  };
}

function besides(reader: GraphReader, id: number): NonNullable<Impact['also']> {
  const family = familyOf(reader, id);
  const callers = groupLinks(reader, family, edgesOf(reader, family, 'callers').calls);
  return { ...symbolLocation(reader, reader.symbol(id)), callers: rolesOf(callers.map(({ symbol }) => symbol)) };
}

export function symbolLocation(reader: GraphReader, symbol: SymbolEntry): SymbolLocation {
  const { name, path, signature } = symbol;
  const isGetter = symbol.kind === 'method' && descriptorOfPath(path)?.getter?.test(signature) === true;
  return { name, qualified: nameOf(symbol), kind: isGetter ? 'getter' : symbol.kind, ...locationOf(reader, symbol) };
}

/** What leads to a symbol without a call. */
export function useOf(reader: GraphReader, { ids, head }: Family, { uses }: Edges): SymbolUse {
  const isKin = ({ kind }: Link) => kind === 'implements' || kind === 'extends' || kind === 'overrides';
  const kin = new Set(
    reader
      .incoming(head)
      .filter((link) => isKin(link) && counts(link))
      .map(({ symbol }) => symbol),
  );
  const places = uses.filter((link) => link.kind === 'references' && !ids.has(link.symbol));
  return {
    places: rolesOf(places.map(({ symbol }) => reader.symbol(symbol))),
    implementers: withoutCopies([...kin].map((id) => reader.symbol(id))).length,
    unresolved: reader.unresolved(reader.symbol(head).name),
  };
}

export function locationOf(
  reader: GraphReader,
  at: Pick<Link, 'path' | 'line' | 'column'>,
): Omit<CodeLocation, 'name'> {
  const { size, mtimeMs } = reader.file(at.path) as FileEntry;
  return { path: `${reader.root}/${at.path}`, line: at.line, column: at.column, size, mtimeMs };
}

/** Where a caller calls first. */
function callBy(reader: GraphReader, { symbol, links }: Group, family: Family): CallLink {
  const first = links.reduce((least, link) => (isBefore(link, least) ? link : least));
  return callFrom(reader, symbol, first, calledBy(reader, first, family), links.length);
}

/** Of a class it is a member that is called. */
function calledBy(reader: GraphReader, { path, line, column }: Link, { head, ids }: Family): string {
  const isSame = (other: Link) => other.line === line && other.column === column && other.path === path;
  const called = ids.size === 1 ? undefined : [...ids].find((id) => reader.incoming(id).some(isSame));
  return reader.symbol(called ?? head).name;
}

function callFrom(reader: GraphReader, symbol: SymbolEntry, at: Link, called: string, sites: number): CallLink {
  return { name: nameOf(symbol), called, sites, ...locationOf(reader, at) };
}

/** Where what is called is defined. */
function callTo(reader: GraphReader, { symbol, links }: Group): CallLink {
  return { name: nameOf(symbol), called: symbol.name, sites: links.length, ...locationOf(reader, symbol) };
}

function isBefore(a: Link, b: Link): boolean {
  return a.path === b.path ? a.line < b.line : byText(a.path, b.path) < 0;
}

/** Nearest first. */
function testsAbove(reader: GraphReader, { ids }: Family, isThrough: boolean): Ranked<CallLink> {
  const tests = reachingTests(reader, ids, isThrough);
  const items = tests
    .slice(0, NAMED_TESTS)
    .map(({ symbol, link, called }) => callFrom(reader, symbol, link, reader.symbol(called).name, 1));
  return { total: tests.length, items };
}

interface ReachingTest {
  readonly symbol: SymbolEntry;
  readonly distance: number;
  readonly link: Link;
  readonly called: number;
}

/** Nearest first; `isThrough` follows calls of members that it may be called as. What half a project depends on is not followed to its end. */
export function reachingTests(
  reader: GraphReader,
  ids: ReadonlySet<number>,
  isThrough: boolean,
): readonly ReachingTest[] {
  const reached = new Set(ids);
  const tests: ReachingTest[] = [];
  let links = 0;
  let level: readonly number[] = [...ids];
  for (let distance = 1; distance <= TEST_DEPTH && level.length > 0; distance += 1) {
    const next: number[] = [];
    for (const called of level) {
      if (links > MOST_LINKS || reached.size - ids.size > MOST_CALLERS) break;
      const through = isThrough
        ? standsFor(reader, called).flatMap((member) => callsThrough(reader, member, called))
        : [];
      for (const link of [...callsInto(reader, called), ...through]) {
        links += 1;
        if (reached.has(link.symbol)) continue;
        reached.add(link.symbol);
        next.push(link.symbol);
        const symbol = reader.symbol(link.symbol);
        if (symbol.role === 'test') tests.push({ symbol, distance, link, called });
      }
    }
    level = next;
  }
  return tests.sort((a, b) => a.distance - b.distance || byText(a.symbol.key, b.symbol.key));
}

/** A symbol as one who changes it wants to know it. */
export function codeSymbol(reader: GraphReader, id: number): CodeSymbol {
  const symbol = reader.symbol(id);
  const family = familyOf(reader, id);
  const callers = groupLinks(reader, family, edgesOf(reader, family, 'callers').calls);
  const { key, signature, firstLine: first, lastLine: last } = symbol;
  return {
    ...symbolLocation(reader, symbol),
    key,
    lines: { first, last },
    signature,
    callers: callers.slice(0, MOST_KEPT).map((group) => callBy(reader, group, family)),
  };
}
