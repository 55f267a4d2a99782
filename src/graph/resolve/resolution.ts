import type { Expression } from '../model/expression.ts';
import type { Definition, FileFacts } from '../model/facts.ts';
import type { Meaning } from './meaning.ts';
import { makeEnv, UNKNOWN_TYPE } from './types.ts';
import type { Env, Known, ObjectType, Type } from './types.ts';
import type { Located, World } from './world.ts';

/** The resolution of one file: what it may ask, what it has found out so far, and what it may still spend. */
export interface Resolution {
  readonly world: World;
  readonly file: FileFacts;
  /** Nothing is known about type parameters or `this`. */
  readonly root: Env;
  /** Objects of classes without type arguments: one each, so that what is found out about them is found once. */
  readonly plain: Map<Definition, ObjectType>;
  /** What names mean on the outer level of files, by file and name. */
  readonly valueLookups: Map<FileFacts, Map<string, Lookup>>;
  readonly typeLookups: Map<FileFacts, Map<string, Lookup>>;
  /** Members by name, for receivers of which nothing is known. */
  readonly namesakes: Map<string, readonly Located[]>;
  /** What is left for the reference at hand. */
  steps: number;
  /** How far readers have called each other: types can be described by themselves without end. */
  depth: number;
  /** Whether a return type was needed since this was last cleared. */
  returned: boolean;
  /** Whether something outside the project was met since this was last cleared, where a member may come from. */
  sawOutside: boolean;
  /** Reads an expression in value space and in type space. */
  readonly value: Reader;
  readonly type: Reader;
}

/** What a name means at a place, and by which way that was found. */
export interface Lookup {
  readonly meanings: readonly Meaning[];
  readonly by: 'scope' | 'import' | 'class' | 'package' | 'only' | 'possible' | 'built-in' | 'nothing';
  /** The object that has it as a member which it inherits. */
  readonly owner?: Type;
}

export const NOT_FOUND: Lookup = { meanings: [], by: 'nothing' };
export const FOUND_OUTSIDE: Lookup = { meanings: [{ is: 'outside' }], by: 'built-in' };

export type Reader = (r: Resolution, file: FileFacts, expression: Expression, env: Env) => Type;

export function startResolution(world: World, file: FileFacts, value: Reader, type: Reader): Resolution {
  return {
    world,
    file,
    root: makeEnv(undefined),
    plain: new Map(),
    valueLookups: new Map(),
    typeLookups: new Map(),
    namesakes: new Map(),
    steps: 0,
    depth: 0,
    returned: false,
    sawOutside: false,
    value,
    type,
  };
}

/** Deeper than code goes; only what describes itself comes this far. */
export const DEEPEST_READING = 100;

const BUSY: Type = { is: 'unknown' };

/**
 * Finds something out once. What leads back to itself is unknown there, and what was cut short by the budget is not kept.
 */
export function once(r: Resolution, known: Map<object, Known>, about: object, find: () => Type): Type {
  const entry = known.get(about);
  if (entry !== undefined) {
    if (entry.returned) r.returned = true;
    return entry.type;
  }
  const started: Known = { type: BUSY, returned: false };
  known.set(about, started);
  const before = r.returned;
  r.returned = false;
  started.type = find();
  started.returned = r.returned;
  r.returned ||= before;
  if (r.steps < 0) known.delete(about);
  return started.type;
}

/** An object of the class or its like that a definition is. */
export function objectOf(r: Resolution, file: FileFacts, index: number, args: readonly Type[]): ObjectType {
  if (args.length > 0) return { is: 'object', file, index, args, env: undefined };
  const definition = file.definitions[index] as Definition;
  let object = r.plain.get(definition);
  if (object === undefined) {
    r.plain.set(definition, (object = { is: 'object', file, index, args, env: undefined }));
  }
  return object;
}

/** An object of a class inside a function, whose type parameters the class sees. */
export function objectUnder(
  r: Resolution,
  file: FileFacts,
  index: number,
  args: readonly Type[],
  env: Env,
): ObjectType {
  const { generics, container } = file.definitions[index] as Definition;
  if (container === -1 || env.types.size === 0) return objectOf(r, file, index, args);
  const types = new Map(env.types);
  for (const [n, generic] of generics.entries()) types.set(generic, args[n] ?? UNKNOWN_TYPE);
  const object: ObjectType = { is: 'object', file, index, args, env: undefined };
  object.env = makeEnv(object, types);
  return object;
}
