import type { Binding, Definition, FileFacts } from '../model/facts.ts';
import { directoryOf } from '../model/paths.ts';
import { isClassLike } from './class-parts.ts';
import { definitionAt, isBound, tableOf } from './file-table.ts';
import { definitionOf, rulesOf } from './language-rules.ts';
import { membersOf } from './members.ts';
import { addedTo, isSameFamily, namedIn, qualifiedName } from './qualified-names.ts';
import { FOUND_OUTSIDE, NOT_FOUND, objectOf } from './resolution.ts';
import type { Lookup, Resolution } from './resolution.ts';
import { isIn, meaningsOf } from './spaces.ts';
import type { Space } from './spaces.ts';
import { includedFiles } from './included-files.ts';
import type { Type } from './types.ts';
import type { Located } from './world.ts';

/** More than this are too many to name. */
const MOST = 5;

/**
 * What a name means on the outer level, where files include each other: one that is included, else the only one in the
 * directory, else the only one in the project, for what includes a file is often said elsewhere.
 */
export function findGlobal(r: Resolution, file: FileFacts, name: string, space: Space, own: readonly number[]): Lookup {
  if (rulesOf(file.language).outsideNames.has(name)) return FOUND_OUTSIDE;
  if (own.some((index) => isIn(space, file.definitions[index]?.kind))) {
    return { meanings: meaningsOf(file, own), by: 'scope' };
  }
  const found = lookupOf(r, file, namedIn(r.world, file, '', name), space) ?? lookInUsed(r, file, name, space);
  if (found !== undefined) return found;
  if (own.length > 0) return { meanings: meaningsOf(file, own), by: 'scope' };
  return rulesOf(file.language).builtIns.names.has(name) ? FOUND_OUTSIDE : NOT_FOUND;
}

/** `using namespace` may bring what namespaces have: the only one of that name is meant. */
function lookInUsed(r: Resolution, file: FileFacts, name: string, space: Space): Lookup | undefined {
  if (!rulesOf(file.language).usesNamespaces) return undefined;
  const all = r.world.named(name).filter((one) => isInNamespace(one) && isSameFamily(one.file, file));
  const found = lookupOf(r, file, all, space);
  return found?.by === 'import' ? { meanings: found.meanings, by: 'package' } : found;
}

function isInNamespace({ file, index }: Located): boolean {
  const definition = file.definitions[index] as Definition;
  return file.definitions[definition.container]?.kind === 'namespace' && addedTo(definition) === undefined;
}

function lookupOf(r: Resolution, file: FileFacts, all: readonly Located[], space: Space): Lookup | undefined {
  const named = all.filter((one) => isIn(space, one.file.definitions[one.index]?.kind));
  const [first] = named;
  if (first === undefined) return undefined;
  // A file that is included sees all that the one which includes it does.
  const whole = includedFiles(r.world, r.file);
  const included = whole.has(file) ? whole : includedFiles(r.world, file);
  const inside = distinct(
    r,
    named.filter((one) => included.has(one.file)),
  );
  if (inside.length > 0) return foundBy(inside, 'import');
  if (rulesOf(file.language).builtIns.names.has(first.file.definitions[first.index]?.name ?? '')) return FOUND_OUTSIDE;
  const offered = named.filter(isOffered);
  const near = distinct(
    r,
    offered.filter((one) => directoryOf(one.file.path) === directoryOf(file.path)),
  );
  if (near.length > 0) return foundBy(near, 'package');
  const anywhere = distinct(r, offered);
  return anywhere.length > 0 ? foundBy(anywhere, 'only') : undefined;
}

function foundBy(located: readonly Located[], by: Lookup['by']): Lookup {
  return {
    meanings: located.map(({ file, index }) => ({ is: 'definition', file, index })),
    by: located.every((one) => isOverload(one, located[0] as Located)) ? by : 'possible',
  };
}

function isOffered({ file, index }: Located): boolean {
  return !rulesOf(file.language).hidesUnexported || file.definitions[index]?.exported === true;
}

/** A declaration is one with its definition, and what is opened in several files is one; not many more than can be told. */
function distinct(r: Resolution, located: readonly Located[]): Located[] {
  const kept: Located[] = [];
  for (const each of located) {
    const one = definitionOf(r.world, each);
    if (kept.some((other) => other.file === one.file && other.index === one.index)) continue;
    if (isOpen(one) && kept.some(isOpen)) continue;
    kept.push(one);
    if (kept.length > MOST && !isOverload(one, kept[0] as Located)) break;
  }
  return kept;
}

/** Can be opened in several files: all of one qualified name are parts of one. */
function isOpen({ file, index }: Located): boolean {
  const definition = file.definitions[index];
  return definition?.kind === 'namespace' || (rulesOf(file.language).opensClasses && isClassLike(definition));
}

function isOverload(a: Located, b: Located): boolean {
  if (a.file !== b.file) return false;
  const [one, other] = [a.file.definitions[a.index], b.file.definitions[b.index]];
  return one?.container === other?.container;
}

/**
 * What a name means inside the definitions around a place, as far as they are nearer than the binding: what these have in
 * any file, and what the classes among them inherit.
 */
export function lookInsideIncluded(
  r: Resolution,
  file: FileFacts,
  name: string,
  at: number,
  space: Space,
  binding: Binding | undefined,
): Lookup | undefined {
  const { children, around } = tableOf(file);
  const isMethodName = rulesOf(file.language).isMethodName(name);
  let side: boolean | undefined;
  for (let index = definitionAt(file, at); index !== -1;) {
    const outer = file.definitions[index] as Definition;
    if (binding !== undefined && (outer.start < binding.from || outer.end <= at)) return undefined;
    if (side === undefined && outer.kind === 'method') side = outer.traits.includes('static');
    const own = children
      .get(index)
      ?.get(name)
      ?.filter((child) => !isBound(file, child) && isSeen(file, child, space));
    if (own !== undefined && own.length > 0) {
      const fitting = isMethodName ? own.filter((child) => isOnSide(file, child, outer, side ?? true)) : own;
      if (fitting.length > 0) return { meanings: meaningsOf(file, fitting), by: 'scope' };
    }
    const found = isClassLike(outer)
      ? lookInOpen(r, file, index, name, space, side ?? true)
      : lookInOwner(r, file, outer, name, space);
    if (found !== undefined) return found;
    if (isMethodName && isClassLike(outer)) return undefined;
    index = outer.container === -1 || outer.kind === 'field' ? (around[index] ?? -1) : outer.container;
  }
  return undefined;
}

/** The class is meant where its name stands, not what makes its objects. */
function isSeen(file: FileFacts, index: number, space: Space): boolean {
  const { kind, traits } = file.definitions[index] as Definition;
  return isIn(space, kind) && !traits.includes('constructor');
}

/** Whether a method is one of the class itself or one of its objects; those of modules can be both. */
function isOnSide(file: FileFacts, index: number, outer: Definition, isStatic: boolean): boolean {
  const { kind, traits } = file.definitions[index] as Definition;
  return kind !== 'method' || outer.kind !== 'class' || traits.includes('static') === isStatic;
}

/** What a class or namespace has elsewhere: in other files that open it, and in its bases. */
function lookInOpen(
  r: Resolution,
  file: FileFacts,
  index: number,
  name: string,
  space: Space,
  isStatic: boolean,
): Lookup | undefined {
  const outer = file.definitions[index] as Definition;
  const container = qualifiedName(file, index);
  if (container !== undefined && isOpen({ file, index })) {
    const others = namedIn(r.world, file, container, name).filter(
      (one) => one.file !== file && isOnSide(one.file, one.index, outer, isStatic),
    );
    const found = lookupOf(r, file, others, space);
    if (found !== undefined) return found;
  }
  if (outer.kind === 'namespace' || outer.bases.length === 0) return undefined;
  const isOfClass = rulesOf(file.language).separatesStatic && isStatic;
  const owner: Type = isOfClass ? { is: 'class', file, index, env: r.root } : objectOf(r, file, index, []);
  return inherited(r, owner, name, space);
}

/** What is around a method that is written outside its class: the class, then the namespaces named before it. */
function lookInOwner(
  r: Resolution,
  file: FileFacts,
  outer: Definition,
  name: string,
  space: Space,
): Lookup | undefined {
  const added = addedTo(outer);
  if (added === undefined) return undefined;
  // What the class is called is looked up here as well, and leads nowhere through itself.
  const type = outer.bases.find(({ how }) => how === 'adds')?.type;
  const isOwnName = added === name || added.startsWith(`${name}.`) || added.endsWith(`.${name}`);
  if (type !== undefined && space !== 'type' && !isOwnName) {
    const found = inherited(r, r.type(r, file, type, r.root), name, space);
    if (found !== undefined) return found;
  }
  const outside = outer.container === -1 ? undefined : qualifiedName(file, outer.container);
  for (let dot = added.lastIndexOf('.'); dot !== -1; dot = added.lastIndexOf('.', dot - 1)) {
    const container = outside === undefined ? added.slice(0, dot) : `${outside}.${added.slice(0, dot)}`;
    const found = lookupOf(r, file, namedIn(r.world, file, container, name), space);
    if (found !== undefined) return found;
  }
  return undefined;
}

function inherited(r: Resolution, owner: Type, name: string, space: Space): Lookup | undefined {
  // The bases themselves are types, so that types cannot be looked for there.
  if (space === 'type' || owner.is === 'unknown' || owner.is === 'outside') return undefined;
  const found: Located[] = [];
  for (const member of membersOf(r, owner, name)) {
    if (member.file === undefined || member.file.path === '' || !isSeen(member.file, member.index, space)) continue;
    found.push({ file: member.file, index: member.index });
  }
  if (found.length === 0) return undefined;
  return { meanings: found.map(({ file, index }) => ({ is: 'definition', file, index })), by: 'class', owner };
}
