import { COMMON } from '../language-rules.ts';
import type { LanguageRules } from '../language-rules.ts';
import { cBuiltIns } from './built-ins.ts';
import { c as modules, definitionOf } from './module-finder.ts';

/** What is `static` belongs to its file. */
export const c: LanguageRules = {
  ...COMMON,
  family: 'c',
  builtIns: cBuiltIns,
  modules,
  includesFiles: true,
  impliesThis: true,
  hidesUnexported: true,
  addsMembers: true,
  fieldsHoldFunctions: true,
  definitionOf,
};

export const cpp: LanguageRules = {
  ...c,
  usesNamespaces: true,
  // Programs add to it, but what is meant by it is hardly ever theirs.
  outsideNames: new Set(['std']),
  addsMembers: 'overriding',
  virtual: /\b(?:virtual|override|final)\b/,
  hasOverloads: true,
};
