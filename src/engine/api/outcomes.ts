import { counter } from '../../state/cell.ts';
import { cellId } from '../../state/cells.ts';

/** Whether advice was followed: counted per rule, so that a nudge nobody heeds can be seen and retired. */
export type FollowOutcome = 'followed' | 'ignored' | 'moot';

/** The counters behind it, by rule id, for a rule that judges for itself whether its advice was followed. */
export const OUTCOMES = {
  followed: counter('followed', { scope: 'user' }),
  ignored: counter('ignored', { scope: 'user' }),
  moot: counter('moot', { scope: 'user' }),
} as const;

export function outcomeId(rule: string, outcome: FollowOutcome): string {
  return cellId('user', '', outcome, rule);
}
