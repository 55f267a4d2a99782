import type { Expression } from '../model/expression.ts';
import type { Definition, FileFacts } from '../model/facts.ts';
import { tableOf } from './file-table.ts';
import { rulesOf } from './language-rules.ts';
import { moduleNames } from './module-names.ts';
import { objectOf, once } from './resolution.ts';
import type { Resolution } from './resolution.ts';
import { bothOf, unionOf, UNKNOWN_TYPE } from './types.ts';
import type { ClassType, Env, Type } from './types.ts';

/** What a definition is when its name stands for a value. */
export function typeOfDefinition(r: Resolution, file: FileFacts, index: number, env: Env): Type {
  const definition = file.definitions[index];
  if (definition === undefined) return UNKNOWN_TYPE;
  switch (definition.kind) {
    case 'function':
    case 'method':
      if (definition.traits.includes('getter')) return returnOf(r, file, index, env);
      if (definition.traits.includes('setter'))
        return once(r, env.values, definition, () => setterType(r, file, definition, env));
      return { is: 'function', file, index, env };
    case 'field':
    case 'variable':
    case 'constant':
      // What makes one of several kinds of a value out of its parts.
      if (definition.parameters.length > 0) return { is: 'function', file, index, env };
      return once(r, env.values, definition, () => variableType(r, file, index, definition, env));
    case 'interface':
      return rulesOf(file.language).interfacesAreObjects ? { is: 'class', file, index, env } : UNKNOWN_TYPE;
    case 'type':
      return UNKNOWN_TYPE;
    default:
      return { is: 'class', file, index, env };
  }
}

function setterType(r: Resolution, file: FileFacts, { parameters }: Definition, env: Env): Type {
  const type = parameters[0]?.type;
  return type === undefined ? UNKNOWN_TYPE : r.type(r, file, type, env);
}

function variableType(r: Resolution, file: FileFacts, index: number, definition: Definition, env: Env): Type {
  if (definition.type !== undefined) return r.type(r, file, definition.type, env);
  const outer = file.definitions[definition.container];
  if (outer?.kind === 'enum') return objectOf(r, file, definition.container, []);
  if (tableOf(file).children.has(index)) {
    const own: ClassType = { is: 'class', file, index, env };
    const [value] = definition.values;
    return value?.is === 'both' ? bothOf([own, r.value(r, file, value, env)]) : own;
  }
  return valuesType(r, file, definition.values, env);
}

function valuesType(r: Resolution, file: FileFacts, values: readonly Expression[], env: Env): Type {
  const [first] = values;
  if (first === undefined) return UNKNOWN_TYPE;
  if (values.length === 1) return r.value(r, file, first, env);
  return unionOf(values.map((value) => r.value(r, file, value, env)));
}

/** What a function returns: as declared, else what the values say that it returns. */
export function returnOf(r: Resolution, file: FileFacts, index: number, env: Env): Type {
  const definition = file.definitions[index];
  if (definition === undefined) return UNKNOWN_TYPE;
  return once(r, env.returns, definition, () => {
    const { type, values, traits } = definition;
    return returned(r, file, type, values, traits.includes('async'), traits.includes('generator'), env);
  });
}

export function returned(
  r: Resolution,
  file: FileFacts,
  type: Expression | undefined,
  values: readonly Expression[],
  isAsync: boolean,
  isGenerator: boolean,
  env: Env,
): Type {
  const { promise, generator } = rulesOf(file.language);
  const result = type === undefined ? valuesType(r, file, values, env) : r.type(r, file, type, env);
  if (isGenerator) return type === undefined ? builtIn(r, file, generator, [result]) : result;
  if (!isAsync || (type !== undefined && promise.isDeclared)) return result;
  return builtIn(r, file, promise.name, [result]);
}

/** An object of a class that the language of the file brings with it. */
export function builtIn(r: Resolution, file: FileFacts, name: string, args: readonly Type[]): Type {
  const built = rulesOf(file.language).builtIns.file;
  const index = moduleNames(built).definitions.get(name)?.[0];
  return index === undefined ? UNKNOWN_TYPE : objectOf(r, built, index, args);
}
