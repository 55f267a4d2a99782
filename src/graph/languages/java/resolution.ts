import { COMMON } from '../language-rules.ts';
import type { LanguageRules } from '../language-rules.ts';
import { javaBuiltIns } from './built-ins.ts';
import { suits } from './conversions.ts';
import { java as modules, packageMembers } from './module-finder.ts';

export const java: LanguageRules = {
  ...COMMON,
  family: 'java',
  builtIns: javaBuiltIns,
  modules,
  impliesThis: true,
  sharesDirectory: 'package',
  importsNested: true,
  methodsApart: true,
  interfacesAreObjects: true,
  constructors: ['constructor'],
  iterators: ['iterator'],
  packageMembers,
  suits,
};
