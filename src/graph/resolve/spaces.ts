import type { DefinitionKind, FileFacts } from '../model/facts.ts';
import type { Meaning } from './meaning.ts';

/** `call`: where methods have names apart from those of variables and fields. */
export type Space = 'value' | 'type' | 'call';

export function meaningsOf(file: FileFacts, indices: readonly number[]): Meaning[] {
  return indices.map((index) => ({ is: 'definition', file, index }));
}

export function isIn(space: Space, kind: DefinitionKind | undefined): boolean {
  switch (kind) {
    case 'interface':
    case 'type':
      return space === 'type';
    case 'function':
    case 'method':
      return space !== 'type';
    case 'field':
    case 'variable':
    case 'constant':
      return space === 'value';
    default:
      return kind !== undefined && space !== 'call';
  }
}
