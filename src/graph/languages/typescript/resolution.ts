import { COMMON } from '../language-rules.ts';
import type { LanguageRules } from '../language-rules.ts';
import { typescriptBuiltIns } from './built-ins.ts';
import { typescript as modules } from './module-finder/find.ts';
import { roleOf } from './roles.ts';

export const typescript: LanguageRules = {
  ...COMMON,
  family: 'typescript',
  builtIns: typescriptBuiltIns,
  modules,
  hidesUnexported: true,
  separatesStatic: true,
  fieldsOverride: true,
  constructors: ['constructor'],
  iterators: ['[Symbol.iterator]', '[Symbol.asyncIterator]'],
  list: 'Array',
  promise: { name: 'Promise', isDeclared: true },
  generator: 'Generator',
  roleOf,
};

/** An import of CommonJS by default gives all that it exports. */
export const javascript: LanguageRules = { ...typescript, defaultIsModule: true };
