import { cellId, parseValue } from '../../state/cells.ts';
import type { Draft } from '../../state/draft.ts';
import type { FollowOutcome } from '../../event/heed.ts';

/** How a rule fared whose advice was ignored. */
interface BackOff {
  /** In a row. */
  readonly ignored: number;
  /** Turns in which it still stays silent. */
  readonly hold: number;
  /** The turn in which it spoke, then the last in which it was silent. */
  readonly turn: string;
}

/** The most turns that a rule is silent for. */
const LONGEST = 16;

function backOffId({ session, agent, rule }: Speaking): string {
  return cellId('session', session, `back-off:${rule}`, agent);
}

/** A rule and the agent that it speaks to, in a turn. */
export interface Speaking {
  readonly session: string;
  readonly agent: string;
  readonly rule: string;
  readonly turn: string;
}

/** After the first note that was ignored the rule skips one turn, after the next in a row two, then four. One that is followed ends it. */
export function noteOutcome(speaking: Speaking, outcome: FollowOutcome, draft: Draft): void {
  const id = backOffId(speaking);
  const before = readBackOff(draft, id);
  if (outcome === 'followed' && before) draft.delete(id);
  if (outcome !== 'ignored' && outcome !== 'round') return;
  const ignored = (before?.ignored ?? 0) + 1;
  const hold = Math.min(LONGEST, 2 ** (ignored - 1));
  draft.set(id, JSON.stringify({ ignored, hold, turn: speaking.turn }), 0);
}

/** Why the rule stays silent in this turn; only turns in which it could have spoken count. */
export function whyBackedOff(speaking: Speaking, draft: Draft): string | undefined {
  const { turn } = speaking;
  const id = backOffId(speaking);
  const before = readBackOff(draft, id);
  if (!before) return undefined;
  if (before.turn !== turn) {
    if (before.hold === 0) return undefined;
    draft.set(id, JSON.stringify({ ...before, hold: before.hold - 1, turn }), 0);
  }
  return `backs off: what it said was ignored ${before.ignored === 1 ? 'the last time' : `${before.ignored} times in a row`}`;
}

function readBackOff(draft: Draft, id: string): BackOff | undefined {
  const value = parseValue(draft.read(id)) as Partial<BackOff> | undefined | null;
  if (typeof value?.ignored !== 'number' || typeof value.hold !== 'number') return undefined;
  return { turn: '', ...value, ignored: value.ignored, hold: value.hold };
}
