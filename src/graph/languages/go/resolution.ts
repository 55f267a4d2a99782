import { COMMON } from '../language-rules.ts';
import type { LanguageRules } from '../language-rules.ts';
import { variantsFor } from './build-variants.ts';
import { goBuiltIns } from './built-ins.ts';
import { go as modules } from './module-finder.ts';

export const go: LanguageRules = {
  ...COMMON,
  family: 'go',
  builtIns: goBuiltIns,
  modules,
  sharesDirectory: true,
  namesPackages: true,
  addsMembers: true,
  callsConvert: true,
  variantsFor,
};
