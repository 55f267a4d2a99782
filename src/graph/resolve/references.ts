import type { Definition, FileFacts, Reference } from '../model/facts.ts';
import type { EdgeKind, Why } from '../model/links.ts';
import { addEdge, addUnresolved } from './collect.ts';
import type { Collector } from './collect.ts';
import { enclosingBases } from './enclosing.ts';
import { childrenNamed, definitionAt } from './file-table.ts';
import { generalTargets } from './general-targets.ts';
import { definitionOf, rulesOf } from './language-rules.ts';
import type { Meaning } from './meaning.ts';
import { moduleNames } from './module-names.ts';
import { overloadAbove, suitingArguments, takingArguments } from './overloads.ts';
import { isClassLike, merged } from './class-parts.ts';
import { carriedMembers, membersOf } from './members.ts';
import { addedTo, isSameFamily } from './qualified-names.ts';
import type { Resolution } from './resolution.ts';
import { genericAt, lookUp } from './scope.ts';
import { onlyMethod } from './signatures.ts';
import { isIn } from './spaces.ts';
import type { Space } from './spaces.ts';
import type { Member, Type } from './types.ts';
import type { Located } from './world.ts';

/** What one reference may cost; what needs more stays unresolved. */
const BUDGET = 3000;
const MOST_POSSIBLE = 5;

/** Finds what a reference leads to and notes it as an edge, as possible, as unresolved or as outside. */
export function linkReference(r: Resolution, reference: Reference, into: Collector): void {
  r.steps = BUDGET;
  r.returned = false;
  r.sawOutside = false;
  if (reference.kind === 'implements') linkStandIn(r, reference, into);
  else if (reference.receiver === undefined) linkName(r, reference, into);
  else linkMember(r, reference, into);
}

function linkName(r: Resolution, reference: Reference, into: Collector): void {
  const { name, at, kind } = reference;
  const space = spaceOf(r, kind);
  if (space === 'type' && genericAt(r.file, name, at) !== undefined) return;
  const { meanings, by, owner } = lookUp(r, r.file, name, at, space);
  if (by === 'built-in') {
    into.outside++;
    return;
  }
  const overload = owner === undefined ? undefined : overloadOf(r, owner, reference);
  if (overload === 'outside') {
    into.outside++;
    return;
  }
  const found = overload ?? targetsOf(r, meanings, space, reference);
  const { variantsFor, includesFiles, opensClasses } = rulesOf(r.file.language);
  const targets = variantsFor(r.file, found) ?? found;
  if (includesFiles && targets.length > MOST_POSSIBLE) {
    addUnresolved(into, name);
    return;
  }
  const isOneOfSeveral = targets.length > 1 && (includesFiles || space === 'call');
  const why: Why = isOneOfSeveral ? 'possible' : by === 'nothing' ? 'scope' : by;
  for (const target of targets) {
    if (target.file.path === '') into.outside++;
    else link(r, reference, target, why, into);
  }
  if (targets.length > 0) return;
  // A parameter or local variable is called as what it is given: that is no definition.
  if (meanings.length > 0) into.outside++;
  // Where classes can be opened in any file, what one calls may be a method of any other.
  else if (opensClasses && reference.within !== -1) linkByName(r, reference, into);
  else if (isDefinedSomewhere(r, name)) addUnresolved(into, name);
  else into.outside++;
}

/** A function in the place of a member is called where that is. */
function linkStandIn(r: Resolution, reference: Reference, into: Collector): void {
  const { at } = reference;
  const source = standIn(r, reference);
  const targets = source === undefined ? [] : wantedBy(r, reference).filter(({ file }) => file.path !== '');
  if (source === undefined || targets.length > MOST_POSSIBLE) return;
  for (const { file, index } of targets) {
    if (file !== r.file || index !== source) addEdge(into.edges, source, 'overrides', file.path, index, at, 'receiver');
  }
}

function wantedBy(r: Resolution, reference: Reference): readonly Located[] {
  const { receiver } = reference;
  if (receiver === undefined) return [];
  if (receiver.is === 'member') {
    const members = membersOf(r, r.value(r, r.file, receiver.of, r.root), receiver.name);
    return targetsOfMembers(r, members, 'value', reference);
  }
  const type = r.value(r, r.file, receiver, r.root);
  const only = type.is === 'object' ? onlyMethod(type.file, type.index) : undefined;
  return type.is === 'object' && only !== undefined ? [{ file: type.file, index: only }] : [];
}

/** The function itself where the file has it, else what it is written in. */
function standIn(r: Resolution, { name, at, within }: Reference): number | undefined {
  if (name === '') return within === -1 || isClassLike(r.file.definitions[within]) ? fieldAt(r.file, at) : within;
  for (const meaning of lookUp(r, r.file, name, at, spaceOf(r, 'call')).meanings) {
    if (meaning.is === 'definition' && meaning.file === r.file) return meaning.index;
  }
  return undefined;
}

/** The field of a class that a place is in, where it is in no method. */
function fieldAt(file: FileFacts, at: number): number | undefined {
  const index = definitionAt(file, at);
  const kind = file.definitions[index]?.kind;
  return kind === 'field' || kind === 'constant' ? index : undefined;
}

/** Definitions of module level alone can be meant by a plain name. */
function isDefinedSomewhere(r: Resolution, name: string): boolean {
  for (const { file, index } of r.world.named(name)) {
    if (isSameFamily(file, r.file) && moduleNames(file).definitions.get(name)?.includes(index) === true) return true;
  }
  return false;
}

/** One target for all overloads and parts of a declaration; those in the space that was asked for before the others. */
function targetsOf(
  r: Resolution,
  meanings: readonly Meaning[],
  space: Space,
  reference: Reference,
): readonly Located[] {
  const located: Located[] = [];
  for (const meaning of meanings) if (meaning.is === 'definition') located.push(definitionOf(r.world, meaning));
  return choose(r, located, space, reference);
}

function choose(
  r: Resolution,
  located: readonly Located[],
  space: Space,
  { kind, args, given }: Reference,
): readonly Located[] {
  for (const inSpace of [true, false]) {
    const found = located.filter(({ file, index }) => isIn(space, file.definitions[index]?.kind) === inSpace);
    const [first] = found;
    if (first === undefined) continue;
    const { methodsApart, hasOverloads } = rulesOf(first.file.language);
    if (methodsApart && kind === 'call') return suitingArguments(r, takingArguments(found, args), given);
    return withoutOverloads(hasOverloads ? takingArguments(found, args) : found);
  }
  return [];
}

function withoutOverloads(located: readonly Located[]): Located[] {
  const targets: Located[] = [];
  for (const { file, index } of located) addTarget(targets, file, index);
  return targets;
}

/** Of overloads and merged declarations of one name the first with a body counts, else the first. */
function addTarget(targets: Located[], file: FileFacts, index: number): void {
  const definition = file.definitions[index] as Definition;
  for (const [n, known] of targets.entries()) {
    const other = known.file.definitions[known.index] as Definition;
    if (known.file !== file || other.container !== definition.container || other.name !== definition.name) continue;
    if (addedTo(other) !== addedTo(definition)) continue;
    if (rank(definition) < rank(other)) targets[n] = { file, index };
    return;
  }
  targets.push({ file, index });
}

function rank({ traits, kind }: Definition): number {
  if (kind === 'namespace') return 2;
  // In C a struct and the other name for it may be called the same.
  if (kind === 'type') return 1;
  return traits.includes('declared') ? 1 : 0;
}

function linkMember(r: Resolution, reference: Reference, into: Collector): void {
  const { name, receiver, kind } = reference;
  if (receiver === undefined) return;
  const type = r.value(r, r.file, receiver, r.root);
  const { returned } = r;
  r.sawOutside = false;
  const { constructors, variantsFor, fieldsHoldFunctions } = rulesOf(r.file.language);
  const isInherited = receiver.is === 'super' && constructors.includes(name);
  const overload = overloadOf(r, type, reference);
  if (overload === 'outside') {
    into.outside++;
    return;
  }
  const targets = isInherited
    ? enclosingBases(r, r.file, receiver.at).flatMap((base) => constructorsOf(r, base, name, reference))
    : (overload ?? targetsOfMembers(r, membersOf(r, type, name), spaceOf(r, kind), reference));
  const known = targets.filter(({ file }) => file.path !== '');
  const variants = variantsFor(r.file, known);
  const inside = variants ?? generalTargets(r, known);
  if (inside.length > MOST_POSSIBLE) {
    addUnresolved(into, name);
    return;
  }
  // What a field holds is called, not the field.
  if (fieldsHoldFunctions && kind === 'call' && inside.length > 0 && inside.every(isPlainField)) {
    into.outside++;
    return;
  }
  // One of several types: which, only the run decides.
  const why = inside.length > 1 && variants === undefined ? 'possible' : whyOf(r, receiver.is, type, returned);
  for (const target of inside) link(r, reference, target, why, into);
  if (inside.length > 0 || linkCarried(r, reference, type, into)) return;
  if (targets.length === 0 && !r.sawOutside && isUnknown(type)) linkByName(r, reference, into);
  else if (targets.length === 0 && kind === 'call' && isOpen(type) && mayBeMember(r, name)) addUnresolved(into, name);
  else if (targets.length > 0 || r.sawOutside || isOutside(type)) into.outside++;
  else if (isKnownMember(r, type, name)) into.outside++;
  else if (kind !== 'reference') addUnresolved(into, name);
}

/** What a library's object was given it may have handed out here; that it has no such member itself, nobody knows. */
function linkCarried(r: Resolution, reference: Reference, type: Type, into: Collector): boolean {
  const { name, kind } = reference;
  if (kind !== 'call' || isCommon(r, name, false)) return false;
  const members = (type.is === 'union' ? type.of : [type]).flatMap((part) =>
    part.is === 'outside' ? carriedMembers(r, part, name) : [],
  );
  const targets = targetsOfMembers(r, members, spaceOf(r, kind), reference).filter(({ file }) => file.path !== '');
  if (targets.length === 0 || targets.length > MOST_POSSIBLE) return false;
  for (const target of targets) link(r, reference, target, targets.length === 1 ? 'handed' : 'possible', into);
  return true;
}

/** Where methods differ by the types of their parameters; undefined where the usual way is as good. */
function overloadOf(r: Resolution, type: Type, reference: Reference): ReturnType<typeof overloadAbove> {
  const { suits, constructors } = rulesOf(r.file.language);
  if (suits === undefined || reference.kind !== 'call' || type.is !== 'object') return undefined;
  const isOurs = type.file.path !== '' && !constructors.includes(reference.name);
  return isOurs ? overloadAbove(r, type, reference) : undefined;
}

function isPlainField({ file, index }: Located): boolean {
  return file.definitions[index]?.kind === 'field';
}

/** A field without a definition of its own, as in a literal object. */
function isKnownMember(r: Resolution, type: Type, name: string): boolean {
  return membersOf(r, type, name).length > 0 || rulesOf(r.file.language).builtIns.members.has(name);
}

/** The constructor of a base, or the base itself when it has none of its own. */
function constructorsOf(r: Resolution, base: Located, name: string, reference: Reference): readonly Located[] {
  const own = childrenNamed(base.file, base.index, name).map((index) => ({ file: base.file, index }));
  return own.length > 0 ? choose(r, own, 'value', reference) : [base];
}

function targetsOfMembers(
  r: Resolution,
  members: readonly Member[],
  space: Space,
  reference: Reference,
): readonly Located[] {
  const located: Located[] = [];
  for (const member of members) {
    if (member.file !== undefined) located.push(definitionOf(r.world, { file: member.file, index: member.index }));
  }
  return choose(r, located, space, reference);
}

function spaceOf(r: Resolution, kind: Reference['kind']): Space {
  if (kind === 'type') return 'type';
  return kind === 'call' && rulesOf(r.file.language).methodsApart ? 'call' : 'value';
}

/** `null` and `None` have no members: where one is used, something else has been put in their place. */
function isUnknown({ is }: Type): boolean {
  return is === 'unknown' || is === 'nothing';
}

/** What a library made of what the project gave it may be an object of the project. */
function isOpen(type: Type): boolean {
  if (type.is === 'outside') return type.isOpen === true;
  return type.is === 'union' && type.of.some(isOpen);
}

/** Whether the project has members of that name, which is no common one. */
function mayBeMember(r: Resolution, name: string): boolean {
  return !isCommon(r, name, false) && candidatesOf(r, name).length > 0;
}

function isOutside(type: Type): boolean {
  switch (type.is) {
    case 'outside':
    case 'literal':
      return true;
    case 'object':
    case 'class':
      return type.file.path === '';
    case 'union':
    case 'both':
      return type.of.some(isOutside);
    default:
      return false;
  }
}

function whyOf(r: Resolution, receiver: string, type: Type, returned: boolean): Why {
  if (returned) return 'return';
  if (receiver === 'this' || receiver === 'super') return 'class';
  if (type.is === 'module') return 'import';
  if (type.is === 'class' && type.file.definitions[type.index]?.kind === 'namespace') {
    return type.file === r.file ? 'scope' : 'import';
  }
  return 'receiver';
}

/** Nothing is known of the receiver: the only member of that name, unless the name is common. */
function linkByName(r: Resolution, reference: Reference, into: Collector): void {
  const { name, kind } = reference;
  if (kind !== 'call' && kind !== 'new') return;
  const candidates = candidatesOf(r, name);
  const [only] = candidates;
  if (only === undefined) {
    into.outside++;
  } else if (candidates.length > MOST_POSSIBLE || isCommon(r, name, candidates.length > 1)) {
    addUnresolved(into, name);
  } else {
    for (const target of candidates) link(r, reference, target, candidates.length === 1 ? 'only' : 'possible', into);
  }
}

function candidatesOf(r: Resolution, name: string): readonly Located[] {
  let candidates = r.namesakes.get(name);
  if (candidates === undefined) r.namesakes.set(name, (candidates = namesakes(r, name)));
  return candidates;
}

/** Whether a name says nothing about the receiver; what libraries have as well may still be one of several. */
function isCommon(r: Resolution, name: string, areSeveral: boolean): boolean {
  const { members, ownMembers } = rulesOf(r.file.language).builtIns;
  return (areSeveral ? ownMembers : members).has(name);
}

/** Members of that name in the project, each with its overloads as one; no more than say that there are many. */
function namesakes(r: Resolution, name: string): readonly Located[] {
  const targets: Located[] = [];
  for (const { file, index } of r.world.named(name)) {
    if (!isSameFamily(file, r.file) || !isMember(file, index)) continue;
    const target = definitionOf(r.world, { file, index });
    addTarget(targets, target.file, target.index);
    if (targets.length > MOST_POSSIBLE) break;
  }
  return targets;
}

function isMember(file: FileFacts, index: number): boolean {
  const definition = file.definitions[index] as Definition;
  if (definition.traits.includes('unbound')) return true;
  if (definition.kind !== 'method' && !definition.traits.includes('callable')) return false;
  return definition.container === -1
    ? definition.bases.some(({ how }) => how === 'adds')
    : !definition.traits.includes('local') && file.definitions[definition.container]?.kind !== 'namespace';
}

function link(r: Resolution, reference: Reference, { file, index }: Located, by: Why, into: Collector): void {
  const { within, at } = reference;
  // A prototype is in sight, and what it declares elsewhere.
  const why = by === 'scope' && file !== r.file ? 'import' : by;
  const list = why === 'possible' ? into.possible : into.edges;
  const [first = index] = isClassLike(file.definitions[index]) ? merged(file, index) : [];
  addEdge(list, within, edgeKind(reference, file.definitions[first]), file.path, first, at, why);
}

function edgeKind({ kind }: Reference, target: Definition | undefined): EdgeKind {
  if (kind === 'type' || kind === 'reference') return 'references';
  if (kind === 'new') return 'instantiates';
  // An annotation says something of what it stands on, and does nothing.
  if (kind === 'decorator' && target?.kind === 'interface') return 'references';
  switch (target?.kind) {
    case 'class':
    case 'struct':
    case 'type':
      return 'instantiates';
    case 'constant':
      return target.parameters.length > 0 ? 'instantiates' : 'calls';
    default:
      return 'calls';
  }
}
