import { record } from '../../state/cell.ts';

/** How many calls a rule stopped, or asked about. */
export type CountByRule = Readonly<Record<string, number>>;

/** What a session heard and was kept from since its last prompt, sub-agents included. */
export interface TurnTally {
  readonly notes: number;
  /** Of the notes, those that answered a search. */
  readonly answers: number;
  readonly stopped: CountByRule;
  readonly asked: CountByRule;
}

/** For a rule that sums up a turn. The engine keeps it where such a rule is in force, and nowhere else. */
export const TURN_TALLY = record<TurnTally>('turn-tally');
