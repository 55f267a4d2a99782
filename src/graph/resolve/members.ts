import type { Base, Definition, FileFacts } from '../model/facts.ts';
import { addedEnv, addedMembers } from './added-members.ts';
import { baseType } from './base-types.ts';
import { envOf, merged } from './class-parts.ts';
import { builtIn, typeOfDefinition } from './definitions.ts';
import { exportsNamed, importMeanings, starMeanings } from './exports.ts';
import { childrenNamed } from './file-table.ts';
import { rulesOf } from './language-rules.ts';
import type { Resolution } from './resolution.ts';
import { carrying, makeEnv, OUTSIDE, unionOf, UNKNOWN_TYPE } from './types.ts';
import type { ClassType, Env, Member, ObjectType, OutsideType, Type } from './types.ts';
import { moduleNames } from './module-names.ts';
import type { Located, World } from './world.ts';

/**
 * What the traits in scope offer to any type under this name, whether or not the place that implements them is known: a
 * method of a trait can be called only where the trait is in scope.
 */
function offeredByTraits(world: World, file: FileFacts, name: string): Located[] {
  const found: Located[] = [];
  for (const located of world.named(name)) {
    const { container, kind } = located.file.definitions[located.index] as Definition;
    const owner = located.file.definitions[container];
    if (kind !== 'method' || owner?.kind !== 'trait' || located.file.language !== file.language) continue;
    if (located.file === file || isImported(world, file, owner.name, located.file, container)) found.push(located);
  }
  return found;
}

function isImported(world: World, file: FileFacts, trait: string, from: FileFacts, index: number): boolean {
  for (const entry of file.imports) {
    if (entry.name !== trait) continue;
    for (const meaning of importMeanings(world, file, entry)) {
      if (meaning.is === 'definition' && meaning.file === from && meaning.index === index) return true;
    }
  }
  if (moduleNames(file).stars.length === 0) return false;
  return starMeanings(world, file, trait).some(
    (meaning) => meaning.is === 'definition' && meaning.file === from && meaning.index === index,
  );
}

const NONE: readonly Member[] = [];
const DEEPEST = 24;

/** The members of a type that have this name; several for overloads and unions. Sets `sawOutside` where one may be hidden. */
export function membersOf(r: Resolution, type: Type, name: string, depth = 0): readonly Member[] {
  if (--r.steps < 0 || depth > DEEPEST) return NONE;
  switch (type.is) {
    case 'object':
      return ofObject(r, type, type, name, depth);
    case 'class':
      return ofClass(r, type, type, name, depth);
    case 'module':
      return ofModule(r, type.files, name);
    case 'record': {
      for (const [field, value] of type.fields) {
        if (field !== name) continue;
        const read = type.inTypes ? r.type : r.value;
        return [{ type: read(r, type.file, value, type.env) }];
      }
      return NONE;
    }
    case 'union':
    case 'both': {
      const found: Member[] = [];
      for (const part of type.of) for (const member of membersOf(r, part, name, depth + 1)) addNew(found, member);
      return found;
    }
    case 'param': {
      const { bound } = type.generic;
      return bound === undefined ? NONE : membersOf(r, r.type(r, type.file, bound, r.root), name, depth + 1);
    }
    case 'literal':
      return membersOf(r, builtIn(r, type.file, type.type, []), name, depth + 1);
    case 'tuple':
      return ofTuple(r, type.of, name, depth);
    case 'function':
    case 'lambda':
      return ofFunction(r, type.file, name, depth);
    case 'outside':
      r.sawOutside = true;
      return NONE;
    default:
      return NONE;
  }
}

export function typeOfMember(r: Resolution, member: Member): Type {
  return member.file === undefined ? member.type : typeOfDefinition(r, member.file, member.index, member.env);
}

/** What reading a member gives, whichever of them it is; overloads are one function. */
export function memberType(r: Resolution, type: Type, name: string): Type {
  if (type.is === 'outside') {
    const carried = carriedMembers(r, type, name).map((member) => typeOfMember(r, member));
    // A function that was handed over is called with what else was.
    return carried.length === 0 || carried.some(({ is }) => is === 'lambda') ? type : carrying(OUTSIDE, carried);
  }
  const sawOutside = r.sawOutside;
  r.sawOutside = false;
  const members = membersOf(r, type, name);
  const leadsOutside = r.sawOutside;
  r.sawOutside = sawOutside;
  const [first] = members;
  if (first === undefined) {
    const [indexed] = membersOf(r, type, '[]');
    if (indexed !== undefined) return typeOfMember(r, indexed);
    return leadsOutside ? OUTSIDE : UNKNOWN_TYPE;
  }
  if (members.length === 1) return typeOfMember(r, first);
  return unionOf(withoutOverloads(members).map((member) => typeOfMember(r, member)));
}

/** What the types have that something outside was given, and what objects that were written out for it hold. */
export function carriedMembers(r: Resolution, { carries }: OutsideType, name: string): readonly Member[] {
  if (carries === undefined) return NONE;
  const { sawOutside, steps } = r;
  r.steps = Math.min(steps, CARRIED_STEPS);
  const found: Member[] = [];
  const spent = r.steps;
  for (const type of carries) addCarriedMembers(r, type, name, 0, found);
  r.steps = steps - (spent - r.steps);
  r.sawOutside = sawOutside;
  return found;
}

const CARRIED_STEPS = 200;
const DEEPEST_RECORD = 3;

function addCarriedMembers(r: Resolution, type: Type, name: string, depth: number, found: Member[]): void {
  if (type.is !== 'record' && type.is !== 'object' && type.is !== 'class') return;
  const own = membersOf(r, type, name);
  for (const member of own) addNew(found, member);
  if (own.length > 0 || type.is !== 'record' || depth >= DEEPEST_RECORD) return;
  for (const [field] of type.fields) {
    if (r.steps < 0) return;
    for (const member of membersOf(r, type, field)) {
      const held = carrying(OUTSIDE, [typeOfMember(r, member)]);
      for (const inner of held.carries ?? []) addCarriedMembers(r, inner, name, depth + 1, found);
    }
  }
}

/** Overloads, the parts of an accessor and the parts of a class are one. */
function withoutOverloads(members: readonly Member[]): readonly Member[] {
  const kept: Member[] = [];
  for (const member of members) if (!kept.some((other) => isOverload(other, member))) kept.push(member);
  return kept;
}

function isOverload(a: Member, b: Member): boolean {
  if (a.file === undefined || a.file !== b.file || a.env !== b.env) return false;
  const one = a.file.definitions[a.index] as Definition;
  const other = b.file.definitions[b.index] as Definition;
  return one.container === other.container && one.kind === other.kind;
}

function ofObject(r: Resolution, object: ObjectType, self: Type, name: string, depth: number): readonly Member[] {
  const { file, index } = object;
  const definition = file.definitions[index];
  if (definition === undefined || --r.steps < 0 || depth > DEEPEST) return NONE;
  const rules = rulesOf(file.language);
  const env = self === object ? envOf(object) : makeEnv(self, envOf(object).types);
  const own: Member[] = [];
  const parts = merged(file, index);
  for (const part of parts) {
    for (const child of childrenNamed(file, part, name)) {
      const { traits } = file.definitions[child] as Definition;
      if (rules.separatesStatic && traits.includes('static')) continue;
      if (!traits.includes('local')) own.push({ file, index: child, env: addedEnv(file, child, object.args, env) });
    }
    if (own.length > 0) return own;
  }
  if (rules.addsMembers) {
    const added = addedMembers(r, file, index, name, env, object.args);
    if (added.length > 0) return added;
  }
  for (const part of parts) {
    for (const base of file.definitions[part]?.bases ?? []) {
      if (base.how === 'adds') continue;
      const type = baseType(r, file, base, envOf(object));
      // A template may extend another variant of itself, which is one of the parts.
      if (type.is === 'object' && type.file === file && parts.includes(type.index)) continue;
      const found = ofBase(r, type, self, name, depth + 1);
      if (found.length > 0) return found;
    }
  }
  if (rules.traitsInScope && depth === 0 && file.path !== '') {
    const offered = offeredByTraits(r.world, r.file, name);
    if (offered.length > 0) return offered.map((located) => ({ file: located.file, index: located.index, env }));
  }
  if (definition.kind !== 'type' || definition.type === undefined) return NONE;
  return ofBase(r, r.type(r, file, definition.type, env), self, name, depth + 1);
}

function ofBase(r: Resolution, base: Type, self: Type, name: string, depth: number): readonly Member[] {
  if (base.is === 'object') return ofObject(r, base, self, name, depth);
  if (base.is === 'unknown') r.sawOutside = true;
  return membersOf(r, base, name, depth);
}

function ofClass(r: Resolution, type: ClassType, self: Type, name: string, depth: number): readonly Member[] {
  const { file, index } = type;
  const env = self === type ? type.env : makeEnv(self, type.env.types);
  const definition = file.definitions[index];
  if (definition === undefined || --r.steps < 0 || depth > DEEPEST) return NONE;
  const rules = rulesOf(file.language);
  const isClass = definition.kind === 'class' || definition.kind === 'struct';
  const own: Member[] = [];
  const parts = merged(file, index);
  for (const part of parts) {
    const hasInstances = isClass && file.definitions[part]?.kind !== 'namespace';
    for (const child of childrenNamed(file, part, name)) {
      const { traits, kind } = file.definitions[child] as Definition;
      if (traits.includes('local')) continue;
      const isOfObjects = (kind === 'method' || kind === 'field') && !traits.includes('static');
      if (rules.separatesStatic && hasInstances && isOfObjects) continue;
      own.push({ file, index: child, env: traits.includes('static') ? env : type.env });
    }
  }
  if (own.length > 0) return own;
  if (rules.addsMembers) {
    const added = addedMembers(r, file, index, name, env, []);
    if (added.length > 0) return added;
  }
  for (const part of parts) {
    for (const base of file.definitions[part]?.bases ?? []) {
      if (base.how !== 'extends' && base.how !== 'embeds') continue;
      const side = baseClass(r, file, base, type.env);
      if (side.is === 'unknown') r.sawOutside = true;
      const found = side.is === 'class' ? ofClass(r, side, self, name, depth + 1) : membersOf(r, side, name, depth + 1);
      if (found.length > 0) return found;
    }
  }
  return isClass ? ofFunction(r, file, name, depth) : NONE;
}

/** What a class extends, as the class itself sees it. */
export function baseClass(r: Resolution, file: FileFacts, base: Base, env: Env): Type {
  if (base.type.is !== 'call') return classSide(r, baseType(r, file, base, env));
  const { returned } = r;
  const made = r.value(r, file, base.type, env);
  r.returned = returned;
  return made;
}

/** The class that makes objects of a type. */
export function classSide(r: Resolution, type: Type): Type {
  if (type.is === 'object') return { is: 'class', file: type.file, index: type.index, env: r.root };
  if (type.is === 'union') return unionOf(type.of.map((part) => classSide(r, part)));
  return type.is === 'outside' ? OUTSIDE : UNKNOWN_TYPE;
}

function ofModule(r: Resolution, files: readonly FileFacts[], name: string): readonly Member[] {
  const found: Member[] = [];
  for (const file of files) {
    for (const meaning of exportsNamed(r.world, file, name)) {
      if (meaning.is === 'definition') addNew(found, { file: meaning.file, index: meaning.index, env: r.root });
      else if (meaning.is === 'module') addNew(found, { type: { is: 'module', files: meaning.files } });
      else if (meaning.is === 'value') addNew(found, { type: r.value(r, meaning.file, meaning.value, r.root) });
      else if (meaning.is === 'outside') r.sawOutside = true;
    }
  }
  return found;
}

function ofTuple(r: Resolution, parts: readonly Type[], name: string, depth: number): readonly Member[] {
  const n = /^\d+$/u.test(name) ? parts[Number(name)] : undefined;
  if (n !== undefined) return [{ type: n }];
  return membersOf(r, listOf(r, parts), name, depth + 1);
}

/** A list of what a tuple has. */
export function listOf(r: Resolution, parts: readonly Type[]): Type {
  const { list } = rulesOf(r.file.language);
  return builtIn(r, r.file, list, [unionOf(parts)]);
}

function ofFunction(r: Resolution, file: FileFacts, name: string, depth: number): readonly Member[] {
  const type = builtIn(r, file, 'Function', []);
  return type.is === 'unknown' ? NONE : membersOf(r, type, name, depth + 1);
}

/** The same member is worth more where more is known of its type parameters: both are kept. */
function addNew(found: Member[], member: Member): void {
  for (const other of found) {
    if (other.file === undefined || other.file !== member.file) continue;
    if (other.index === member.index && other.env === member.env) return;
  }
  found.push(member);
}
