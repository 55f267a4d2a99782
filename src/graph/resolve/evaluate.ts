import type { Expression } from '../model/expression.ts';
import type { Binding, FileFacts } from '../model/facts.ts';
import { callType, expectedArgument } from './calls.ts';
import { typeOfDefinition } from './definitions.ts';
import { enclosingBase, enclosingObject } from './enclosing.ts';
import { tableOf } from './file-table.ts';
import { rulesOf } from './language-rules.ts';
import type { Meaning } from './meaning.ts';
import { classSide, memberType } from './members.ts';
import { DEEPEST_READING, once } from './resolution.ts';
import type { Resolution } from './resolution.ts';
import { lookUp } from './scope.ts';
import { isIn } from './spaces.ts';
import { awaited, eachOf, elementOf, entered } from './contents.ts';
import { parameterType } from './parameters.ts';
import { signaturesOf } from './signatures.ts';
import { bothOf, NOTHING, OUTSIDE, unionOf, UNKNOWN_TYPE } from './types.ts';
import type { Env, Type, ObjectType } from './types.ts';
import { moduleNames } from './module-names.ts';
import { findModule } from './find-module.ts';
import { asBase } from './infer.ts';

/** What a function that was asked about a variable says of it. */
function isGuard(value: Expression): boolean {
  return value.is === 'member' && value.name === '@is';
}

/** What a variable is where a test holds: what the test says, else what it is anyway. */
function guardedType(r: Resolution, file: FileFacts, binding: Binding, value: Expression, env: Env): Type {
  const { returned } = r;
  const said = r.value(r, file, value, env);
  r.returned = returned;
  const before = r.value(r, file, { is: 'name', name: binding.name, at: binding.at }, env);
  if (said.is === 'unknown' || said.is === 'outside') return before;
  if (before.is === 'unknown' || before.is === 'outside' || said.is === 'literal') return said;
  if (said.is !== 'object') return bothOf([said, before]);
  return partsBelow(r, before, said) ?? said;
}

/** A variable that was known to be something more special stays that. */
function partsBelow(r: Resolution, type: Type, wanted: ObjectType): Type | undefined {
  const parts = type.is === 'union' ? type.of : [type];
  const below = parts.filter((part) => part.is === 'object' && asBase(r, part, wanted, 0) !== undefined);
  return below.length > 0 ? unionOf(below) : undefined;
}

/** The module that `a.b` is after `import a.b`, also where nothing but a directory is called `a`. */
function dottedModule(r: Resolution, file: FileFacts, e: Expression): Type | undefined {
  let first = e;
  while (first.is === 'member') first = first.of;
  if (first.is !== 'name') return undefined;
  for (const { module, name } of moduleNames(file).imports.get(first.name) ?? []) {
    if (name !== '*' || !module.includes('.') || module !== dotted(e)) continue;
    const files = findModule(r.world, file, module);
    if (typeof files !== 'string') return { is: 'module', files };
  }
  return undefined;
}

function dotted(e: Expression): string {
  if (e.is === 'member') return `${dotted(e.of)}.${e.name}`;
  return e.is === 'name' ? e.name : '';
}

const EMPTY = new Set(['null', 'undefined', 'None', 'nil']);

/** Reads an expression in value space. */
export function readValue(r: Resolution, file: FileFacts, e: Expression, env: Env): Type {
  if (--r.steps < 0 || r.depth > DEEPEST_READING) return UNKNOWN_TYPE;
  r.depth++;
  const type = valueOf(r, file, e, env);
  r.depth--;
  return type;
}

function valueOf(r: Resolution, file: FileFacts, e: Expression, env: Env): Type {
  switch (e.is) {
    case 'name': {
      const { meanings, by, owner } = lookUp(r, file, e.name, e.at, 'value');
      if (owner !== undefined) return memberType(r, owner, e.name);
      if (by === 'possible') return UNKNOWN_TYPE;
      if (by === 'nothing') return rulesOf(file.language).isMethodName(e.name) ? UNKNOWN_TYPE : OUTSIDE;
      return valueOfMeanings(r, file, meanings, env);
    }
    case 'this':
      return env.self ?? thisAt(r, file, e.at, env);
    case 'super':
      return enclosingBase(r, file, e.at);
    case 'member': {
      const of = readValue(r, file, e.of, env);
      const { classMember, bindsTopPackage } = rulesOf(file.language);
      if (e.name === classMember) return classSide(r, of);
      const type = memberType(r, of, e.name);
      const isOpen = type.is === 'unknown' || type.is === 'outside';
      return isOpen && bindsTopPackage ? (dottedModule(r, file, e) ?? type) : type;
    }
    case 'element':
      return elementOf(r, readValue(r, file, e.of, env));
    case 'each':
      return eachOf(r, readValue(r, file, e.of, env));
    case 'part':
      return elementOf(r, readValue(r, file, e.of, env), e.n);
    case 'call':
    case 'new':
      // Each link of a chain is the receiver of the next.
      return once(r, env.values, e, () => callType(r, file, e, env));
    case 'await':
      return awaited(r, readValue(r, file, e.of, env));
    case 'entered':
      return entered(r, readValue(r, file, e.of, env));
    case 'either':
      return unionOf(e.of.map((part) => readValue(r, file, part, env)));
    case 'both':
      return bothOf(e.of.map((part) => readValue(r, file, part, env)));
    case 'tuple':
      return { is: 'tuple', of: e.of.map((part) => readValue(r, file, part, env)) };
    case 'record':
      return { is: 'record', file, fields: e.fields, env, inTypes: false };
    case 'function':
      return { is: 'lambda', file, of: e, env };
    case 'expected':
      return expectedArgument(r, file, e, env);
    case 'parameter': {
      const of = readValue(r, file, e.of, env);
      if (of.is === 'outside') return of;
      const [signature] = signaturesOf(r, of, false);
      return signature === undefined ? UNKNOWN_TYPE : parameterType(r, signature, e.n, signature.env);
    }
    case 'apply':
      return readValue(r, file, e.of, env);
    case 'as':
      return r.type(r, file, e.type, env);
    case 'literal':
      return EMPTY.has(e.type) ? NOTHING : { is: 'literal', type: e.type, text: e.text, file };
    default:
      return UNKNOWN_TYPE;
  }
}

function thisAt(r: Resolution, file: FileFacts, at: number, env: Env): Type {
  if (tableOf(file).bindings.has('this')) {
    const { meanings } = lookUp(r, file, 'this', at, 'value');
    if (meanings.length > 0) return valueOfMeanings(r, file, meanings, env);
  }
  return enclosingObject(r, file, at);
}

/** What a name of these meanings is as a value. Definitions inside others are read under the same conditions. */
export function valueOfMeanings(r: Resolution, from: FileFacts, meanings: readonly Meaning[], env: Env): Type {
  const parts: Type[] = [];
  let last: string | undefined;
  for (const meaning of meanings) {
    switch (meaning.is) {
      case 'binding':
        parts.push(bindingType(r, meaning.file, meaning.binding, env));
        break;
      case 'definition': {
        const definition = meaning.file.definitions[meaning.index];
        const isOwner = definition?.kind === 'interface' && rulesOf(meaning.file.language).interfacesAreObjects;
        if (definition === undefined || !(isOwner || isIn('value', definition.kind))) break;
        // Overloads are one function, and a class may be declared in parts.
        if (definition.kind === last) break;
        last = definition.kind;
        const isInner = definition.container !== -1 && meaning.file === from;
        parts.push(typeOfDefinition(r, meaning.file, meaning.index, isInner ? env : r.root));
        break;
      }
      case 'module':
        parts.push(meaning);
        break;
      case 'value':
        parts.push(readValue(r, meaning.file, meaning.value, r.root));
        break;
      default:
        return OUTSIDE;
    }
  }
  return parts.length === 1 ? (parts[0] ?? UNKNOWN_TYPE) : bothOf(parts);
}

function bindingType(r: Resolution, file: FileFacts, binding: Binding, env: Env): Type {
  return once(r, env.values, binding, () => {
    const { type, value } = binding;
    if (type !== undefined) return r.type(r, file, type, env);
    if (value === undefined) return UNKNOWN_TYPE;
    return isGuard(value) ? guardedType(r, file, binding, value, env) : readValue(r, file, value, env);
  });
}
