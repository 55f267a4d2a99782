import { COMMON } from '../language-rules.ts';
import type { LanguageRules } from '../language-rules.ts';
import { rustBuiltIns } from './built-ins.ts';
import { rust as modules, splitPath } from './module-finder.ts';
import { roleOf } from './roles.ts';

export const rust: LanguageRules = {
  ...COMMON,
  family: 'rust',
  builtIns: rustBuiltIns,
  modules,
  passesImportsOn: true,
  // A macro is seen by all that comes after it, in files of modules as well.
  isGlobal: (name) => name.endsWith('!'),
  addsMembers: true,
  traitsInScope: true,
  iterators: ['iter', 'into_iter'],
  list: 'Vec',
  promise: { name: 'Future', isDeclared: false },
  // A module may be declared where it is not seen, as inside of a macro; its file is there.
  innerModule: { when: 'no-name', pathOf: (module, name) => `${module}::${name}` },
  splitPath,
  roleOf,
};
