import { CONFIDENCE } from '../model/links.ts';
import type { CalledInstead, Calls, CallsAnswer, Doubt, Shown, Site } from './answer.ts';
import { byText } from './best-symbol.ts';
import { describeSymbol, mention } from './describe-symbol.ts';
import { countCallers, counts, familyOf, isCall, lifted } from './family.ts';
import type { Family } from './family.ts';
import type { GraphReader, Link, SymbolEntry } from './graph-reader.ts';

export type Direction = 'callers' | 'callees';

/** Of what is not a call, one is shown where so many calls would be. */
export const USES_SHARE = 4;

export interface CallsOptions {
  readonly limit: number;
  readonly possible?: boolean | undefined;
  readonly others?: readonly number[] | undefined;
}

/** Who calls a symbol, or what it calls, with every place. */
export function askCalls(reader: GraphReader, id: number, is: Direction, options: CallsOptions): CallsAnswer {
  const { limit, possible = false, others = [] } = options;
  const family = familyOf(reader, id);
  const edges = edgesOf(reader, family, is);
  const calls = groupLinks(reader, family, edges.calls);
  return {
    is,
    symbol: describeSymbol(reader, id, is === 'callers' ? calls.length : undefined),
    others: others.map((other) => mention(reader.symbol(other))),
    calls: show(calls, limit),
    sites: edges.calls.length,
    uses: show(groupLinks(reader, family, edges.uses), Math.ceil(limit / USES_SHARE)),
    ...doubtOf(reader, family, edges),
    ...(possible ? { maybe: show(groupLinks(reader, family, edges.maybe), limit) } : {}),
    ...(is === 'callers' ? calledInstead(reader, id, calls.length) : { overrides: [], namesakes: [] }),
  };
}

export interface Edges {
  readonly calls: readonly Link[];
  readonly uses: readonly Link[];
  readonly maybe: readonly Link[];
  readonly direction: Direction;
}

/** What crosses the border of a family, in one direction. */
export function edgesOf(reader: GraphReader, { ids }: Family, direction: Direction): Edges {
  const calls: Link[] = [];
  const uses: Link[] = [];
  const maybe: Link[] = [];
  for (const id of ids) {
    for (const link of direction === 'callers' ? reader.incoming(id) : reader.outgoing(id)) {
      if (ids.has(link.symbol)) continue;
      if (!isCall(link.kind)) {
        if (counts(link)) uses.push(link);
      } else (counts(link) ? calls : maybe).push(link);
    }
    for (const link of direction === 'callers' ? reader.maybeIncoming(id) : reader.maybeOutgoing(id))
      if (!ids.has(link.symbol) && isCall(link.kind)) maybe.push(link);
  }
  return { calls, uses, maybe, direction };
}

/** Never a bare zero: what could not be told belongs to the answer. */
export function doubtOf(reader: GraphReader, { ids, head }: Family, { maybe, direction }: Edges): Doubt {
  const sites = new Set(maybe.map(({ path, line, column }) => `${path}:${line}:${column}`));
  if (direction === 'callees')
    return { possible: sites.size, unresolved: reader.file(reader.symbol(head).path)?.unresolved ?? 0 };
  const names = new Set(
    [...ids]
      .map((id) => reader.symbol(id))
      .filter(mayBeCalled)
      .map(({ name }) => name),
  );
  return { possible: sites.size, unresolved: [...names].reduce((sum, name) => sum + reader.unresolved(name), 0) };
}

function mayBeCalled({ kind, isLocal }: SymbolEntry): boolean {
  return kind !== 'module' && !isLocal;
}

export interface Group {
  readonly symbol: SymbolEntry;
  readonly links: readonly Link[];
}

/** By the symbol at the other end: other files before the own one, code before tests, more places before fewer. */
export function groupLinks(reader: GraphReader, family: Family, links: readonly Link[]): Group[] {
  const groups = new Map<number, Link[]>();
  for (const link of links) {
    const other = lifted(reader, link.symbol, family.level);
    const group = groups.get(other);
    if (group) group.push(link);
    else groups.set(other, [link]);
  }
  const { path } = reader.symbol(family.head);
  return sortGroups(
    [...groups].map(([id, own]) => ({ symbol: reader.symbol(id), links: own })),
    path,
  );
}

export function sortGroups<Sorted extends Group>(groups: Sorted[], ownPath: string): Sorted[] {
  return groups.sort(
    (a, b) =>
      Number(a.symbol.path === ownPath) - Number(b.symbol.path === ownPath) ||
      Number(a.symbol.isTest) - Number(b.symbol.isTest) ||
      b.links.length - a.links.length ||
      byText(a.symbol.key, b.symbol.key),
  );
}

export function show(groups: readonly Group[], limit: number): Shown<Calls> {
  return {
    total: groups.length,
    items: groups.slice(0, limit).map(({ symbol, links }) => ({
      symbol: mention(symbol),
      test: symbol.isTest,
      sites: links.map(siteOf).sort(byPlace),
    })),
  };
}

function siteOf({ path, line, column, kind, why }: Link): Site {
  return { path, line, column, kind, why, confidence: CONFIDENCE[why] };
}

function byPlace(a: Site, b: Site): number {
  return byText(a.path, b.path) || a.line - b.line || a.column - b.column || byText(a.kind, b.kind);
}

/** A call through a base or an interface leads there, and may end at the method that is asked about. */
export function calledInstead(
  reader: GraphReader,
  id: number,
  callers: number,
): Pick<CallsAnswer, 'overrides' | 'namesakes'> {
  const symbol = reader.symbol(id);
  if (symbol.kind !== 'method') return { overrides: [], namesakes: [] };
  const bases = new Set(
    reader
      .outgoing(id)
      .filter(({ kind }) => kind === 'overrides')
      .map((link) => link.symbol),
  );
  const alike = callers > 0 ? [] : reader.named(symbol.name).slice(0, MOST_LOOKED_AT);
  return {
    overrides: [...bases].map((base) => called(reader, base)),
    namesakes: alike
      .filter((other) => other !== id && !bases.has(other) && isAbstract(reader, other))
      .map((other) => called(reader, other))
      .filter((other) => other.callers > 0)
      .sort((a, b) => b.callers - a.callers || byText(a.symbol.key, b.symbol.key))
      .slice(0, MOST_NAMESAKES),
  };
}

const MOST_LOOKED_AT = 500;
const MOST_NAMESAKES = 5;

function isAbstract(reader: GraphReader, id: number): boolean {
  const { container } = reader.symbol(id);
  const kind = container === undefined ? undefined : reader.symbol(container).kind;
  return kind === 'interface' || kind === 'trait';
}

function called(reader: GraphReader, id: number): CalledInstead {
  return { symbol: mention(reader.symbol(id)), callers: countCallers(reader, familyOf(reader, id)) };
}
