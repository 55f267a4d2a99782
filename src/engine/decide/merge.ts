import { ACTIONS, NEUTRAL, tagged } from '../../event/verdict.ts';
import { drawBox } from '../../text/box.ts';
import type { Effect } from '../../event/effect.ts';
import type { Action, Decision, Note, Verdict } from '../../event/verdict.ts';

/**
 * One decision from all verdicts. The order in which rules answered does not matter: verdicts are put into one fixed
 * order first, the strictest action wins, notes and warns stand beside it, and of several rewriters one acts.
 */
export function merge(verdicts: readonly Verdict[]): Decision {
  if (verdicts.length === 0) return NEUTRAL;
  const sorted = [...verdicts].sort(byImportance);
  const action = strictest(sorted);
  const isQuiet = action === 'save' && sorted.every(({ kind, quiet }) => kind !== 'save' || quiet);
  const isBehind = ({ kind, quiet }: Verdict) => kind === action && (quiet !== true || isQuiet);
  const behind = action === 'pass' ? [] : sorted.filter(isBehind);
  const acting = action === 'rewrite' ? behind.slice(0, 1) : behind;
  const keeps = action === 'save' || action === 'ask' ? [...new Set(sorted.flatMap(keepsOf))] : [];
  // One text is enough to stop a call; `explain` has those of the others.
  const first = acting.find(({ text }) => saysText(text));
  // What is saved first runs as another rule has changed it.
  const changing = action === 'save' ? sorted.filter(({ kind }) => kind === 'rewrite') : acting;
  const input = action === 'rewrite' || action === 'save' ? changing[0]?.input : undefined;
  const decision: Writable = {
    action,
    by: unique(acting.map((verdict) => verdict.rule)),
    notes: spoken(sorted, 'note'),
    warns: [...boxed(sorted), ...spoken(sorted, 'warn')],
  };
  if (first?.text !== undefined) decision.reason = tagged(first.rule, first.text);
  if (first?.person !== undefined) decision.person = tagged(first.rule, first.person);
  if (first?.unasked) decision.unasked = true;
  if (input !== undefined) decision.input = input;
  if (keeps.length > 0) decision.keeps = keeps;
  if (isQuiet) decision.quiet = true;
  return decision;
}

type Writable = { -readonly [K in keyof Decision]: Decision[K] };

function keepsOf({ kind, keeps = [] }: Verdict): readonly Effect[] {
  return kind === 'save' || kind === 'ask' ? keeps : [];
}

function strictest(verdicts: readonly Verdict[]): Action {
  let rank = 0;
  for (const { kind } of verdicts) rank = Math.max(rank, ACTIONS.indexOf(kind as Action));
  return ACTIONS[rank] ?? 'pass';
}

/** The same text from two rules is said once, by the more important one. */
function spoken(sorted: readonly Verdict[], kind: 'note' | 'warn'): Note[] {
  const notes = new Map<string, Note>();
  for (const verdict of sorted) {
    const { text } = verdict;
    if (verdict.kind !== kind || verdict.box !== undefined || !saysText(text) || notes.has(text)) continue;
    notes.set(text, {
      rule: verdict.rule,
      text: tagged(verdict.rule, text),
      priority: verdict.priority,
      ...(verdict.variant === undefined ? {} : { variant: verdict.variant }),
    });
  }
  return [...notes.values()];
}

/** All that a person is told in a box stands in the same one; above it stands who speaks in it. */
function boxed(sorted: readonly Verdict[]): Note[] {
  const inside = sorted
    .filter(({ kind, box, text }) => kind === 'warn' && box !== undefined && saysText(text))
    .filter(({ text }, at, all) => all.findIndex((other) => other.text === text) === at);
  const [first] = inside;
  if (!first) return [];
  const { rule, priority, variant, box = '' } = first;
  const drawn = drawBox(
    inside.map(({ text = '' }) => text),
    box,
  );
  const text = `[${unique(inside.map((verdict) => verdict.rule)).join(', ')}]\n${drawn}`;
  return [{ rule, text, priority, ...(variant === undefined ? {} : { variant }) }];
}

function saysText(text: string | undefined): text is string {
  return text !== undefined && text.trim() !== '';
}

function byImportance(a: Verdict, b: Verdict): number {
  return (
    b.priority - a.priority ||
    compare(a.rule, b.rule) ||
    compare(a.text ?? '', b.text ?? '') ||
    compare(a.variant ?? '', b.variant ?? '') ||
    compare(inputOf(a), inputOf(b))
  );
}

function inputOf(verdict: Verdict): string {
  return verdict.input === undefined ? '' : JSON.stringify(verdict.input);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function unique(texts: readonly string[]): string[] {
  return [...new Set(texts)];
}
