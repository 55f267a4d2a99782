import type { Generic } from '../expression.ts';
import type { Definition, FileFacts } from '../facts.ts';
import { builtIn, typeOfDefinition } from './definitions.ts';
import { exportsNamed } from './exports.ts';
import { childrenNamed } from './file-table.ts';
import { rulesOf } from './language-rules.ts';
import { moduleNames } from './module-names.ts';
import type { Resolution } from './resolution.ts';
import { offeredByTraits } from './traits-in-scope.ts';
import { makeEnv, OUTSIDE, unionOf, UNKNOWN_TYPE } from './types.ts';
import type { ClassType, Env, ObjectType, Type } from './types.ts';

/** A definition with the conditions it is read under, or what has no definition of its own. */
export type Member =
  | { readonly file: FileFacts; readonly index: number; readonly env: Env; readonly type?: undefined }
  | { readonly file?: undefined; readonly type: Type };

const NONE: readonly Member[] = [];
const DEEPEST = 24;

/** The members of a type that have this name; several for overloads and unions. Sets `sawOutside` where one may be hidden. */
export function membersOf(r: Resolution, type: Type, name: string, depth = 0): readonly Member[] {
  if (--r.steps < 0 || depth > DEEPEST) return NONE;
  switch (type.is) {
    case 'object':
      return ofObject(r, type, type, name, depth);
    case 'class':
      return ofClass(r, type, name, depth);
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
  if (type.is === 'outside') return OUTSIDE;
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
      const found = ofBase(r, r.type(r, file, base.type, env), self, name, depth + 1);
      if (found.length > 0) return found;
    }
  }
  if (file.language === 'rust' && depth === 0 && file.path !== '') {
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

/** What is written for a type elsewhere: every definition of the name that says so is asked whose it is. */
function addedMembers(
  r: Resolution,
  file: FileFacts,
  index: number,
  name: string,
  env: Env,
  args: readonly Type[],
): readonly Member[] {
  const found: Member[] = [];
  const owner = file.definitions[index]?.name;
  for (const located of r.world.named(name)) {
    const definition = located.file.definitions[located.index] as Definition;
    if (located.file.language !== file.language) continue;
    const outer = located.file.definitions[definition.container];
    for (const { how, type } of [...definition.bases, ...(outer?.bases ?? [])]) {
      if (how !== 'adds' || headName(type) !== owner) continue;
      const whose = r.type(r, located.file, type, r.root);
      if (whose.is === 'object' && whose.file === file && whose.index === index) {
        found.push({ file: located.file, index: located.index, env: addedEnv(located.file, located.index, args, env) });
        break;
      }
    }
  }
  return found;
}

/** What is written for `Foo<T>` calls the type arguments by names of its own. */
function addedEnv(file: FileFacts, index: number, args: readonly Type[], env: Env): Env {
  const { bases, generics } = file.definitions[index] as Definition;
  if (args.length === 0 || generics.length === 0) return env;
  const type = bases.find(({ how }) => how === 'adds')?.type;
  if (type?.is !== 'apply') return env;
  const types = new Map(env.types);
  for (const [n, named] of type.types.entries()) {
    const generic = named.is === 'name' ? generics.find(({ name }) => name === named.name) : undefined;
    const arg = args[n];
    if (generic !== undefined && arg !== undefined) types.set(generic, arg);
  }
  return makeEnv(env.self, types, env.inline);
}

function headName(type: Definition['bases'][number]['type']): string | undefined {
  if (type.is === 'name' || type.is === 'member') return type.name;
  return type.is === 'apply' ? headName(type.of) : undefined;
}

function ofClass(r: Resolution, type: ClassType, name: string, depth: number): readonly Member[] {
  const { file, index, env } = type;
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
      own.push({ file, index: child, env });
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
      const side = classSide(r, r.type(r, file, base.type, env));
      if (side.is === 'unknown') r.sawOutside = true;
      const found = membersOf(r, side, name, depth + 1);
      if (found.length > 0) return found;
    }
  }
  return isClass ? ofFunction(r, file, name, depth) : NONE;
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

/** What `this` and the type parameters are inside an object's class. */
export function envOf(object: ObjectType): Env {
  object.env ??= makeEnv(object, argumentsOf(object));
  return object.env;
}

function argumentsOf({ file, index, args }: ObjectType): ReadonlyMap<Generic, Type> | undefined {
  if (args.length === 0) return undefined;
  const types = new Map<Generic, Type>();
  for (const part of merged(file, index)) {
    const generics = file.definitions[part]?.generics ?? [];
    for (const [n, generic] of generics.entries()) {
      const arg = args[n];
      if (arg !== undefined) types.set(generic, arg);
    }
  }
  return types;
}

/** All declarations of one name that are one class, interface, enum or namespace. */
export function merged(file: FileFacts, index: number): readonly number[] {
  const { container, name } = file.definitions[index] as Definition;
  const all = container === -1 ? moduleNames(file).definitions.get(name) : childrenNamed(file, container, name);
  if (all === undefined || all.length < 2) return [index];
  return [index, ...all.filter((other) => other !== index && isClassLike(file.definitions[other]))];
}

export function isClassLike(definition: Definition | undefined): boolean {
  switch (definition?.kind) {
    case 'class':
    case 'struct':
    case 'interface':
    case 'trait':
    case 'enum':
    case 'namespace':
      return true;
    default:
      return false;
  }
}

function addNew(found: Member[], member: Member): void {
  const isKnown = found.some(
    (other) => other.file !== undefined && other.file === member.file && other.index === member.index,
  );
  if (!isKnown) found.push(member);
}
