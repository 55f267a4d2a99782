import type { CallEffects } from '../match/effect-filter.ts';
import { whySleeping } from '../limits/guards.ts';
import { applyMode } from '../limits/mode.ts';
import { namesOf } from '../match/rule-index.ts';
import type { ActiveRule, RootOf } from '../match/rule-index.ts';
import { whyFiltered } from '../match/why-filtered.ts';
import type { Event } from '../../event/event.ts';
import { tagged } from '../../event/verdict.ts';
import type { Decision, Mode, Note, Verdict } from '../../event/verdict.ts';
import type { LedgerDetail, LedgerRow, RuleTrace, TracedVerdict } from '../../event/ledger-row.ts';

/** Where one rule stopped on this event, and what became of what it said. */
export interface ExplainedRule extends Omit<RuleTrace, 'verdicts'> {
  readonly source?: string;
  readonly verdicts: readonly ExplainedVerdict[];
}

export interface ExplainedVerdict extends TracedVerdict {
  /** What the rule's mode made of it; absent when nothing was left to say. */
  readonly became?: string;
  /** It came to an ask, and nobody can be asked here. */
  readonly unasked?: true;
}

/** A note that a rule gave and the agent did not get with this event. */
export interface Unsaid {
  readonly rule: string;
  readonly text: string;
  readonly fate: Fate;
}

export type Fate =
  | { readonly kind: 'waits' }
  | { readonly kind: 'dropped' }
  | { readonly kind: 'said-later'; readonly decision: string }
  | { readonly kind: 'same-text'; readonly rule: string };

export interface Explanation {
  /** Every rule that listens to the event, furthest first. */
  readonly rules: readonly ExplainedRule[];
  /** Active rules that listen to other events only. */
  readonly notListening: number;
  readonly unsaid: readonly Unsaid[];
  /** The rules have changed since: tiers 0 and 1 are as today's rules would have it. */
  readonly rulesChanged: boolean;
}

export interface Recorded {
  readonly row: LedgerRow;
  readonly detail: LedgerDetail;
}

/** The rules as they are now, for what the record does not hold. */
export interface Today {
  readonly rules: readonly ActiveRule[];
  readonly digest: string;
  readonly rootOf: RootOf;
  /** What the recorded call would do, read again. */
  readonly effects?: CallEffects;
  /** What became of a note that was not said with the event. */
  fateOf(note: Pick<Note, 'rule' | 'variant' | 'text'>): Fate;
}

/**
 * Tiers 2 and 3 come from the record. A rule that is not in it stopped at tier 0 or 1, which follows from its filters;
 * the words are not looked for again, because the record may hold only the beginning of a text.
 */
export function explain({ row, detail }: Recorded, today: Today): Explanation {
  const event = detail.event as Event;
  const rulesChanged = row.digest !== today.digest;
  const active = new Map(today.rules.map((rule) => [rule.meta.id, rule]));
  const traced = detail.trace.map((entry): ExplainedRule => {
    const source = active.get(entry.rule)?.source;
    return {
      ...entry,
      ...(source === undefined ? {} : { source }),
      verdicts: (entry.verdicts ?? []).map((verdict) => withMode(verdict, entry, event.asksPerson)),
    };
  });
  const seen = new Set(traced.map(({ rule }) => rule));
  const listening = today.rules.filter(({ meta }) => meta.on.some((listen) => namesOf(listen).includes(event.name)));
  const filtered = listening
    .filter(({ meta }) => !seen.has(meta.id))
    .map((rule): ExplainedRule => ({
      rule: rule.meta.id,
      mode: rule.mode,
      source: rule.source,
      verdicts: [],
      ...(detail.unread === true ? UNREAD : stopOf(rule, event, today, rulesChanged)),
    }));
  return {
    rules: [...traced.sort(byTier), ...filtered.sort(byTier)],
    notListening: today.rules.length - listening.length,
    unsaid: unsaidOf(traced, detail.decision as Decision, today),
    rulesChanged,
  };
}

const UNREAD = { tier: 0, reason: 'the payload was too big to read' } as const;

function byTier(a: ExplainedRule, b: ExplainedRule): number {
  return b.tier - a.tier || (a.rule < b.rule ? -1 : 1);
}

function stopOf(
  rule: ActiveRule,
  event: Event,
  { rootOf, effects }: Today,
  rulesChanged: boolean,
): Pick<RuleTrace, 'tier' | 'reason'> {
  if (rulesChanged) {
    const why = whyFiltered(rule, event, rootOf, effects);
    return why ?? { tier: 1, reason: 'would be looked at today; the rules were others then' };
  }
  const why = whyFiltered(rule, withoutTexts(event), rootOf, effects);
  const asleep = whySleeping(rule, event);
  if (!why && asleep !== undefined) return { tier: 2, reason: asleep };
  return why ?? { tier: 1, reason: 'was not looked at, though its filters hold for what the record has of this event' };
}

/** On such an event every filter by words fails: the one way left for a rule whose other filters hold. */
function withoutTexts({ tool, prompt: _prompt, stop: _stop, notification: _notification, ...event }: Event): Event {
  if (!tool) return event;
  const { command: _command, query: _query, error: _error, ...rest } = tool;
  return { ...event, tool: { ...rest, edits: [], hasInput: false } };
}

function withMode(
  { kind, variant, text, about, mendable }: TracedVerdict,
  { rule, mode, exception }: RuleTrace,
  asksPerson: boolean | undefined,
): ExplainedVerdict {
  const verdict: Verdict = {
    kind: kind as Verdict['kind'],
    rule,
    priority: 0,
    ...(text === undefined ? {} : { text }),
    ...(mendable && { keeps: [] }),
  };
  const applied = applyMode(verdict, mode as Mode, asksPerson);
  const became =
    exception !== undefined && (applied?.kind === 'save' || applied?.kind === 'ask' || applied?.kind === 'deny')
      ? 'pass'
      : applied?.kind;
  return {
    kind,
    ...(variant === undefined ? {} : { variant }),
    ...(text === undefined ? {} : { text }),
    ...(about === undefined ? {} : { about }),
    ...(became === undefined ? {} : { became }),
    ...(applied?.unasked && { unasked: true }),
  };
}

function unsaidOf(traced: readonly ExplainedRule[], { notes }: Decision, today: Today): Unsaid[] {
  return traced.flatMap(({ rule, verdicts, failed }) =>
    verdicts.flatMap(({ became, variant, text = '' }): Unsaid[] => {
      if (became !== 'note' || failed === true || text.trim() === '') return [];
      const note = { rule, text: tagged(rule, text), ...(variant === undefined ? {} : { variant }) };
      if (notes.some((said) => isSameNote(said, note))) return [];
      const twin = notes.find((said) => said.text === tagged(said.rule, text));
      return [{ rule, text, fate: twin ? { kind: 'same-text', rule: twin.rule } : today.fateOf(note) }];
    }),
  );
}

/** Enough to tell two notes apart; their ends may have been cut, each at its own length. */
const TELLING = 200;

export function isSameNote(
  a: Pick<Note, 'rule' | 'variant' | 'text'>,
  b: Pick<Note, 'rule' | 'variant' | 'text'>,
): boolean {
  return a.rule === b.rule && a.variant === b.variant && a.text.slice(0, TELLING) === b.text.slice(0, TELLING);
}
