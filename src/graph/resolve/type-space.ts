import type { Expression, Generic } from '../model/expression.ts';
import type { Definition, FileFacts } from '../model/facts.ts';
import { typeOfDefinition } from './definitions.ts';
import { openedElsewhere } from './added-members.ts';
import { childrenNamed, tableOf } from './file-table.ts';
import { exportsNamed } from './exports.ts';
import { enclosingObject } from './enclosing.ts';
import type { Meaning } from './meaning.ts';
import { isClassLike, merged } from './class-parts.ts';
import { rulesOf } from './language-rules.ts';
import { memberType } from './members.ts';
import { DEEPEST_READING, objectOf, objectUnder, once } from './resolution.ts';
import type { Resolution } from './resolution.ts';
import { genericAt, lookUp } from './scope.ts';
import { isIn, meaningsOf } from './spaces.ts';
import { awaited, eachOf, elementOf, resultOf } from './contents.ts';
import { parameterType } from './parameters.ts';
import { signaturesOf } from './signatures.ts';
import { bothOf, carrying, extendEnv, makeEnv, NOTHING, OUTSIDE, unionOf, UNKNOWN_TYPE } from './types.ts';
import type { Env, Type } from './types.ts';

const NO_TYPES: readonly Type[] = [];
const EMPTY = new Set(['null', 'undefined', 'void', 'never', 'None', 'nil']);

/** Reads an expression in type space. */
export function readType(r: Resolution, file: FileFacts, e: Expression, env: Env): Type {
  if (--r.steps < 0 || r.depth > DEEPEST_READING) return UNKNOWN_TYPE;
  r.depth++;
  const type = typeOf(r, file, e, env);
  r.depth--;
  return type;
}

function typeOf(r: Resolution, file: FileFacts, e: Expression, env: Env): Type {
  switch (e.is) {
    case 'name':
      return named(r, file, e, NO_TYPES, env);
    case 'apply': {
      const args = e.types.map((type) => readType(r, file, type, env));
      if (e.of.is === 'name') return named(r, file, e.of, args, env);
      return e.of.is === 'member' ? qualified(r, file, e.of, args, env) : readType(r, file, e.of, env);
    }
    case 'member':
      return qualified(r, file, e, NO_TYPES, env);
    case 'this':
      return env.self ?? enclosingObject(r, file, e.at);
    case 'either':
      return unionOf(e.of.map((part) => readType(r, file, part, env)));
    case 'both':
      return bothOf(e.of.map((part) => readType(r, file, part, env)));
    case 'tuple':
      return { is: 'tuple', of: e.of.map((part) => readType(r, file, part, env)) };
    case 'record':
      return { is: 'record', file, fields: e.fields, env, inTypes: true };
    case 'function':
      return { is: 'lambda', file, of: e, env: withInline(file, e.generics, env) };
    case 'literal':
      return EMPTY.has(e.type) ? NOTHING : { is: 'literal', type: e.type, text: e.text, file };
    case 'typeof':
      return r.value(r, file, e.value, env);
    case 'element':
      return elementOf(r, readType(r, file, e.of, env));
    case 'each':
      return eachOf(r, readType(r, file, e.of, env));
    case 'part':
      return elementOf(r, readType(r, file, e.of, env), e.n);
    case 'await':
      return awaited(r, readType(r, file, e.of, env));
    case 'call':
      // Of types only built-in ones are written as a call; elsewhere it is a class that a function makes.
      return file.path === ''
        ? resultOf(r, readType(r, file, e.of, env))
        : instanceOf(r, r.value(r, file, e, env), NO_TYPES);
    case 'new':
      return resultOf(r, readType(r, file, e.of, env), true);
    case 'as':
      return readType(r, file, e.type, env);
    case 'parameter': {
      const [signature] = signaturesOf(r, readType(r, file, e.of, env), false);
      return signature === undefined ? UNKNOWN_TYPE : parameterType(r, signature, e.n, signature.env);
    }
    default:
      return UNKNOWN_TYPE;
  }
}

/** The type parameters of a function type are found by name alone. */
function withInline(file: FileFacts, generics: readonly Generic[] | undefined, env: Env): Env {
  if (generics === undefined || generics.length === 0) return env;
  const types = new Map(env.types);
  for (const generic of generics) types.set(generic, { is: 'param', generic, file });
  return makeEnv(env.self, types, [...generics, ...env.inline]);
}

function named(
  r: Resolution,
  file: FileFacts,
  { name, at }: Extract<Expression, { is: 'name' }>,
  args: readonly Type[],
  env: Env,
): Type {
  for (const generic of env.inline) if (generic.name === name) return env.types.get(generic) ?? UNKNOWN_TYPE;
  const generic = genericAt(file, name, at);
  if (generic !== undefined) return env.types.get(generic) ?? { is: 'param', generic, file };
  if (EMPTY.has(name)) return NOTHING;
  const { meanings, by } = lookUp(r, file, name, at, 'type');
  if (by === 'possible') return UNKNOWN_TYPE;
  if (meanings.length === 0) {
    const local = localAlias(r, file, name, at, env);
    // A type that nothing here declares comes from the surroundings.
    return local.is === 'unknown' && by === 'nothing' ? outside(file, name, args) : local;
  }
  const type = typeOfMeanings(r, meanings, args, env);
  return type === OUTSIDE ? outside(file, name, args) : type;
}

function outside(file: FileFacts, name: string, args: readonly Type[]): Type {
  return carrying(rulesOf(file.language).suits === undefined ? OUTSIDE : { is: 'outside', name }, args);
}

/** A local variable that holds a class. */
function localAlias(r: Resolution, file: FileFacts, name: string, at: number, env: Env): Type {
  if (!tableOf(file).bindings.has(name)) return UNKNOWN_TYPE;
  return instanceOf(r, r.value(r, file, { is: 'name', name, at }, env), NO_TYPES);
}

/** What a name of these meanings is as a type. */
export function typeOfMeanings(r: Resolution, meanings: readonly Meaning[], args: readonly Type[], env: Env): Type {
  let other: Type = UNKNOWN_TYPE;
  for (const meaning of meanings) {
    if (meaning.is === 'outside') return OUTSIDE;
    if (meaning.is === 'module') other = meaning;
    if (meaning.is === 'value') other = instanceOf(r, r.value(r, meaning.file, meaning.value, r.root), args);
    if (meaning.is !== 'definition') continue;
    const { file, index } = meaning;
    const { kind, container } = file.definitions[index] as Definition;
    // In C a struct and the other name for it may be called the same.
    if (kind === 'type' && meanings.length > 1 && hasClass(meanings)) continue;
    if (!isIn('type', kind)) {
      if (other.is === 'unknown') {
        other = instanceOf(r, typeOfDefinition(r, file, index, container === -1 ? r.root : env), args);
      }
    } else if (kind === 'namespace') {
      other = { is: 'class', file, index, env: r.root };
    } else {
      return typeOfClassLike(r, file, index, args, env);
    }
  }
  return other;
}

function hasClass(meanings: readonly Meaning[]): boolean {
  return meanings.some((one) => {
    const kind = one.is === 'definition' ? one.file.definitions[one.index]?.kind : undefined;
    return kind === 'struct' || kind === 'class' || kind === 'enum';
  });
}

function typeOfClassLike(r: Resolution, file: FileFacts, index: number, args: readonly Type[], env: Env): Type {
  const definition = file.definitions[index] as Definition;
  if (definition.kind !== 'type' || tableOf(file).children.has(index)) {
    return objectOf(r, file, index, completed(r, file, definition, args));
  }
  if (definition.type === undefined) {
    // A type of its own that has the shape of another.
    return definition.bases.length > 0 ? objectOf(r, file, index, args) : UNKNOWN_TYPE;
  }
  const type = definition.type;
  if (definition.generics.length === 0) {
    const outer = definition.container === -1 ? r.root : env;
    return once(r, outer.values, definition, () => readType(r, file, type, outer));
  }
  const types = new Map<Generic, Type>();
  for (const [n, generic] of definition.generics.entries()) {
    const arg = args[n] ?? (generic.preset === undefined ? undefined : readType(r, file, generic.preset, r.root));
    types.set(generic, arg ?? UNKNOWN_TYPE);
  }
  return readType(r, file, type, extendEnv(r.root, types));
}

/** With the type arguments that have a preset. */
function completed(r: Resolution, file: FileFacts, definition: Definition, args: readonly Type[]): readonly Type[] {
  const { generics } = definition;
  if (args.length >= generics.length) return args;
  let all = args;
  for (const generic of generics.slice(args.length)) {
    const { preset } = generic;
    if (preset === undefined) break;
    const types = new Map<Generic, Type>();
    for (const [n, arg] of all.entries()) types.set(generics[n] as Generic, arg);
    const read = (): Type => readType(r, file, preset, makeEnv(undefined, types));
    all = [...all, args.length === 0 ? once(r, r.root.values, generic, read) : read()];
  }
  return all;
}

/** An object that the value, a class, makes. */
export function instanceOf(r: Resolution, value: Type, args: readonly Type[]): Type {
  if (value.is === 'class') {
    return isClassLike(value.file.definitions[value.index])
      ? objectUnder(r, value.file, value.index, args, value.env)
      : resultOf(r, value, true);
  }
  if (value.is === 'outside' || value.is === 'module') return value;
  if (value.is === 'both' || value.is === 'union') {
    const parts = value.of.map((part) => instanceOf(r, part, args));
    return value.is === 'both' ? bothOf(parts) : unionOf(parts);
  }
  return resultOf(r, value, true);
}

/** `a.B` of a namespace or module, else what a member of a type is: `T['b']`. */
function qualified(
  r: Resolution,
  file: FileFacts,
  e: Extract<Expression, { is: 'member' }>,
  args: readonly Type[],
  env: Env,
): Type {
  const outer = readType(r, file, e.of, env);
  switch (outer.is) {
    case 'module': {
      const meanings: Meaning[] = [];
      for (const one of outer.files) meanings.push(...exportsNamed(r.world, one, e.name));
      return typeOfMeanings(r, meanings, args, env);
    }
    case 'class':
    case 'object': {
      const found: number[] = [];
      for (const part of merged(outer.file, outer.index)) {
        for (const child of childrenNamed(outer.file, part, e.name)) {
          if (isIn('type', outer.file.definitions[child]?.kind)) found.push(child);
        }
      }
      if (found.length > 0) return typeOfMeanings(r, meaningsOf(outer.file, found), args, env);
      const opened = openedElsewhere(r, outer.file, outer.index, e.name);
      const types = opened.filter((one) => isIn('type', one.file.definitions[one.index]?.kind));
      if (types.length > 0) {
        return typeOfMeanings(
          r,
          types.map(({ file: at, index }) => ({ is: 'definition', file: at, index })),
          args,
          env,
        );
      }
      return memberType(r, outer, e.name);
    }
    case 'outside':
      return args.length === 0 ? memberType(r, outer, e.name) : carrying(outer, args);
    default:
      return memberType(r, outer, e.name);
  }
}
