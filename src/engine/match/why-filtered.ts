import { isWanted, NO_EFFECTS, targetOf, touchesGlob } from './effect-filter.ts';
import type { CallEffects } from './effect-filter.ts';
import { matchGlob } from '../../text/glob.ts';
import { splitPath } from './path-index.ts';
import type { RootOf } from './path-index.ts';
import { globsOf, namesOf, pathsOf, textsOf } from './rule-index.ts';
import type { ActiveRule } from './rule-index.ts';
import type { Listen } from '../rule.ts';
import { foldCase } from '../../text/words.ts';
import type { Effect } from '../../event/effect.ts';
import type { Event } from '../../event/event.ts';

/** How an event stood to a rule before any of its code was needed. */
export type Filtered = { readonly tier: 0 | 1; readonly reason: string };

/** Why a rule was not selected, or undefined when its filters hold. Slow and plain: for explain and tests. */
export function whyFiltered(
  rule: ActiveRule,
  event: Event,
  rootOf: RootOf,
  effects: CallEffects = NO_EFFECTS,
): Filtered | undefined {
  const heard = rule.meta.on.filter((listen) => namesOf(listen).includes(event.name));
  if (heard.length === 0) return { tier: 0, reason: `listens to other events than ${event.name}` };
  const ofTool = heard.filter((listen) => concerns(listen, event));
  if (ofTool.length === 0) return { tier: 0, reason: `listens to other tools than ${event.tool?.name ?? 'none'}` };
  const paths = pathsOf(event).map((path) => splitPath(path, rootOf));
  const ofPath = ofTool.filter((listen) => {
    if (listen.bare === true && paths.length > 0) return false;
    if (listen.effect) return effects instanceof Error || effects.some((each) => hasEffect(listen, each));
    return (
      !listen.paths ||
      globsOf(listen.paths).some((glob) => paths.some((path) => matchGlob(glob, path.below(rule.root), path.segments)))
    );
  });
  if (ofPath.length === 0) return { tier: 1, reason: whyElsewhere(ofTool, effects) };
  const ofWords = ofPath.filter((listen) => hasWord(listen, event));
  if (ofWords.length === 0)
    return { tier: 1, reason: `has none of the words ${ofPath.flatMap((listen) => listen.words ?? []).join(', ')}` };
  return undefined;

  function hasEffect(listen: Listen, effect: Effect): boolean {
    return matchesEffect(listen, effect, rule, event, rootOf);
  }
}

/** What stopped entries whose event and tool fit: their paths, or their effects. */
function whyElsewhere(listens: readonly Listen[], effects: CallEffects): string {
  const wanted = listens.filter(({ effect }) => effect);
  if (wanted.length === 0 && listens.every(({ bare }) => bare)) return 'hears calls that name no path';
  if (wanted.length === 0) return `no path matches ${listens.flatMap((listen) => listen.paths ?? []).join(', ')}`;
  const elsewhere = (effects instanceof Error ? [] : effects).flatMap(({ kind }) =>
    wanted.some(({ effect = [] }) => isWanted(kind, effect)) ? [kind] : [],
  );
  if (elsewhere.length === 0)
    return `has none of the effects ${[...new Set(wanted.flatMap(({ effect = [] }) => effect))].join(', ')}`;
  return `no ${[...new Set(elsewhere)].join(' or ')} of ${wanted.flatMap(({ paths = [] }) => paths).join(', ')}`;
}

/** The call's effects that the rule listens to. Throws what kept them from being read. */
export function effectsHeard(rule: ActiveRule, event: Event, rootOf: RootOf, effects: CallEffects): readonly Effect[] {
  const listens = rule.meta.on.filter(
    (listen) =>
      listen.effect && namesOf(listen).includes(event.name) && concerns(listen, event) && hasWord(listen, event),
  );
  if (listens.length === 0) return NO_EFFECTS;
  if (effects instanceof Error) throw effects;
  return effects.filter((effect) => listens.some((listen) => matchesEffect(listen, effect, rule, event, rootOf)));
}

function matchesEffect(listen: Listen, effect: Effect, rule: ActiveRule, event: Event, rootOf: RootOf): boolean {
  if (!listen.effect || !isWanted(effect.kind, listen.effect)) return false;
  if (!listen.paths) return true;
  const target = targetOf(effect, event, rootOf);
  return target !== undefined && globsOf(listen.paths).some((glob) => touchesGlob(target, glob, rule.root));
}

function concerns(listen: Listen, { tool }: Event): boolean {
  return (
    (!listen.tool || listen.tool.includes(tool?.kind as never)) &&
    (!listen.name || listen.name.includes(tool?.name ?? ''))
  );
}

function hasWord({ words }: Listen, event: Event): boolean {
  if (!words) return true;
  const texts = textsOf(event).map(foldCase);
  return words.some((word) => texts.some((text) => text.includes(foldCase(word))));
}
