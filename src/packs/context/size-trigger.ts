import { oneOf, readGroup } from './options.ts';
import type { Fill } from './window.ts';
import { ifWhole } from './whole.ts';

export const SIZE_DEFAULTS = { trigger: 'adaptive', window_pct: 80, exclusive_bands: false };

/** What was said about one filling of a window; another floor or another window is another filling. */
export interface PctMarks {
  /** Where the transcript stood when the context was last compacted. */
  readonly floor: number;
  readonly window: number;
  readonly checkpoint: boolean;
  /** Percent at which the window was last spoken of; 0 when it was not. */
  readonly at: number;
}

export interface SizeSaid {
  readonly variant?: 'checkpoint' | 'window';
  /** Set where marks have changed. */
  readonly marks?: PctMarks;
}

/** Of the trigger that goes by percent alone. */
const CHECKPOINT_PCT = 60;
const WINDOW_PCT = 90;
const WINDOW_STEP = 2;

/** What there is to say at the `count`th prompt of a session. */
export function decideSize(
  given: unknown,
  count: number,
  { pct, window }: Pick<Fill, 'pct' | 'window'>,
  floor: number,
  before: PctMarks | undefined,
): SizeSaid {
  const { trigger, window_pct: limit, exclusive_bands: isExclusive } = readGroup(given, SIZE_DEFAULTS);
  const how = oneOf(trigger, ['adaptive', 'percent', 'both']);
  const none: PctMarks = { floor, window, checkpoint: false, at: 0 };
  const kept = ifWhole(before, none);
  const marks = kept?.floor === floor && kept.window === window ? kept : none;
  if (how === 'percent') return decideByPercent(pct, marks);
  const isFull = limit > 0 && pct >= limit;
  const isCrossing = how === 'both' && isFull && marks.at === 0;
  if (!isCrossing && !isDue(count, isExclusive)) return {};
  const variant = isFull ? 'window' : 'checkpoint';
  return how === 'both' && isFull ? { variant, marks: { ...marks, at: pct } } : { variant };
}

function decideByPercent(pct: number, marks: PctMarks): SizeSaid {
  if (pct >= WINDOW_PCT && (marks.at === 0 || pct >= marks.at + WINDOW_STEP))
    return { variant: 'window', marks: { ...marks, checkpoint: true, at: pct } };
  if (pct >= CHECKPOINT_PCT && !marks.checkpoint)
    return { variant: 'checkpoint', marks: { ...marks, checkpoint: true } };
  return {};
}

/** The longer the session, the more often: every fifth prompt after the fifteenth, every third as well after the thirtieth. */
function isDue(count: number, isExclusive: boolean): boolean {
  if (count > 30 && count % 3 === 0) return true;
  return count > 15 && count % 5 === 0 && !(isExclusive && count > 30);
}
