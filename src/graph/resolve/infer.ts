import type { Generic } from '../model/expression.ts';
import { merged } from './class-parts.ts';
import { listOf, membersOf, typeOfMember } from './members.ts';
import type { Resolution } from './resolution.ts';
import { parameterType } from './parameters.ts';
import { signaturesOf } from './signatures.ts';
import { makeEnv, unionOf, UNKNOWN_TYPE } from './types.ts';
import type { ObjectType, Type } from './types.ts';

/** What is being found out: type parameters, and what they stand for so far. */
export interface Inference {
  readonly wanted: ReadonlySet<Generic>;
  readonly found: Map<Generic, Type>;
}

const DEEPEST = 8;

/** Compares what a place expects with what stands there, and notes what that says about type parameters. */
export function infer(r: Resolution, expected: Type, actual: Type, into: Inference, depth = 0): void {
  if (--r.steps < 0 || depth > DEEPEST || actual.is === 'unknown') return;
  switch (expected.is) {
    case 'param':
      if (into.wanted.has(expected.generic)) note(into, expected.generic, actual);
      return;
    case 'object':
      inferObject(r, expected, actual, into, depth);
      return;
    case 'union':
      inferUnion(r, expected.of, actual, into, depth);
      return;
    case 'both':
      for (const part of expected.of) infer(r, part, actual, into, depth + 1);
      return;
    case 'tuple':
      if (actual.is !== 'tuple') return;
      for (const [n, part] of expected.of.entries()) infer(r, part, actual.of[n] ?? UNKNOWN_TYPE, into, depth + 1);
      return;
    case 'record':
      for (const [name] of expected.fields) {
        if (name === 'new' || name === '()') {
          inferCalls(r, expected, actual, into, depth, name === 'new');
          continue;
        }
        const [wanted] = membersOf(r, expected, name);
        const [given] = membersOf(r, actual, name);
        if (wanted !== undefined && given !== undefined) {
          infer(r, typeOfMember(r, wanted), typeOfMember(r, given), into, depth + 1);
        }
      }
      return;
    case 'lambda':
      inferCalls(r, expected, actual, into, depth, false);
      return;
    default:
  }
}

function note({ found }: Inference, generic: Generic, actual: Type): void {
  if (actual.is === 'nothing') return;
  const known = found.get(generic);
  if (known === undefined || known.is === 'unknown' || known.is === 'outside') found.set(generic, actual);
  else if (actual.is !== 'outside' && known.is !== 'param') found.set(generic, unionOf([known, actual]));
}

function inferUnion(r: Resolution, parts: readonly Type[], actual: Type, into: Inference, depth: number): void {
  const before = into.found.size;
  for (const part of parts) if (part.is !== 'param') infer(r, part, actual, into, depth + 1);
  if (into.found.size > before) return;
  for (const part of parts) if (part.is === 'param') infer(r, part, actual, into, depth + 1);
}

function inferObject(r: Resolution, expected: ObjectType, actual: Type, into: Inference, depth: number): void {
  switch (actual.is) {
    case 'object': {
      const same = asBase(r, actual, expected, 0);
      if (same === undefined) {
        if (actual.file.path !== '') inferCalls(r, expected, actual, into, depth, false);
        return;
      }
      for (const [n, arg] of expected.args.entries()) infer(r, arg, same.args[n] ?? UNKNOWN_TYPE, into, depth + 1);
      return;
    }
    case 'tuple':
      infer(r, expected, listOf(r, actual.of), into, depth + 1);
      return;
    case 'union':
    case 'both':
      for (const part of actual.of) infer(r, expected, part, into, depth + 1);
      return;
    case 'lambda':
    case 'function':
    case 'class':
      inferCalls(r, expected, actual, into, depth, actual.is === 'class');
      return;
    default:
  }
}

/** The same object as one of its bases. */
export function asBase(r: Resolution, object: ObjectType, wanted: ObjectType, depth: number): ObjectType | undefined {
  if (object.file === wanted.file && object.index === wanted.index) return object;
  if (--r.steps < 0 || depth > DEEPEST) return undefined;
  const env = object.env ?? makeEnv(object, argumentMap(object));
  for (const part of merged(object.file, object.index)) {
    for (const base of object.file.definitions[part]?.bases ?? []) {
      if (base.how === 'adds') continue;
      const type = r.type(r, object.file, base.type, env);
      const found = type.is === 'object' ? asBase(r, type, wanted, depth + 1) : undefined;
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

function argumentMap({ file, index, args }: ObjectType): ReadonlyMap<Generic, Type> {
  const types = new Map<Generic, Type>();
  for (const [n, generic] of (file.definitions[index]?.generics ?? []).entries()) {
    const arg = args[n];
    if (arg !== undefined) types.set(generic, arg);
  }
  return types;
}

function inferCalls(r: Resolution, expected: Type, actual: Type, into: Inference, depth: number, isNew: boolean): void {
  const [wanted] = signaturesOf(r, expected, isNew);
  if (wanted === undefined) return;
  const [given] = signaturesOf(r, actual, isNew);
  if (given === undefined) return;
  for (let n = 0; n < Math.min(wanted.parameters.length, given.parameters.length); n++) {
    if (given.parameters[n]?.type === undefined) continue;
    infer(r, parameterType(r, wanted, n, wanted.env), parameterType(r, given, n, given.env), into, depth + 1);
  }
  infer(r, wanted.result(r, wanted.env), given.result(r, given.env), into, depth + 1);
}
