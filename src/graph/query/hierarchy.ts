import { byText } from './best-symbol.ts';
import { definitionOf } from './declared.ts';
import { familyOf, isClassLike, lifted } from './family.ts';
import type { GraphReader, Link, SymbolEntry } from './graph-reader.ts';

/** Of more below one class, or above it, the first so many are looked at. */
const MOST_CLASSES = 500;

/** The class, interface or their like that a member belongs to. */
export function ownerOf(reader: GraphReader, member: number): number | undefined {
  const owner = lifted(reader, member, 'class');
  return owner !== member && isClassLike(reader.symbol(owner)) ? owner : undefined;
}

/** What a class names as its bases, in the order of the code. */
export function basesOf(reader: GraphReader, owner: number): readonly number[] {
  return reader
    .outgoing(owner)
    .filter(isInheritance)
    .sort((a, b) => byText(a.path, b.path) || a.line - b.line || a.column - b.column)
    .map(({ symbol }) => symbol);
}

export function derivedFrom(reader: GraphReader, owner: number): readonly number[] {
  return reader
    .incoming(owner)
    .filter(isInheritance)
    .map(({ symbol }) => symbol);
}

function isInheritance({ kind }: Link): boolean {
  return kind === 'extends' || kind === 'implements';
}

/** All bases of a class, near ones first, and the class itself before them. */
export function lineage(reader: GraphReader, owner: number): readonly number[] {
  return closure([owner], (each) => basesOf(reader, each));
}

/** What `next` leads to again and again, each once, near ones first. */
export function closure(start: readonly number[], next: (id: number) => Iterable<number>): number[] {
  const found = new Set(start);
  for (const each of found) {
    for (const other of next(each)) {
      if (found.size >= MOST_CLASSES) return [...found];
      found.add(other);
    }
  }
  return [...found];
}

const known = new WeakMap<GraphReader, Map<number, ReadonlyMap<string, number>>>();

/** What a class has of its own that can be called, by name; of overloads the first. */
export function membersOf(reader: GraphReader, owner: number): ReadonlyMap<string, number> {
  const classes = known.get(reader) ?? new Map<number, ReadonlyMap<string, number>>();
  known.set(reader, classes);
  const before = classes.get(owner);
  if (before) return before;
  const members = new Map<string, number>();
  for (const id of familyOf(reader, owner).ids) {
    const symbol = reader.symbol(id);
    if (id === owner || !isMember(symbol) || ownerOf(reader, id) !== owner) continue;
    if (!members.has(symbol.name)) members.set(symbol.name, definitionOf(reader, id));
  }
  classes.set(owner, members);
  return members;
}

function isMember({ kind, visibility, isLocal }: SymbolEntry): boolean {
  return (kind === 'method' || kind === 'field') && visibility !== 'special' && !isLocal;
}

/** The member that objects of a class have under a name: its own, else that of the nearest base. */
export function memberNamed(reader: GraphReader, owner: number, name: string): number | undefined {
  for (const each of lineage(reader, owner)) {
    const member = membersOf(reader, each).get(name);
    if (member !== undefined) return member;
  }
  return undefined;
}
