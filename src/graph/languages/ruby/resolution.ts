import { COMMON } from '../language-rules.ts';
import type { LanguageRules } from '../language-rules.ts';
import { rubyBuiltIns } from './built-ins.ts';
import { ruby as modules } from './module-finder.ts';

export const ruby: LanguageRules = {
  ...COMMON,
  family: 'ruby',
  builtIns: rubyBuiltIns,
  modules,
  includesFiles: true,
  impliesThis: true,
  // Methods are those of the object alone, constants those of all that is around.
  isMethodName: (name) => !/^\p{Lu}/u.test(name),
  separatesStatic: true,
  addsMembers: true,
  opensClasses: true,
  modulesAreObjects: true,
  constructors: ['initialize'],
  list: 'Array',
};
