import type { Expression } from '../model/expression.ts';
import type { Binding, FileFacts } from '../model/facts.ts';
import { asBase } from './infer.ts';
import type { Resolution } from './resolution.ts';
import { bothOf, unionOf } from './types.ts';
import type { Env, ObjectType, Type } from './types.ts';

/** What a function that was asked about a variable says of it. */
export function isGuard(value: Expression): boolean {
  return value.is === 'member' && value.name === '@is';
}

/** What a variable is where a test holds: what the test says, else what it is anyway. */
export function guardedType(r: Resolution, file: FileFacts, binding: Binding, value: Expression, env: Env): Type {
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
