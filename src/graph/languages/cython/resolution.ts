import { COMMON } from '../language-rules.ts';
import type { LanguageRules } from '../language-rules.ts';
import { declarationsOf } from '../python/module-finder.ts';
import { python } from '../python/resolution.ts';

export const cython: LanguageRules = {
  ...python,
  bindsTopPackage: false,
  starOffers: COMMON.starOffers,
  declarations: declarationsOf,
};
