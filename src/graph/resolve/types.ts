import type { Expression, Generic } from '../model/expression.ts';
import type { FileFacts } from '../model/facts.ts';

/** What an expression is, as far as that says which definitions it leads to. */
export type Type =
  | ObjectType
  | ClassType
  | ModuleType
  | FunctionType
  | LambdaType
  | RecordType
  | ParamType
  | LiteralType
  | { readonly is: 'tuple'; readonly of: readonly Type[] }
  | { readonly is: 'union'; readonly of: readonly Type[] }
  | { readonly is: 'both'; readonly of: readonly Type[] }
  /** Null, undefined, void: has no members, and says nothing in a union. */
  | { readonly is: 'nothing' }
  | OutsideType
  | { readonly is: 'unknown' };

/** Something that the project does not define. */
export interface OutsideType {
  readonly is: 'outside';
  /** Whether it was made of something that the project gave. */
  readonly isOpen?: boolean;
  /** Where that says which overload is meant. */
  readonly name?: string;
  /** Types of the project that it was given, as `Ref<Store>` has one: what is read from it may be one of them. */
  readonly carries?: readonly Type[];
}

/** An object of a class, interface, struct or enum. */
export interface ObjectType {
  readonly is: 'object';
  readonly file: FileFacts;
  readonly index: number;
  readonly args: readonly Type[];
  /** What its members are read with; made when first asked for. */
  env: Env | undefined;
}

/** The class itself, an enum, a namespace, or a constant whose members are definitions. */
export interface ClassType {
  readonly is: 'class';
  readonly file: FileFacts;
  readonly index: number;
  readonly env: Env;
}

export interface ModuleType {
  readonly is: 'module';
  readonly files: readonly FileFacts[];
}

/** A function or method with all its overloads. */
export interface FunctionType {
  readonly is: 'function';
  readonly file: FileFacts;
  readonly index: number;
  readonly env: Env;
}

export type FunctionExpression = Extract<Expression, { is: 'function' }>;

/** A function without a name, or a function type, with what surrounds it. */
export interface LambdaType {
  readonly is: 'lambda';
  readonly file: FileFacts;
  readonly of: FunctionExpression;
  readonly env: Env;
}

export interface RecordType {
  readonly is: 'record';
  readonly file: FileFacts;
  readonly fields: readonly (readonly [name: string, value: Expression])[];
  readonly env: Env;
  /** Whether its fields are types or values. */
  readonly inTypes: boolean;
}

/** A type parameter that nothing is known of but its bound. */
export interface ParamType {
  readonly is: 'param';
  readonly generic: Generic;
  readonly file: FileFacts;
}

export interface LiteralType {
  readonly is: 'literal';
  readonly type: string;
  readonly text: string | undefined;
  readonly file: FileFacts;
}

/** What type parameters and `this` stand for while an expression is read. */
export interface Env {
  readonly self: Type | undefined;
  readonly types: ReadonlyMap<Generic, Type>;
  /** Type parameters that belong to a function type and not to a definition, so that only their name leads to them. */
  readonly inline: readonly Generic[];
  /** What was found out under exactly these conditions, by the object it is about. */
  readonly values: Map<object, Known>;
  readonly returns: Map<object, Known>;
}

/** A definition with the conditions it is read under, or what has no definition of its own. */
export type Member =
  | { readonly file: FileFacts; readonly index: number; readonly env: Env; readonly type?: undefined }
  | { readonly file?: undefined; readonly type: Type };

export interface Known {
  type: Type;
  /** Whether a return type was needed on the way. */
  returned: boolean;
}

export const UNKNOWN_TYPE: Type = { is: 'unknown' };
export const NOTHING: Type = { is: 'nothing' };
export const OUTSIDE: OutsideType = { is: 'outside' };
export const OPEN_OUTSIDE: OutsideType = { is: 'outside', isOpen: true };

const NO_TYPES: ReadonlyMap<Generic, Type> = new Map();
const NO_INLINE: readonly Generic[] = [];

export function makeEnv(
  self: Type | undefined,
  types: ReadonlyMap<Generic, Type> = NO_TYPES,
  inline: readonly Generic[] = NO_INLINE,
): Env {
  return { self, types, inline, values: new Map(), returns: new Map() };
}

/** The same conditions and these type arguments. */
export function extendEnv(env: Env, types: ReadonlyMap<Generic, Type>): Env {
  if (types.size === 0) return env;
  if (env.types.size === 0) return makeEnv(env.self, types, env.inline);
  const all = new Map(env.types);
  for (const [generic, type] of types) all.set(generic, type);
  return makeEnv(env.self, all, env.inline);
}

const MOST_PARTS = 24;
const MOST_CARRIED = 8;

/** Something outside that was given these. */
export function carrying(outside: OutsideType, given: readonly Type[]): OutsideType {
  const carries: Type[] = [];
  for (const type of given) addCarried(carries, type);
  return carries.length === 0 ? outside : { ...outside, carries };
}

function addCarried(into: Type[], type: Type): void {
  if (into.length >= MOST_CARRIED || into.includes(type)) return;
  switch (type.is) {
    case 'object':
    case 'class':
    case 'function':
      if (type.file.path !== '') into.push(type);
      else if (type.is === 'object') for (const arg of type.args) addCarried(into, arg);
      break;
    case 'record':
    case 'lambda':
      into.push(type);
      break;
    case 'tuple':
    case 'union':
    case 'both':
      for (const part of type.of) addCarried(into, part);
      break;
    case 'outside':
      for (const part of type.carries ?? []) addCarried(into, part);
      break;
    default:
  }
}

/** One of these. What is unknown is left out when something else is known: the member asked for decides. */
export function unionOf(types: readonly Type[]): Type {
  if (types.length === 1) return types[0] ?? UNKNOWN_TYPE;
  const parts: Type[] = [];
  let leftOut: Type | undefined;
  for (const type of types) {
    if (type.is === 'union') for (const part of type.of) addPart(parts, part);
    else if (type.is === 'nothing') leftOut ??= type;
    else if (type.is === 'unknown') leftOut = type;
    else addPart(parts, type);
  }
  if (parts.length === 0) return leftOut ?? UNKNOWN_TYPE;
  return parts.length === 1 ? (parts[0] ?? UNKNOWN_TYPE) : { is: 'union', of: parts.slice(0, MOST_PARTS) };
}

export function bothOf(types: readonly Type[]): Type {
  const parts = types.filter(({ is }) => is !== 'unknown' && is !== 'nothing');
  if (parts.length === 0) return UNKNOWN_TYPE;
  return parts.length === 1 ? (parts[0] ?? UNKNOWN_TYPE) : { is: 'both', of: parts };
}

function addPart(parts: Type[], type: Type): void {
  for (const [n, known] of parts.entries()) {
    if (!isSameType(known, type)) continue;
    // One of several libraries' types has no name.
    if (known.is === 'outside' && type.is === 'outside' && known !== type) {
      const isOpen = known.isOpen === true || type.isOpen === true;
      const either = known.name === type.name ? known : isOpen ? OPEN_OUTSIDE : OUTSIDE;
      parts[n] = carrying(either, [known, type]);
    }
    return;
  }
  parts.push(type);
}

function isSameType(a: Type, b: Type): boolean {
  if (a === b) return true;
  if (a.is === 'object' && b.is === 'object') {
    return (
      a.file === b.file &&
      a.index === b.index &&
      a.args.length === b.args.length &&
      a.args.every((arg, n) => isSameType(arg, b.args[n] ?? UNKNOWN_TYPE))
    );
  }
  if (a.is === 'class' && b.is === 'class') return a.file === b.file && a.index === b.index;
  if (a.is === 'literal' && b.is === 'literal') return a.type === b.type && a.text === b.text;
  if (a.is === 'param' && b.is === 'param') return a.generic === b.generic;
  return a.is === b.is && (a.is === 'outside' || a.is === 'unknown');
}
