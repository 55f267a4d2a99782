import type { CalledAs, CalledInstead, Dispatch } from './answer.ts';
import { byRole } from '../model/role.ts';
import { byText } from './best-symbol.ts';
import { groupLinks, show, USES_SHARE } from './calls.ts';
import { withoutCopies } from './copies.ts';
import { mention } from './describe-symbol.ts';
import { dispatchedTo, implementationsOf, standsFor } from './dispatch.ts';
import { countCallers, familyOf, isCallable, lifted } from './family.ts';
import type { Family } from './family.ts';
import type { GraphReader, Link, SymbolEntry } from './graph-reader.ts';
import { closure, derivedFrom, ownerOf } from './hierarchy.ts';
import { hasInterfacesAlone, isContract, typesBelow } from './method-sets.ts';

/** Of more members that a class may be called by, the first so many are shown. */
const MOST_MEMBERS = 10;
/** Of more callees, the first so many are asked where they may end. */
const MOST_CALLEES = 200;

/** By which other members this may be called, how often and from where; and what may be called instead of it. */
export function dispatchOf(reader: GraphReader, family: Family, limit: number): Dispatch {
  const overrides: CalledAs[] = [];
  for (const [member, links] of dispatchedTo(reader, family)) {
    const groups = groupLinks(reader, family, links);
    overrides.push({
      symbol: mention(reader.symbol(member)),
      by: isOfContract(reader, member) ? 'implements' : 'overrides',
      callers: groups.length,
      calls: links.length,
      from: show(groups, Math.ceil(limit / USES_SHARE)),
    });
  }
  overrides.sort((a, b) => b.callers - a.callers || byText(a.symbol.key, b.symbol.key));
  return {
    overrides: overrides.slice(0, MOST_MEMBERS),
    ...shownOf(reader, standInsOf(reader, family), limit),
  };
}

/** Without those that stand in for what is asked about: they are listed as that. */
export function usesApart(reader: GraphReader, family: Family, uses: readonly Link[]): readonly Link[] {
  const isKin = ({ kind }: Link) => kind === 'overrides' || kind === 'implements' || kind === 'extends';
  if (!uses.some(isKin)) return uses;
  const standIns = standInsOf(reader, family).filter((id) => definedOf(reader, [id]).length > 0);
  const listed = new Set(standIns.map((id) => lifted(reader, id, family.level)));
  return uses.filter((link) => !isKin(link) || !listed.has(lifted(reader, link.symbol, family.level)));
}

/** For a member those that stand in for it, for a class or interface those below it. */
function standInsOf(reader: GraphReader, { head, level }: Family): readonly number[] {
  const { kind } = reader.symbol(head);
  if (level === 'symbol' || kind === 'method' || kind === 'field') return implementationsOf(reader, head);
  if (level === 'module') return [];
  const nominal = hasInterfacesAlone(reader.symbol(head)) ? [] : closure([head], (each) => derivedFrom(reader, each));
  return [...new Set([...nominal.slice(1), ...typesBelow(reader, head)])];
}

/** Where calls of these may end besides. */
export function endsOf(reader: GraphReader, callees: readonly number[], limit: number): Dispatch {
  const ends = new Set<number>();
  for (const callee of callees.slice(0, MOST_CALLEES))
    for (const end of implementationsOf(reader, callee)) ends.add(end);
  return { overrides: [], ...shownOf(reader, [...ends], limit) };
}

/** What is declared again is no implementation, unless it is an overload of one. */
function definedOf(reader: GraphReader, ids: readonly number[]): SymbolEntry[] {
  const defined = new Set<number>();
  for (const id of ids) {
    const symbol = reader.symbol(id);
    const family = symbol.isDeclared && isCallable(symbol) ? familyOf(reader, id).ids : [id];
    for (const each of family) if (!reader.symbol(each).isDeclared) defined.add(each);
  }
  return [...defined].map((id) => reader.symbol(id));
}

/** Code before tests, by place. */
function shownOf(reader: GraphReader, ids: readonly number[], limit: number): Pick<Dispatch, 'implementations'> {
  const symbols = withoutCopies(definedOf(reader, ids));
  symbols.sort((a, b) => byRole(a.role, b.role) || byText(a.path, b.path) || a.line - b.line);
  if (symbols.length === 0) return {};
  return { implementations: { total: symbols.length, items: symbols.slice(0, limit).map(mention) } };
}

/** Members of interfaces with the name of one that nobody calls, though nothing says that it is one of them. */
export function namesakesOf(reader: GraphReader, { head }: Family, callers: number): readonly CalledInstead[] {
  const symbol = reader.symbol(head);
  if (symbol.kind !== 'method' || callers > 0 || hasInterfacesAlone(symbol)) return [];
  const known = new Set([head, ...standsFor(reader, head)]);
  return reader
    .named(symbol.name)
    .slice(0, MOST_LOOKED_AT)
    .filter((other) => !known.has(other) && isOfContract(reader, other))
    .map((other) => called(reader, other))
    .filter((other) => other.callers > 0)
    .sort((a, b) => b.callers - a.callers || byText(a.symbol.key, b.symbol.key))
    .slice(0, MOST_NAMESAKES);
}

const MOST_LOOKED_AT = 500;
const MOST_NAMESAKES = 5;

/** Whether a member belongs to what others implement, not to a class that they extend. */
function isOfContract(reader: GraphReader, member: number): boolean {
  const owner = ownerOf(reader, member);
  if (owner === undefined) return false;
  const { kind } = reader.symbol(owner);
  return kind === 'interface' || kind === 'trait' || kind === 'type' || isContract(reader, owner);
}

function called(reader: GraphReader, id: number): CalledInstead {
  return { symbol: mention(reader.symbol(id)), callers: countCallers(reader, familyOf(reader, id)) };
}
