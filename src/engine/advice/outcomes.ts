import type { FollowUp } from '../../event/follow-up.ts';
import type { FollowOutcome, Heed } from '../../event/heed.ts';
import { cellId } from '../../state/cells.ts';
import type { Draft } from '../../state/draft.ts';

/** Whether advice was followed: counted per rule, so that a nudge nobody heeds can be seen and retired. */
export function outcomeId(rule: string, outcome: FollowOutcome): string {
  return cellId('user', '', outcome, rule);
}

/** Counts an outcome with the event; that of the decision is written after the reply. */
export function countHeed(heed: Heed, draft: Draft): FollowUp {
  if (heed.outcome) draft.add(outcomeId(heed.rule, heed.outcome), 1, 0);
  return { kind: 'heed', heed };
}
