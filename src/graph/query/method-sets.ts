import { directoryOf } from '../model/paths.ts';
import type { LanguageDescriptor } from '../languages/descriptor.ts';
import { descriptorOfPath } from '../walk/known-languages.ts';
import { countParameters, headOf } from './declared.ts';
import type { GraphReader, SymbolEntry } from './graph-reader.ts';
import { childrenOf } from './family.ts';
import { basesOf, closure, derivedFrom, lineage, memberNamed, membersOf, ownerOf } from './hierarchy.ts';

/** Of more members of one name, the first so many are looked at. */
const MOST_NAMESAKES = 500;

/** The members of interfaces that this one stands for because its type has all that they ask for. */
export function methodsAbove(reader: GraphReader, member: number): readonly number[] {
  const symbol = reader.symbol(member);
  const owner = setsOf(symbol) && ownerOf(reader, member);
  if (owner === undefined || isContract(reader, owner)) return [];
  const types = holdersOf(reader, owner, symbol.name);
  return namesakes(reader, symbol).filter((other) => {
    const contract = ownerOf(reader, other);
    if (contract === undefined || !isContract(reader, contract)) return false;
    return types.some((type) => implementsAll(reader, type, contract));
  });
}

/** The members that a call of one of such an interface may end at. */
export function methodsBelow(reader: GraphReader, member: number): readonly number[] {
  const symbol = reader.symbol(member);
  const contract = setsOf(symbol) && ownerOf(reader, member);
  if (contract === undefined || !isContract(reader, contract)) return [];
  return namesakes(reader, symbol).filter((other) => {
    const owner = ownerOf(reader, other);
    if (owner === undefined || isContract(reader, owner)) return false;
    return holdersOf(reader, owner, symbol.name).some((type) => implementsAll(reader, type, contract));
  });
}

/** The types that implement such an interface. */
export function typesBelow(reader: GraphReader, contract: number): readonly number[] {
  if (!isContract(reader, contract)) return [];
  for (const each of lineage(reader, contract)) {
    for (const [name, member] of membersOf(reader, each))
      return typesWith(reader, contract, name, reader.symbol(member));
  }
  for (const each of lineage(reader, contract)) {
    for (const methods of outsideOf(reader, each))
      for (const name of methods?.keys() ?? []) return typesWith(reader, contract, name, reader.symbol(contract));
  }
  return [];
}

function typesWith(reader: GraphReader, contract: number, name: string, { id, path }: SymbolEntry): readonly number[] {
  const owners = namesakes(reader, { id, name, path }).map((method) => ownerOf(reader, method));
  const types = owners.flatMap((owner) =>
    owner === undefined || isContract(reader, owner) ? [] : holdersOf(reader, owner, name),
  );
  return [...new Set(types)].filter((type) => implementsAll(reader, type, contract));
}

function setsOf({ path }: SymbolEntry): LanguageDescriptor['methodSets'] {
  return descriptorOfPath(path)?.methodSets;
}

/** Where interfaces are the only thing that a member can stand in through. */
export function hasInterfacesAlone(symbol: SymbolEntry): boolean {
  const sets = setsOf(symbol);
  return sets !== undefined && sets.contract === undefined;
}

export function isContract(reader: GraphReader, owner: number): boolean {
  const symbol = reader.symbol(owner);
  const sets = setsOf(symbol);
  return sets !== undefined && (sets.contract?.test(symbol.signature) ?? symbol.kind === 'interface');
}

function namesakes(
  reader: GraphReader,
  { id, name, path }: Pick<SymbolEntry, 'id' | 'name' | 'path'>,
): readonly number[] {
  const language = reader.file(path)?.language;
  return reader
    .named(name)
    .slice(0, MOST_NAMESAKES)
    .filter((other) => {
      const symbol = reader.symbol(other);
      return other !== id && symbol.kind === 'method' && reader.file(symbol.path)?.language === language;
    });
}

/** A type, and those that embed it and have this member from it. */
function holdersOf(reader: GraphReader, owner: number, name: string): readonly number[] {
  return closure([owner], (each) =>
    derivedFrom(reader, each).filter((type) => !isContract(reader, type) && !membersOf(reader, type).has(name)),
  );
}

function implementsAll(reader: GraphReader, type: number, contract: number): boolean {
  for (const each of lineage(reader, contract)) {
    for (const [name, wanted] of membersOf(reader, each)) {
      const own = memberNamed(reader, type, name);
      const fit =
        own === undefined
          ? comesFromOutside(reader, type, name)
          : fits(reader, reader.symbol(own), reader.symbol(wanted));
      if (fit !== true) return false;
    }
    for (const methods of outsideOf(reader, each)) {
      for (const [name, behind] of methods ?? []) {
        const own = memberNamed(reader, type, name);
        // What a library's type has that nobody here knows may be just this.
        const fit =
          own === undefined ? comesFromOutside(reader, type, name) : hasTypes(reader, reader.symbol(own), behind);
        if (fit === false) return false;
      }
    }
  }
  return true;
}

/** Whether a type has a method from one outside the project that is part of it; undefined where that may be. */
function comesFromOutside(reader: GraphReader, type: number, name: string): boolean | undefined {
  let answer: boolean | undefined = false;
  for (const each of lineage(reader, type)) {
    for (const methods of outsideOf(reader, each)) {
      if (methods?.has(name)) return true;
      if (methods === undefined) answer = undefined;
    }
  }
  return answer;
}

const outsiders = new WeakMap<GraphReader, Map<number, readonly (ReadonlyMap<string, string> | undefined)[]>>();

/** The methods of each type outside the project that is part of this one; undefined for one that is not known. */
function outsideOf(reader: GraphReader, type: number): readonly (ReadonlyMap<string, string> | undefined)[] {
  const types = outsiders.get(reader) ?? new Map<number, readonly (ReadonlyMap<string, string> | undefined)[]>();
  outsiders.set(reader, types);
  const before = types.get(type);
  if (before) return before;
  const sets = setsOf(reader.symbol(type));
  const inside = new Set(basesOf(reader, type).map((base) => reader.symbol(base).name));
  const names = embeddedIn(reader, type).filter((name) => !inside.has(lastOf(name)));
  const found = names.map((name) => sets?.outside?.(name));
  types.set(type, found);
  return found;
}

function embeddedIn(reader: GraphReader, type: number): readonly string[] {
  const symbol = reader.symbol(type);
  const embedded = setsOf(symbol)?.embedded;
  if (embedded === undefined) return [];
  if (isContract(reader, type)) return embedded(symbol.signature);
  return childrenOf(reader, type).flatMap((child) => {
    const { kind, name, signature } = reader.symbol(child);
    return kind === 'field' ? embedded(signature).filter((each) => lastOf(each) === name) : [];
  });
}

function lastOf(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1);
}

function fits(reader: GraphReader, own: SymbolEntry, wanted: SymbolEntry): boolean {
  if (setsOf(wanted)?.hidden?.test(wanted.name) && directoryOf(own.path) !== directoryOf(wanted.path)) return false;
  const [mine, other] = [shapeOf(own), shapeOf(wanted)];
  if (mine === undefined || other === undefined) return true;
  return mine === other && haveSameTypes(reader, own, wanted);
}

/** By the texts of types; what a type parameter stands for, they do not say. */
function haveSameTypes(reader: GraphReader, own: SymbolEntry, wanted: SymbolEntry): boolean {
  return isGeneric(reader, wanted) || hasTypes(reader, own, behindName(wanted));
}

function hasTypes(reader: GraphReader, own: SymbolEntry, behind: string): boolean {
  const sets = setsOf(own);
  if (sets?.haveSameTypes === undefined || isGeneric(reader, own)) return true;
  return sets.haveSameTypes(behindName(own), behind, (name) =>
    reader.named(name).some((id) => sets.alias?.test(reader.symbol(id).signature) === true),
  );
}

function isGeneric(reader: GraphReader, member: SymbolEntry): boolean {
  const owner = ownerOf(reader, member.id);
  return owner !== undefined && setsOf(member)?.generic?.test(reader.symbol(owner).signature) === true;
}

function behindName(symbol: SymbolEntry): string {
  const before = headOf(symbol)?.before ?? '';
  return symbol.signature.slice(before.length + symbol.name.length);
}

/** How many parameters and results a method has, where its signature says so. */
function shapeOf(symbol: SymbolEntry): string | undefined {
  const { signature } = symbol;
  const isExact = hasInterfacesAlone(symbol);
  if (signature.length >= LONGEST_SIGNATURE || (!isExact && VARIABLE.test(signature))) return undefined;
  const head = headOf(symbol);
  if (head === undefined || head.parameters < 0) return undefined;
  const { after, parameters } = head;
  // Of what is written behind an arrow it depends on the author whether it is there.
  if (!isExact) return String(parameters);
  const results = after === '' ? 0 : after.startsWith('(') ? countParameters(after, 1).parameters : 1;
  return `${parameters} ${results}`;
}

const LONGEST_SIGNATURE = 200;
/** Where a method has what its contract says: parameters that may be left out, or be several. */
const VARIABLE = /=|\*\*|\*\w+[,)]|\(\*,/;
