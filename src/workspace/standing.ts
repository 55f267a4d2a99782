import { weaker } from '../engine/limits/mode.ts';
import type { RuleMeta } from '../engine/rule.ts';
import { DEFAULT_PACKS } from '../event/known-packs.ts';
import type { Mode } from '../event/verdict.ts';
import type { Layer } from './config/layer.ts';
import { mergeOptions } from './config/settings.ts';
import type { Options, Settings } from './config/settings.ts';

/** A rule without a mode of its own advises. */
const DEFAULT_MODE: Mode = 'advise';

/** The layers in force in one workspace, the user's below the project's. */
export interface Layers {
  readonly root: string;
  readonly user: Layer;
  readonly project: Layer;
  /** The policy that the person's settings follow, above both. */
  readonly team?: Layer;
}

/** How hard a rule acts under settings, and with which options. */
export function standingUnder(
  settings: Settings,
  declared: RuleMeta,
  isDeclared: boolean,
): { readonly mode: Mode; readonly options: Options } {
  const pack = settings.packs[declared.pack];
  const own = settings.rules[declared.id];
  const byPack = declared.optIn !== true && (pack?.enabled ?? (isDeclared || DEFAULT_PACKS.has(declared.pack)));
  const ceiling = declared.mode ?? DEFAULT_MODE;
  const wanted = own?.mode ?? (pack?.mode ? weaker(ceiling, pack.mode) : ceiling);
  // Where nothing can be copied, a copy is no answer.
  const mode = wanted === 'save' && declared.saves !== true ? ceiling : wanted;
  return {
    mode: (own?.enabled ?? byPack) ? mode : 'off',
    options: mergeOptions(mergeOptions(declared.options, pack?.options), own?.options),
  };
}
