import type { Expression } from '../model/expression.ts';
import type { FileFacts } from '../model/facts.ts';
import { membersOf } from './members.ts';
import type { Resolution } from './resolution.ts';
import { lookUp } from './scope.ts';
import { isIn } from './spaces.ts';
import type { Type } from './types.ts';
import type { Located } from './world.ts';

/** The definition that a class names as its base: an alias or a constant that holds a class is one by itself. */
export function baseDefinition(r: Resolution, file: FileFacts, type: Expression): Located | undefined {
  return named(r, file, type) ?? located(r.type(r, file, type, r.root));
}

function named(r: Resolution, file: FileFacts, type: Expression): Located | undefined {
  switch (type.is) {
    case 'apply':
      return named(r, file, type.of);
    case 'name': {
      const { meanings, by } = lookUp(r, file, type.name, type.at, 'value');
      if (by === 'possible') return undefined;
      const found = meanings.filter((meaning) => meaning.is === 'definition');
      return found.find((one) => isIn('value', one.file.definitions[one.index]?.kind)) ?? found[0];
    }
    case 'member': {
      for (const member of membersOf(r, r.value(r, file, type.of, r.root), type.name)) {
        if (member.file !== undefined && isIn('value', member.file.definitions[member.index]?.kind)) return member;
      }
      return undefined;
    }
    default:
      return undefined;
  }
}

function located(type: Type): Located | undefined {
  return type.is === 'object' || type.is === 'class' ? type : undefined;
}
