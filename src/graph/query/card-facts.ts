import type { CallLink, Impact, Ranked, CodeLocation, LineRange } from '../../engine/rule.ts';
import { bestConnected, byText } from './best-symbol.ts';
import { doubtOf, edgesOf, groupLinks } from './calls.ts';
import type { Group } from './calls.ts';
import { declaresApart, definitionOf } from './declared.ts';
import { nameOf } from './describe-symbol.ts';
import { counts, familyOf, isCall, isCallable, isClassLike } from './family.ts';
import type { Family } from './family.ts';
import type { FileEntry, GraphReader, Link, SymbolEntry } from './graph-reader.ts';
import { packageOf } from './package-of.ts';

const NAMED = 3;
const NAMED_TESTS = 2;

/** Tests are looked for this far up, among no more than so many callers and calls. */
const TEST_DEPTH = 4;
const MOST_CALLERS = 150;
const MOST_LINKS = 800;

/** Files and symbols that are remembered; then all are forgotten. */
const MAX_KEPT = 256;

export type ImpactOf = (path: string, lines: LineRange | undefined) => Impact | undefined;

/** A reader never changes, so that what was worked out about a file holds as long as it does. */
export function createImpactOf(reader: GraphReader): ImpactOf {
  const chosen = new Map<string, Impact | undefined>();
  const told = new Map<number, Impact>();
  return (path, lines) => {
    const asked = lines === undefined ? path : `${path}:${lines.first}-${lines.last}`;
    return remember(chosen, asked, () => {
      const id = chooseSymbol(reader, path, lines);
      return id === undefined ? undefined : remember(told, id, () => describeImpact(reader, id));
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

/** What overlaps the lines that were read comes first. A function inside a function is reached from there alone, and a file is no symbol. */
function chooseSymbol(reader: GraphReader, path: string, lines: LineRange | undefined): number | undefined {
  const read = new Map<number, SymbolEntry>();
  const others = new Map<number, SymbolEntry>();
  for (const declared of reader.symbolsOf(path)) {
    const symbol = reader.symbol(declared);
    if (symbol.isLocal || !(isCallable(symbol) || isClassLike(symbol))) continue;
    const id = definitionOf(reader, declared);
    // In C a declaration is no symbol of its own: it stands for what is defined elsewhere.
    if (id === declared && symbol.isDeclared && isCallable(symbol) && declaresApart(symbol)) continue;
    const isRead = lines === undefined || (symbol.firstLine <= lines.last && symbol.lastLine >= lines.first);
    (isRead ? read : others).set(id, id === declared ? symbol : reader.symbol(id));
  }
  return bestConnected(reader, [...read.values()]) ?? bestConnected(reader, [...others.values()]);
}

function describeImpact(reader: GraphReader, id: number): Impact {
  const symbol = reader.symbol(id);
  const family = familyOf(reader, id);
  const incoming = edgesOf(reader, family, 'callers');
  const outgoing = edgesOf(reader, family, 'callees');
  const callers = groupLinks(reader, family, incoming.calls);
  const callees = groupLinks(reader, family, outgoing.calls);
  const own = packageOf(reader, symbol.path);
  const { possible, unresolved } = doubtOf(reader, family, incoming);
  return {
    key: symbol.key,
    symbol: {
      name: symbol.name,
      qualified: nameOf(symbol),
      kind: symbol.kind,
      ...locationOf(reader, symbol),
    },
    ...(own === undefined ? {} : { package: own }),
    callers: {
      total: callers.length,
      files: new Set(incoming.calls.map(({ path }) => path)).size,
      items: callers.slice(0, NAMED).map((group) => callBy(reader, group, family)),
    },
    callees: { total: callees.length, items: callees.slice(0, NAMED).map((group) => callTo(reader, group)) },
    tests: testsAbove(reader, family),
    possible,
    unresolved,
    calleeDoubt: doubtOf(reader, family, outgoing),
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
  return { name: nameOf(symbol), called, sites, isTest: symbol.isTest, ...locationOf(reader, at) };
}

/** Where what is called is defined. */
function callTo(reader: GraphReader, { symbol, links }: Group): CallLink {
  const { name, isTest } = symbol;
  return { name: nameOf(symbol), called: name, sites: links.length, isTest, ...locationOf(reader, symbol) };
}

function isBefore(a: Link, b: Link): boolean {
  return a.path === b.path ? a.line < b.line : byText(a.path, b.path) < 0;
}

/** Nearest first. What half a project depends on is not followed to its end. */
function testsAbove(reader: GraphReader, { ids }: Family): Ranked<CallLink> {
  const reached = new Set(ids);
  const tests: { readonly key: string; readonly distance: number; readonly call: () => CallLink }[] = [];
  let links = 0;
  let level: readonly number[] = [...ids];
  for (let distance = 1; distance <= TEST_DEPTH && level.length > 0; distance += 1) {
    const next: number[] = [];
    for (const id of level) {
      if (links > MOST_LINKS || reached.size - ids.size > MOST_CALLERS) break;
      for (const link of reader.incoming(id)) {
        links += 1;
        if (!isCall(link.kind) || !counts(link) || reached.has(link.symbol)) continue;
        reached.add(link.symbol);
        next.push(link.symbol);
        const symbol = reader.symbol(link.symbol);
        if (!symbol.isTest) continue;
        const call = () => callFrom(reader, symbol, link, reader.symbol(id).name, 1);
        tests.push({ key: symbol.key, distance, call });
      }
    }
    level = next;
  }
  tests.sort((a, b) => a.distance - b.distance || byText(a.key, b.key));
  return { total: tests.length, items: tests.slice(0, NAMED_TESTS).map(({ call }) => call()) };
}
