import { CONFIDENCE } from '../model/links.ts';
import { byRole, rolesOf } from '../model/role.ts';
import type { Doubt, ShownCalls, Site } from './answer.ts';
import { byText } from './best-symbol.ts';
import { mention } from './describe-symbol.ts';
import { counts, isCall, lifted } from './family.ts';
import type { Family } from './family.ts';
import type { GraphReader, Link, SymbolEntry } from './graph-reader.ts';

export type Direction = 'callers' | 'callees';

/** Of what is not a call, one is shown where so many calls would be. */
export const USES_SHARE = 4;

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

/** By the symbol at the other end: production before tests and the rest, other files before the own one, more places before fewer. */
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
    [...groups].map(([id, own]) => ({ symbol: reader.symbol(id), links: onePerPlace(own) })),
    path,
  );
}

/** A place that leads to several variants of one symbol is one place. */
export function onePerPlace(links: readonly Link[]): readonly Link[] {
  if (links.length === 1) return links;
  const places = new Map<string, Link>();
  for (const link of links) {
    const place = `${link.line}:${link.column}:${link.kind}:${link.path}`;
    if (!places.has(place)) places.set(place, link);
  }
  return places.size === links.length ? links : [...places.values()];
}

export function sortGroups<Sorted extends Group>(groups: Sorted[], ownPath: string): Sorted[] {
  return groups.sort(
    (a, b) =>
      byRole(a.symbol.role, b.symbol.role) ||
      Number(a.symbol.path === ownPath) - Number(b.symbol.path === ownPath) ||
      b.links.length - a.links.length ||
      byText(a.symbol.key, b.symbol.key),
  );
}

export function show(groups: readonly Group[], limit: number): ShownCalls {
  return {
    total: groups.length,
    roles: rolesOf(groups.map(({ symbol }) => symbol)),
    items: groups.slice(0, limit).map(({ symbol, links }) => ({
      symbol: mention(symbol),
      test: symbol.role === 'test',
      role: symbol.role,
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
