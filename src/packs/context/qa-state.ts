import { record } from '../../engine/rule.ts';
import { isMap } from './options.ts';

/** What is looked for before work goes into git, in the order in which it is told. */
export const CHECK_NAMES = ['lint', 'test'] as const;
export type CheckName = (typeof CHECK_NAMES)[number];

export interface QaState {
  /** When a file of the project was last edited; 0 when no edit was seen. */
  readonly lastEdit: number;
  /** When the last run that passed was started, by the name of the check. */
  readonly checks: Readonly<Record<string, number>>;
  /** What follows is about this prompt alone. */
  readonly promptId?: string;
  /** The whole text was given. */
  readonly shown?: true;
  /** Commits that were held. */
  readonly denials?: number;
}

export const QA = record<QaState>('context.qa');
/** The last commit that was made: what was edited until then is in it. */
export const COMMITTED = record<{ readonly at: number }>('context.committed');

const NOTHING_SEEN: QaState = { lastEdit: 0, checks: {} };

/** What the cell holds; a damaged value counts as none. */
export function readQa(value: QaState | undefined): QaState {
  return isMap(value) && Number.isFinite(value.lastEdit) && isMap(value.checks) ? value : NOTHING_SEEN;
}

/** Of what is about one prompt, only that of this one. */
export function ofPrompt(state: QaState, promptId: string): QaState {
  const { lastEdit, checks } = state;
  return state.promptId === promptId ? state : { lastEdit, checks, promptId };
}

/** Since the last edit, before it, or no passing run was seen. */
export type CheckStanding = 'passed' | 'passed-before' | 'not-seen';

/** A run that an edit fell into began before that edit, and says nothing about it. */
export function standingOf(state: QaState | undefined, check: string): CheckStanding {
  const { lastEdit, checks } = readQa(state);
  const passedAt = checks[check];
  if (passedAt === undefined) return 'not-seen';
  return passedAt >= lastEdit ? 'passed' : 'passed-before';
}

export function describeStanding(state: QaState, check: string): string {
  const standing = standingOf(state, check);
  if (standing === 'not-seen') return 'not seen to pass';
  return standing === 'passed' ? 'passed since the last edit' : 'passed before the last edit';
}
