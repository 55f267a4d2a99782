import { fieldsIn, parseDuration, switchIn } from '../../engine/rule.ts';

export interface CardOptions {
  readonly show: boolean;
  /** Also for test files. */
  readonly tests: boolean;
  /** What was said is said again when its time is over. */
  readonly repeatIdentical: boolean;
  /** For so long a file gets no second card about the same symbol. */
  readonly throttleMs: number;
  readonly waitMs: number;
}

const THROTTLE_MS = 60_000;
const WAIT_MS = 300;
const MOST_WAIT_MS = 1_000;

/** A value of the wrong kind counts as not given. */
export function cardOptions({ cards, throttle, wait }: Readonly<Record<string, unknown>>): CardOptions {
  const fields = fieldsIn(cards);
  return {
    show: switchIn(fields['show'] ?? cards, true),
    tests: switchIn(fields['tests'], false),
    repeatIdentical: switchIn(fields['repeatIdentical'], false),
    throttleMs: spanIn(throttle, THROTTLE_MS),
    waitMs: Math.min(spanIn(fieldsIn(wait)['hook'], WAIT_MS), MOST_WAIT_MS),
  };
}

function spanIn(value: unknown, otherwise: number): number {
  return (typeof value === 'string' ? parseDuration(value) : undefined) ?? otherwise;
}
