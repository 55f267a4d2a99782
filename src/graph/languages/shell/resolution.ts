import { COMMON } from '../language-rules.ts';
import type { LanguageRules } from '../language-rules.ts';
import { shell as modules } from './module-finder.ts';

/** Its own words are no references: nothing is built in. */
export const shell: LanguageRules = {
  ...COMMON,
  // A command may be called as a package of the project is.
  family: 'manifest',
  modules,
  includesFiles: true,
  functionsAreGlobal: true,
  impliesThis: true,
  addsMembers: true,
};
