import { countIn, fieldsIn } from '../../engine/rule.ts';

const MOST_CHARS = 400;

export interface Limits {
  readonly expectWithin: number;
  readonly maxChars: number;
  readonly maxDenials: number;
}

/** A value of the wrong kind counts as not given. */
export function limitsIn(options: Readonly<Record<string, unknown>>): Limits {
  const careful = fieldsIn(options['careful']);
  return {
    expectWithin: countIn(options['expectWithin']) ?? 8,
    maxChars: Math.min(countIn(options['maxChars']) ?? MOST_CHARS, MOST_CHARS),
    maxDenials: countIn(careful['maxDenials']) ?? 2,
  };
}
