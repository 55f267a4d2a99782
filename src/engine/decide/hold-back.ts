import { applyMode } from '../limits/mode.ts';
import type { Ran } from './run.ts';
import type { ActiveRule } from '../match/rule-index.ts';
import type { Event } from '../../event/event.ts';

/** Nudges that one prompt may bring; the setting of the pack decides. */
const MAX_NUDGES = 3;

interface Spoke {
  readonly rule: ActiveRule;
  readonly ran: Ran;
}

/**
 * The rules whose nudges are too many for this prompt, the least important first. They are treated as if they had not
 * run: what they would have kept stays as it was, so they speak at the next prompt.
 */
export function heldBack(all: readonly Spoke[], event: Event): ReadonlySet<ActiveRule> {
  if (event.name !== 'prompt.submit') return NOBODY;
  const nudges = all.filter(({ rule, ran }) => rule.meta.nudge !== undefined && speaks(rule, ran, event));
  const deferrable = nudges.filter(({ rule }) => rule.meta.nudge === 'deferrable').sort(byImportance);
  if (deferrable.length === 0) return NOBODY;
  const limit = limitOf(deferrable[0]?.rule);
  const room = Math.max(0, limit - (nudges.length - deferrable.length));
  return deferrable.length <= room ? NOBODY : new Set(deferrable.slice(room).map(({ rule }) => rule));
}

const NOBODY: ReadonlySet<ActiveRule> = new Set();

function speaks(rule: ActiveRule, { verdicts }: Ran, { asksPerson }: Event): boolean {
  // What the person silenced takes no place.
  return verdicts.some(
    (verdict) => verdict.text !== undefined && applyMode(verdict, rule.mode, asksPerson) !== undefined,
  );
}

function byImportance(a: Spoke, b: Spoke): number {
  return (b.rule.meta.priority ?? 50) - (a.rule.meta.priority ?? 50);
}

function limitOf(rule: ActiveRule | undefined): number {
  const given = (rule?.options['attention'] as { readonly max_nudges?: unknown } | null | undefined)?.max_nudges;
  return typeof given === 'number' && Number.isInteger(given) && given >= 0 ? given : MAX_NUDGES;
}
