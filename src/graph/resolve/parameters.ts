import type { Parameter } from '../model/expression.ts';
import { elementOf } from './contents.ts';
import type { Resolution } from './resolution.ts';
import type { Signature } from './signatures.ts';
import { UNKNOWN_TYPE } from './types.ts';
import type { Env, Type } from './types.ts';

/** What the nth argument is expected to be. */
export function parameterType(r: Resolution, signature: Signature, n: number, env: Env): Type {
  const { parameters, file } = signature;
  const last = parameters.at(-1);
  const parameter: Parameter | undefined = parameters[n] ?? (last?.rest === true ? last : undefined);
  if (parameter === undefined) return UNKNOWN_TYPE;
  if (parameter.type === undefined) {
    return parameter.value === undefined ? UNKNOWN_TYPE : r.value(r, file, parameter.value, env);
  }
  const type = r.type(r, file, parameter.type, env);
  return parameter.rest === true ? elementOf(r, type, n - parameters.indexOf(parameter)) : type;
}
