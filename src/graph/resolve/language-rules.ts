import type { Language } from '../model/facts.ts';
import { COMMON } from '../languages/language-rules.ts';
import type { LanguageRules } from '../languages/language-rules.ts';
import { RULES } from '../languages/resolution.generated.ts';
import type { Located, World } from './world.ts';

const MANIFEST: LanguageRules = { ...COMMON, family: 'manifest' };

export function rulesOf(language: Language): LanguageRules {
  return language === 'manifest' ? MANIFEST : RULES[language];
}

/** A declaration and its definition in another file are one symbol, which is where the definition is. */
export function definitionOf(world: World, declared: Located): Located {
  return rulesOf(declared.file.language).definitionOf(world, declared);
}
