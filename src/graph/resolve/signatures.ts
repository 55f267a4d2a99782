import type { Generic, Parameter } from '../model/expression.ts';
import type { Definition, FileFacts } from '../model/facts.ts';
import { baseType } from './base-types.ts';
import { returned, returnOf } from './definitions.ts';
import { childrenNamed, tableOf } from './file-table.ts';
import { rulesOf } from './language-rules.ts';
import { envOf } from './class-parts.ts';
import { baseClass, membersOf, typeOfMember } from './members.ts';
import { moduleNames } from './module-names.ts';
import { objectUnder } from './resolution.ts';
import type { Resolution } from './resolution.ts';
import { makeEnv, UNKNOWN_TYPE } from './types.ts';
import type { ClassType, Env, LambdaType, ObjectType, Type } from './types.ts';

/** One way to call something. */
export interface Signature {
  readonly file: FileFacts;
  readonly parameters: readonly Parameter[];
  readonly generics: readonly Generic[];
  readonly env: Env;
  result(r: Resolution, env: Env): Type;
}

const NONE: readonly Signature[] = [];

/** The ways to call a value, or with `isNew` to make an object of it. */
export function signaturesOf(r: Resolution, type: Type, isNew: boolean): readonly Signature[] {
  if (--r.steps < 0) return NONE;
  switch (type.is) {
    case 'function':
      return overloads(type.file, type.index).map((index) => ofFunction(type.file, index, type.env));
    case 'lambda':
      return [ofLambda(type)];
    case 'class':
      return ofClass(r, type);
    case 'object': {
      const name = isNew ? 'new' : rulesOf(type.file.language).callMember;
      const found: Signature[] = [];
      for (const member of membersOf(r, type, name)) {
        if (member.file === undefined) found.push(...signaturesOf(r, member.type, false));
        else found.push(ofFunction(member.file, member.index, member.env));
      }
      return found.length > 0 || isNew ? found : impliedCalls(r, type);
    }
    case 'record': {
      const found: Signature[] = [];
      for (const member of membersOf(r, type, isNew ? 'new' : '()')) {
        found.push(...signaturesOf(r, typeOfMember(r, member), false));
      }
      return found;
    }
    case 'union':
    case 'both': {
      const found: Signature[] = [];
      for (const part of type.of) found.push(...signaturesOf(r, part, isNew));
      return found;
    }
    case 'param': {
      const { bound } = type.generic;
      return bound === undefined ? NONE : signaturesOf(r, r.type(r, type.file, bound, r.root), isNew);
    }
    default:
      return NONE;
  }
}

/** An interface with one method to implement stands for a function, as does a type of its own with the shape of one. */
function impliedCalls(r: Resolution, type: ObjectType): readonly Signature[] {
  const { file, index } = type;
  const definition = file.definitions[index] as Definition;
  if (definition.kind === 'type') {
    return definition.bases.flatMap((base) => signaturesOf(r, r.type(r, file, base.type, envOf(type)), false));
  }
  const only = onlyMethod(file, index);
  return only === undefined ? NONE : [ofFunction(file, only, envOf(type))];
}

/** What is called of an interface that a function can stand for. */
export function onlyMethod(file: FileFacts, index: number): number | undefined {
  if (file.definitions[index]?.kind !== 'interface' || !rulesOf(file.language).methodsApart) return undefined;
  const found: number[] = [];
  for (const children of tableOf(file).children.get(index)?.values() ?? []) {
    for (const child of children) if (file.definitions[child]?.traits.includes('declared') === true) found.push(child);
  }
  return found.length === 1 ? found[0] : undefined;
}

/** All overloads of a function; where there are several, the one with the body is not called as such. */
function overloads(file: FileFacts, index: number): readonly number[] {
  const { container, name } = file.definitions[index] as Definition;
  const all = container === -1 ? moduleNames(file).definitions.get(name) : childrenNamed(file, container, name);
  if (all === undefined || all.length < 2) return [index];
  const functions = all.filter((other) => {
    const kind = file.definitions[other]?.kind;
    return kind === 'function' || kind === 'method';
  });
  const declared = functions.filter((other) => file.definitions[other]?.traits.includes('declared'));
  if (declared.length > 0) return declared;
  return functions.length > 0 ? functions : [index];
}

function ofFunction(file: FileFacts, index: number, env: Env): Signature {
  const { parameters, generics } = file.definitions[index] as Definition;
  return { file, parameters, generics, env, result: (r, under) => returnOf(r, file, index, under) };
}

function ofLambda({ file, of, env }: LambdaType): Signature {
  const { parameters, generics = [], type, values = [] } = of;
  return {
    file,
    parameters,
    generics,
    env,
    result: (r, under) => returned(r, file, type, values, of.async === true, false, under),
  };
}

/** Making an object: the constructor's parameters, or those of the one it inherits. */
function ofClass(r: Resolution, type: ClassType): readonly Signature[] {
  const { file, index } = type;
  const definition = file.definitions[index] as Definition;
  const { generics, kind } = definition;
  if (kind !== 'class' && kind !== 'struct') return NONE;
  const make = (under: Env): Type =>
    objectUnder(
      r,
      file,
      index,
      generics.length === 0 ? [] : generics.map((generic) => argumentFor(r, file, generic, under)),
      under,
    );
  const constructors = findConstructors(r, type, 0);
  if (constructors.length === 0) {
    return [{ file, parameters: [], generics, env: r.root, result: (_, under) => make(under) }];
  }
  return constructors.map(({ file: at, parameters, env }) => ({
    file: at,
    parameters,
    generics,
    env,
    result: (_: Resolution, under: Env) => make(under),
  }));
}

/** What a type parameter is where nothing says so. */
export function argumentFor(r: Resolution, file: FileFacts, generic: Generic, env: Env): Type {
  const known = env.types.get(generic);
  if (known !== undefined) return known;
  const fallback = generic.preset ?? generic.bound;
  return fallback === undefined ? UNKNOWN_TYPE : r.type(r, file, fallback, env);
}

function findConstructors(
  r: Resolution,
  { file, index, env }: ClassType,
  depth: number,
): readonly { file: FileFacts; parameters: readonly Parameter[]; env: Env }[] {
  const definition = file.definitions[index] as Definition;
  for (const name of rulesOf(file.language).constructors) {
    const own = childrenNamed(file, index, name);
    if (own.length === 0) continue;
    const declared = own.filter((one) => file.definitions[one]?.traits.includes('declared'));
    return (declared.length > 0 ? declared : own).map((one) => ({
      file,
      parameters: file.definitions[one]?.parameters ?? [],
      env,
    }));
  }
  if (depth > 12) return [];
  for (const base of definition.bases) {
    if (base.how !== 'extends') continue;
    if (base.type.is === 'call') {
      const made = signaturesOf(r, baseClass(r, file, base, env), true);
      if (made.length > 0) return made;
    }
    const object = baseType(r, file, base, env);
    if (object.is !== 'object') continue;
    const types = new Map<Generic, Type>();
    for (const [n, generic] of (object.file.definitions[object.index]?.generics ?? []).entries()) {
      const arg = object.args[n];
      if (arg !== undefined) types.set(generic, arg);
    }
    const found = findConstructors(
      r,
      { is: 'class', file: object.file, index: object.index, env: makeEnv(undefined, types) },
      depth + 1,
    );
    if (found.length > 0) return found;
  }
  return [];
}
