import type { Generic } from '../model/expression.ts';
import type { Definition, FileFacts } from '../model/facts.ts';
import { childrenNamed } from './file-table.ts';
import { moduleNames } from './module-names.ts';
import { makeEnv } from './types.ts';
import type { Env, ObjectType, Type } from './types.ts';

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
