import type { PlaceReason } from '../../engine/engine.ts';
import type { InitReason, InitRecord } from '../store/init-record.ts';

/** Where nothing was found to index, it is looked again this much later. */
export const EMPTY_WAIT_MS = 5_000;
const FAILED_WAIT_MS = 120_000;
/** After so many failures in a row only a person, or an agent that says so, tries again. */
const MAX_FAILURES = 3;

/** What is known of a root when an event takes place there and no attempt is under way: that one would be enough. */
export interface Standing {
  readonly hasIndex: boolean;
  readonly record: InitRecord | undefined;
}

export interface Occasion {
  readonly at: number;
  readonly isMarkerBacked: boolean;
  /** The event names a file in a language that is known here: there is something to index now. */
  readonly namesCode: boolean;
}

/** `wait`: a later event may begin; `leave`: there is nothing to begin. */
export type Step = 'attempt' | 'wait' | 'leave';

export function nextStep({ hasIndex, record }: Standing, occasion: Occasion): Step {
  if (!occasion.isMarkerBacked) return 'leave';
  // A root that was gone and is back may hold other code than its index.
  if (hasIndex) return record?.state === 'pending' ? 'attempt' : 'leave';
  // One that says it is being indexed was left so by a process that ended.
  if (record?.state !== 'pending' && record?.state !== 'failed') return 'attempt';
  if (record.state === 'pending' && occasion.namesCode) return 'attempt';
  const due = nextAttempt(record);
  if (due === undefined) return 'leave';
  // A time to come is of a clock that was put back.
  return occasion.at >= due || occasion.at < (record.endedAt ?? 0) ? 'attempt' : 'wait';
}

/** Whether what is indexed was made under other settings, be it only in part: then every file is read anew. */
export function isOfOtherSettings(record: InitRecord | undefined, digest: string): boolean {
  if (record?.settings === undefined) return false;
  // One that was to be made anew when that broke or was cut off is still of the settings before.
  return record.settings !== digest || record.state === 'indexing' || record.state === 'failed';
}

/** When an event may begin the next attempt; undefined when only an explicit one may. */
export function nextAttempt({ state, startedAt, endedAt = startedAt, failures }: InitRecord): number | undefined {
  if (state === 'pending') return endedAt + EMPTY_WAIT_MS;
  if (state !== 'failed') return endedAt;
  return failures < MAX_FAILURES ? endedAt + FAILED_WAIT_MS : undefined;
}

/** Why an attempt is made: a session that stays where it was is there for the reason that led it there. */
export function attemptReason(reason: PlaceReason, before: InitRecord | undefined): InitReason {
  return reason === 'active' || reason === 'none' ? (before?.reason ?? 'cwd') : reason;
}
