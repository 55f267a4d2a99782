/** Worse by more than this is a failure. */
export const LIMIT = 1.15;
/** Below this many rounds nothing is said. */
const LEAST = 30;
/** Wide, since it is looked at again and again: about one in a thousand. */
const DEVIATIONS = 3.3;

export interface Spread {
  readonly rounds: number;
  readonly median: number;
  /** The median of more rounds would lie between these. */
  readonly low: number;
  readonly high: number;
}

/** What rounds tell of the ratio between two builds. By ranks alone, so that a round in which the machine was busy counts as one. */
export function spreadOf(ratios: readonly number[]): Spread {
  const sorted = ratios.toSorted((a, b) => a - b);
  const { length } = sorted;
  const half = (DEVIATIONS * Math.sqrt(length)) / 2;
  const at = (rank: number): number => sorted[Math.min(length - 1, Math.max(0, Math.round(rank)))] ?? Number.NaN;
  const middle = (length - 1) / 2;
  return { rounds: length, median: at(middle), low: at(Math.floor(middle - half)), high: at(Math.ceil(middle + half)) };
}

export type Verdict = 'fine' | 'worse' | 'unsure';

export function verdictOn(ratios: readonly number[]): Verdict {
  if (ratios.length < LEAST) return 'unsure';
  const { low, high } = spreadOf(ratios);
  return low > LIMIT ? 'worse' : high < LIMIT ? 'fine' : 'unsure';
}

/** One measurement of two builds, round by round. */
export interface Race {
  readonly verdict: Verdict;
  /** How often rounds were thrown away to look again. */
  readonly retries: number;
  readonly spread: Spread;
  /** The ratio of one round; says whether more are wanted. */
  add(ratio: number): boolean;
}

/** What looks worse is measured once more from the start, and is worse only if it is so again. */
export function createRace(): Race {
  let ratios: number[] = [];
  let retries = 0;
  let before: Spread | undefined;
  let verdict: Verdict = 'unsure';
  return {
    get verdict() {
      return verdict;
    },
    get retries() {
      return retries;
    },
    get spread() {
      return ratios.length === 0 && before ? before : spreadOf(ratios);
    },
    add(ratio) {
      ratios.push(ratio);
      verdict = verdictOn(ratios);
      if (verdict === 'worse' && retries === 0) {
        retries += 1;
        before = spreadOf(ratios);
        ratios = [];
        verdict = 'unsure';
      }
      return verdict === 'unsure';
    },
  };
}
