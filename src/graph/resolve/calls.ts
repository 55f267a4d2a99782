import type { Expression } from '../model/expression.ts';
import type { Definition, FileFacts } from '../model/facts.ts';
import { infer } from './infer.ts';
import type { Inference } from './infer.ts';
import { rulesOf } from './language-rules.ts';
import { membersOf } from './members.ts';
import type { Resolution } from './resolution.ts';
import { lookUp } from './scope.ts';
import { parameterType } from './parameters.ts';
import { signaturesOf } from './signatures.ts';
import type { Signature } from './signatures.ts';
import { resultOf } from './contents.ts';
import { instanceOf } from './type-space.ts';
import { carrying, extendEnv, OPEN_OUTSIDE, OUTSIDE, unionOf, UNKNOWN_TYPE } from './types.ts';
import type { Env, Member, Type } from './types.ts';

export type CallExpression = Extract<Expression, { is: 'call' | 'new' }>;

/** What a call gives. */
export function callType(r: Resolution, file: FileFacts, call: CallExpression, env: Env): Type {
  const { allocator, callsConvert } = rulesOf(file.language);
  if (call.of.is === 'member' && call.of.name === allocator && call.args[0] !== undefined) {
    return instanceOf(r, r.value(r, file, call.args[0], env), []);
  }
  const callee = calleeOf(r, file, call, env);
  if (callee.is === 'unknown' && callsConvert) {
    const converted = r.type(r, file, call.of, env);
    if (converted.is === 'object') return converted;
  }
  // Calling a class makes an object in sight.
  if (call.is === 'call' && callee.is !== 'class') r.returned = true;
  return resultOfCall(r, callee, file, call, env);
}

function calleeOf(r: Resolution, file: FileFacts, call: CallExpression, env: Env): Type {
  const apart = call.is === 'call' && rulesOf(file.language).methodsApart ? methodOf(r, file, call.of, env) : undefined;
  return apart ?? r.value(r, file, call.of, env);
}

/** A method, not the field or variable of that name; a component of a record is read by calling it. */
function methodOf(r: Resolution, file: FileFacts, of: Expression, env: Env): Type | undefined {
  let component: Type | undefined;
  for (const member of calledMembers(r, file, of, env)) {
    if (member.file === undefined) continue;
    const { kind, traits, type } = member.file.definitions[member.index] as Definition;
    if (kind === 'method' || kind === 'function') return { is: 'function', ...member };
    if (!traits.includes('callable') || type === undefined) continue;
    component ??= { is: 'lambda', file: member.file, of: { is: 'function', parameters: [], type }, env: member.env };
  }
  return component;
}

function calledMembers(r: Resolution, file: FileFacts, of: Expression, env: Env): readonly Member[] {
  if (of.is === 'member') return membersOf(r, r.value(r, file, of.of, env), of.name);
  if (of.is !== 'name') return [];
  const { meanings, owner } = lookUp(r, file, of.name, of.at, 'call');
  if (owner !== undefined) return membersOf(r, owner, of.name);
  const members: Member[] = [];
  for (const meaning of meanings) {
    if (meaning.is !== 'definition') continue;
    members.push({ file: meaning.file, index: meaning.index, env: meaning.file === file ? env : r.root });
  }
  return members;
}

function resultOfCall(r: Resolution, callee: Type, file: FileFacts, call: CallExpression, env: Env): Type {
  if (callee.is === 'outside') {
    const isOpen = callee.isOpen === true || call.args.some((arg) => isHanded(r, file, arg, env));
    const made = (callee.carries ?? []).map((type) => (isFunction(type) ? resultOf(r, type) : type));
    return carrying(isOpen ? OPEN_OUTSIDE : OUTSIDE, [...made, ...given(r, file, call, call.args, env)]);
  }
  if (callee.is === 'union') return unionOf(callee.of.map((part) => resultOfCall(r, part, file, call, env)));
  const signature = choose(r, signaturesOf(r, callee, call.is === 'new'), file, call.args, env);
  if (signature === undefined) return UNKNOWN_TYPE;
  return signature.result(r, argumentEnv(r, signature, file, call, env, true));
}

/** What a library was given it may give back: what a function or a class of the project makes, whose type nobody outside can name. */
function isHanded(r: Resolution, file: FileFacts, arg: Expression, env: Env): boolean {
  if (arg.is === 'function') return true;
  if (arg.is === 'call' || arg.is === 'new') return isHanded(r, file, arg.of, env);
  if (arg.is !== 'name' && arg.is !== 'member') return false;
  const type = r.value(r, file, arg, env);
  return (type.is === 'function' || type.is === 'class') && type.file.path !== '';
}

/** What a function is called with that stands in a record may come from the same record. */
function othersOf(args: readonly Expression[], n: number): readonly Expression[] {
  return args.filter((arg, at) => at !== n || arg.is === 'record');
}

function isFunction({ is }: Type): boolean {
  return is === 'function' || is === 'lambda';
}

/** The types that a call of a library names, and those of what it hands over. */
function given(
  r: Resolution,
  file: FileFacts,
  { types = [] }: CallExpression,
  args: readonly Expression[],
  env: Env,
): readonly Type[] {
  const named = types.map((type) => r.type(r, file, type, env));
  const handed = args.filter((arg) => GIVEN.has(arg.is)).map((arg) => r.value(r, file, arg, env));
  return [...named, ...handed.filter((type) => !isFunction(type))];
}

const GIVEN = new Set<Expression['is']>(['name', 'member', 'this', 'new', 'record', 'as']);

/** What the nth argument of a call is expected to be; the other arguments may say what type parameters are. */
export function expectedArgument(
  r: Resolution,
  file: FileFacts,
  { call, n, result }: Extract<Expression, { is: 'expected' }>,
  env: Env,
): Type {
  if (call.is !== 'call' && call.is !== 'new') return UNKNOWN_TYPE;
  const callee = calleeOf(r, file, call, env);
  if (callee.is === 'outside') return carrying(OUTSIDE, [callee, ...given(r, file, call, othersOf(call.args, n), env)]);
  const signature = choose(r, signaturesOf(r, callee, call.is === 'new'), file, call.args, env);
  if (signature === undefined) return UNKNOWN_TYPE;
  return parameterType(r, signature, n, argumentEnv(r, signature, file, call, env, false, result));
}

/** The first that takes as many arguments, and the literals among them; else the first of all. */
function choose(
  r: Resolution,
  signatures: readonly Signature[],
  file: FileFacts,
  args: readonly Expression[],
  env: Env,
): Signature | undefined {
  if (signatures.length < 2) return signatures[0];
  const fitting = signatures.filter((signature) => takes(signature, args.length));
  if (fitting.length < 2) return fitting[0] ?? signatures[0];
  return fitting.find((signature) => suits(r, signature, file, args, env)) ?? fitting[0];
}

function takes({ parameters }: Signature, count: number): boolean {
  let least = 0;
  for (const { optional, rest, value } of parameters) {
    if (rest === true) return count >= least;
    if (optional !== true && value === undefined) least++;
  }
  return count >= least && count <= parameters.length;
}

/** Whether arguments whose kind is plain are of the kind expected: literals by text, functions where functions go. */
function suits(r: Resolution, signature: Signature, file: FileFacts, args: readonly Expression[], env: Env): boolean {
  for (const [n, arg] of args.entries()) {
    if (arg.is !== 'literal' && arg.is !== 'function' && arg.is !== 'record') continue;
    if (!admits(r, parameterType(r, signature, n, signature.env), r.value(r, file, arg, env))) return false;
  }
  return true;
}

function admits(r: Resolution, expected: Type, actual: Type): boolean {
  switch (expected.is) {
    case 'literal':
      if (actual.is !== 'literal') return false;
      return expected.type === actual.type && (expected.text === undefined || expected.text === actual.text);
    case 'object':
      if (actual.is === 'literal') {
        const name = expected.file.path === '' ? expected.file.definitions[expected.index]?.name : undefined;
        return name === actual.type;
      }
      return actual.is !== 'lambda' || signaturesOf(r, expected, false).length > 0;
    case 'union':
      return expected.of.some((part) => admits(r, part, actual));
    case 'lambda':
      return actual.is === 'lambda' && actual.of.parameters.length <= Math.max(expected.of.parameters.length, 1);
    case 'tuple':
    case 'record':
      return actual.is !== 'literal' && actual.is !== 'lambda';
    default:
      return true;
  }
}

function argumentEnv(
  r: Resolution,
  signature: Signature,
  file: FileFacts,
  call: CallExpression,
  env: Env,
  withFunctions: boolean,
  wanted?: Expression,
): Env {
  const { generics } = signature;
  if (generics.length === 0) return signature.env;
  const into: Inference = { wanted: new Set(generics), found: new Map() };
  if (call.types !== undefined) {
    for (const [n, type] of call.types.entries()) {
      const generic = generics[n];
      if (generic !== undefined) into.found.set(generic, r.type(r, file, type, env));
    }
    return extendEnv(signature.env, into.found);
  }
  for (const isLater of withFunctions ? [false, true] : [false]) {
    for (const [n, arg] of call.args.entries()) {
      if (arg.is === 'unknown' || (arg.is === 'function') !== isLater) continue;
      const expected = parameterType(r, signature, n, extendEnv(signature.env, into.found));
      infer(r, expected, r.value(r, file, arg, env), into);
    }
  }
  if (wanted !== undefined && into.found.size < generics.length) inferResult(r, signature, file, wanted, env, into);
  for (const generic of generics) {
    if (into.found.has(generic) || generic.preset === undefined) continue;
    into.found.set(generic, r.type(r, signature.file, generic.preset, extendEnv(signature.env, into.found)));
  }
  return extendEnv(signature.env, into.found);
}

/** What the place of a call expects says what type parameters are that no argument has decided. */
function inferResult(
  r: Resolution,
  signature: Signature,
  file: FileFacts,
  wanted: Expression,
  env: Env,
  { wanted: generics, found }: Inference,
): void {
  const { returned } = r;
  const into: Inference = { wanted: new Set([...generics].filter((generic) => !found.has(generic))), found };
  infer(r, signature.result(r, signature.env), r.value(r, file, wanted, env), into);
  r.returned = returned;
}
