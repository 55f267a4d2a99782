import { counts, familyOf, isCall } from './family.ts';
import type { Family } from './family.ts';
import type { GraphReader, Link } from './graph-reader.ts';
import { basesOf, closure, derivedFrom, lineage, memberNamed, membersOf, ownerOf } from './hierarchy.ts';
import { hasInterfacesAlone, methodsAbove, methodsBelow } from './method-sets.ts';

/** A call of a member that may end at another one, which stands in for it: a tier of its own, never counted as a caller. */
export interface Dispatched extends Link {
  /** The member that the code names. */
  readonly through: number;
}

/** The members by which a symbol may be called where only an interface, a trait or a base is in sight; near ones first. */
export function standsFor(reader: GraphReader, id: number): readonly number[] {
  return closure([id], (each) => [
    ...overridden(reader, each),
    ...inheritedFor(reader, each),
    ...methodsAbove(reader, each),
  ]).slice(1);
}

/** The members that a call of this one may end at. */
export function implementationsOf(reader: GraphReader, id: number): readonly number[] {
  return closure([...familyOf(reader, id).ids], (each) => [
    ...overriding(reader, each),
    ...inheritedIn(reader, each),
    ...methodsBelow(reader, each),
  ]).filter((each) => each !== id && !familyOf(reader, id).ids.has(each));
}

/** Calls of other members that may end in this family, by the member that they name. */
export function dispatchedTo(reader: GraphReader, family: Family): ReadonlyMap<number, readonly Dispatched[]> {
  const found = new Map<number, Dispatched[]>();
  for (const id of family.ids) {
    for (const member of standsFor(reader, id)) {
      if (family.ids.has(member)) continue;
      const links = found.get(member) ?? [];
      found.set(member, links);
      for (const link of callsThrough(reader, member, id)) if (!family.ids.has(link.symbol)) links.push(link);
    }
  }
  return found;
}

/** Calls that name a member and may end at one that stands in for it. */
export function callsThrough(reader: GraphReader, member: number, id: number): readonly Dispatched[] {
  const links: Dispatched[] = [];
  for (const target of familyOf(reader, member).ids) {
    for (const link of reader.incoming(target)) {
      if (isCall(link.kind) && counts(link) && mayReach(reader, link, member, id))
        links.push({ ...link, through: member });
    }
  }
  return links;
}

/**
 * An object calls its own members as what it is: what a class calls of itself ends in it or below it, and a call of the
 * base by a class that has the member itself means the base alone.
 */
function mayReach(reader: GraphReader, { why, symbol }: Link, member: number, id: number): boolean {
  if (why !== 'class') return true;
  const [caller, owner] = [ownerOf(reader, symbol), ownerOf(reader, id)];
  if (caller === undefined || owner === undefined) return true;
  const own = membersOf(reader, caller).get(reader.symbol(member).name);
  if (own !== undefined && own !== member) return false;
  return [owner, ...heirsOf(reader, owner, reader.symbol(id).name)].some((each) =>
    lineage(reader, each).includes(caller),
  );
}

/** Where methods are chosen by interfaces alone, one that hides that of an embedded type is called instead if it has its types. */
function overridden(reader: GraphReader, id: number): readonly number[] {
  return reader
    .outgoing(id)
    .filter(({ kind, symbol }) => kind === 'overrides' && !hasInterfacesAlone(reader.symbol(symbol)))
    .map(({ symbol }) => symbol);
}

function overriding(reader: GraphReader, id: number): readonly number[] {
  if (hasInterfacesAlone(reader.symbol(id))) return [];
  return reader
    .incoming(id)
    .filter(({ kind }) => kind === 'overrides')
    .map(({ symbol }) => symbol);
}

/** `class C extends A implements I`: what `C` has from `A` stands for what `I` asks for. */
function inheritedFor(reader: GraphReader, id: number): readonly number[] {
  const symbol = reader.symbol(id);
  const owner = symbol.kind === 'method' || symbol.kind === 'field' ? ownerOf(reader, id) : undefined;
  if (owner === undefined || symbol.isDeclared || hasInterfacesAlone(symbol)) return [];
  const found: number[] = [];
  for (const heir of heirsOf(reader, owner, symbol.name)) {
    const bases = basesOf(reader, heir);
    const first = bases.findIndex((base) => lineage(reader, base).includes(owner));
    for (const base of bases.slice(first + 1)) {
      const member = memberNamed(reader, base, symbol.name);
      if (member !== undefined && member !== id) found.push(member);
    }
  }
  return found;
}

function inheritedIn(reader: GraphReader, id: number): readonly number[] {
  const symbol = reader.symbol(id);
  const owner = symbol.kind === 'method' || symbol.kind === 'field' ? ownerOf(reader, id) : undefined;
  if (owner === undefined || hasInterfacesAlone(symbol)) return [];
  const found: number[] = [];
  for (const heir of heirsOf(reader, owner, symbol.name)) {
    for (const base of basesOf(reader, heir)) {
      if (lineage(reader, base).includes(owner)) break;
      const member = memberNamed(reader, base, symbol.name);
      if (member !== undefined && !reader.symbol(member).isDeclared) found.push(member);
    }
  }
  return found;
}

/** The classes below one that have a member from it and none of that name of their own. */
function heirsOf(reader: GraphReader, owner: number, name: string): readonly number[] {
  return closure([owner], (each) =>
    derivedFrom(reader, each).filter((below) => !membersOf(reader, below).has(name)),
  ).slice(1);
}
