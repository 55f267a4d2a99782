import { rulesOf } from './language-rules.ts';
import { membersOf, typeOfMember } from './members.ts';
import type { Resolution } from './resolution.ts';
import { signaturesOf } from './signatures.ts';
import { unionOf, UNKNOWN_TYPE } from './types.ts';
import type { Type } from './types.ts';

/** One of the things that a list, map or tuple holds. */
export function elementOf(r: Resolution, type: Type, n?: number): Type {
  switch (type.is) {
    case 'tuple':
      return (n === undefined ? undefined : type.of[n]) ?? unionOf(type.of);
    case 'union':
      return unionOf(type.of.map((part) => elementOf(r, part, n)));
    case 'both':
      return unionOf(type.of.map((part) => elementOf(r, part, n)));
    case 'outside':
      return type;
    default: {
      for (const name of ['@element', '[]', '@each']) {
        const [member] = membersOf(r, type, name);
        if (member !== undefined) return typeOfMember(r, member);
      }
      return UNKNOWN_TYPE;
    }
  }
}

/** What a loop takes from it. */
export function eachOf(r: Resolution, type: Type): Type {
  switch (type.is) {
    case 'tuple':
      return unionOf(type.of);
    case 'union':
    case 'both':
      return unionOf(type.of.map((part) => eachOf(r, part)));
    case 'outside':
      return type;
    default:
  }
  const [direct] = membersOf(r, type, '@each');
  if (direct !== undefined) return typeOfMember(r, direct);
  if (type.is !== 'object') return UNKNOWN_TYPE;
  for (const name of rulesOf(type.file.language).iterators) {
    const [member] = membersOf(r, type, name);
    if (member === undefined) continue;
    const iterator = resultOf(r, typeOfMember(r, member));
    const [each] = membersOf(r, iterator, '@each');
    return each === undefined ? UNKNOWN_TYPE : typeOfMember(r, each);
  }
  return UNKNOWN_TYPE;
}

/** What calling it without looking at arguments gives. */
export function resultOf(r: Resolution, type: Type, isNew = false): Type {
  if (type.is === 'outside') return type;
  const [signature] = signaturesOf(r, type, isNew);
  return signature === undefined ? UNKNOWN_TYPE : signature.result(r, signature.env);
}

/** What waiting for it gives. */
export function awaited(r: Resolution, type: Type): Type {
  if (type.is === 'union') return unionOf(type.of.map((part) => awaited(r, part)));
  const [member] = type.is === 'object' ? membersOf(r, type, '@await') : [];
  return member === undefined ? type : awaited(r, typeOfMember(r, member));
}

/** What entering it by a `with` block gives. */
export function entered(r: Resolution, type: Type): Type {
  if (type.is !== 'object') return type;
  const [direct] = membersOf(r, type, '@enter');
  if (direct !== undefined) return typeOfMember(r, direct);
  for (const name of rulesOf(type.file.language).enters) {
    const [member] = membersOf(r, type, name);
    if (member !== undefined) return awaited(r, resultOf(r, typeOfMember(r, member)));
  }
  return type;
}
