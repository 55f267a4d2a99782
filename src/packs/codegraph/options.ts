import { isFields } from './providers.ts';

const MOST_CHARS = 400;

export interface Limits {
  readonly expectWithin: number;
  readonly maxChars: number;
  readonly maxDenials: number;
}

/** A value of the wrong kind counts as not given. */
export function limitsIn(options: Readonly<Record<string, unknown>>): Limits {
  const careful = isFields(options['careful']) ? options['careful'] : {};
  return {
    expectWithin: countIn(options['expectWithin'], 8),
    maxChars: Math.min(countIn(options['maxChars'], MOST_CHARS), MOST_CHARS),
    maxDenials: countIn(careful['maxDenials'], 2),
  };
}

export function isOn(value: unknown): boolean {
  return value !== 'off' && value !== false;
}

function countIn(value: unknown, otherwise: number): number {
  return typeof value === 'number' && Number.isInteger(value) && value > 0 ? value : otherwise;
}
