import type { Capabilities } from '../../adapters/adapter.ts';
import type { Event } from '../../event/event.ts';
import type { Decision } from '../../event/verdict.ts';
import { cellId, parseValue } from '../../state/cells.ts';
import type { Draft } from '../../state/draft.ts';
import { TURN_TALLY } from '../api/turn-tally.ts';
import type { CountByRule, TurnTally } from '../api/turn-tally.ts';
import type { ActiveRule } from '../match/rule-index.ts';
import { opensTurn } from '../session/turn.ts';

const NONE: TurnTally = { notes: 0, answers: 0, stopped: {}, asked: {} };

/** Adds what a decision says and stops to the count of its turn; a prompt of the person begins another. */
export function keepTally(
  { action, by, notes }: Decision,
  event: Event,
  draft: Draft,
  { rules, reach }: { readonly rules: readonly ActiveRule[]; readonly reach: Capabilities },
): void {
  const id = cellId('session', event.session, TURN_TALLY.name);
  const isFirst = opensTurn(event);
  // What cannot be stopped any more is told to the agent instead.
  const isHeld = (action === 'deny' || action === 'ask') && reach[action] === 'enforced';
  if (!isHeld && notes.length === 0) {
    if (isFirst && draft.read(id) !== undefined) draft.delete(id);
    return;
  }
  const before = isFirst ? NONE : ((parseValue(draft.read(id)) as TurnTally | undefined) ?? NONE);
  const isAnswer = (rule: string, variant = '') =>
    rules.find(({ meta }) => meta.id === rule)?.meta.answers?.includes(variant) === true;
  const after: TurnTally = {
    notes: before.notes + notes.length,
    answers: before.answers + notes.filter(({ rule, variant }) => isAnswer(rule, variant)).length,
    stopped: isHeld && action === 'deny' ? oneMore(before.stopped, by[0]) : before.stopped,
    asked: isHeld && action === 'ask' ? oneMore(before.asked, by[0]) : before.asked,
  };
  draft.set(id, JSON.stringify(after), 0);
}

function oneMore(counts: CountByRule, rule = 'fairlead'): CountByRule {
  return { ...counts, [rule]: (counts[rule] ?? 0) + 1 };
}
