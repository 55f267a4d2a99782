/**
 * What the agent made of advice: `followed`: it did what the advice names; `round`: it did without, in a way that the rule
 * names as going round; `ignored`: it did other things for as long as the rule waits; `moot`: it had no chance to show.
 */
export type FollowOutcome = 'followed' | 'ignored' | 'round' | 'moot';

export const FOLLOW_WORDS: Readonly<Record<FollowOutcome, string>> = {
  followed: 'followed',
  ignored: 'ignored',
  round: 'went round',
  moot: 'moot',
};

/** What became of the advice that a rule gave with a decision; without an outcome it is awaited from now on. */
export interface Heed {
  readonly rule: string;
  /** The id of the decision. */
  readonly decision: string;
  readonly outcome?: FollowOutcome;
}
