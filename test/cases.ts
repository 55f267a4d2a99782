import { TEST_LIMIT_MS } from './patience.ts';

/** Set by `npm run test:long`, the second one where it has a budget of time. */
export const isLong = process.env['FAIRLEAD_TEST_LONG'] !== undefined;
export const isLimited = process.env['FAIRLEAD_TEST_LIMIT_MS'] !== undefined;

/** However slow the machine is, so many cases are tried. */
const LEAST = 3;

/** For tests that roll their own dice: another one in each long run, which prints it. */
export const SEED = Number(process.env['FAIRLEAD_TEST_LONG'] ?? 2_026);

/**
 * How many cases a test tries: all that it names in a long run, a quarter where that has a budget, else a fiftieth and
 * at least ten.
 */
export function countOf(many: number): number {
  if (isLong) return isLimited ? Math.ceil(many / 4) : many;
  return Math.min(many, Math.max(10, Math.ceil(many / 50)));
}

/** The same for a property; a budget stops it by the clock. */
export const cases = (many: number): { readonly numRuns: number } => ({ numRuns: isLong ? many : countOf(many) });

/**
 * For a property whose cases start processes. A budget counts them: on a busy machine its seconds may be over before the
 * first case has ended, and then nothing was tried.
 */
export const processCases = (many: number): { readonly numRuns: number; readonly interruptAfterTimeLimit: number } => ({
  numRuns: isLong ? (isLimited ? 10 : many) : LEAST,
  interruptAfterTimeLimit: TEST_LIMIT_MS,
});

/** A sample of a list, spread evenly, as large as the count of cases. */
export function some<T>(all: readonly T[]): readonly T[] {
  const step = Math.ceil(all.length / countOf(all.length));
  return all.filter((_, at) => at % step === 0);
}

/** For a test that counts its own cases: true once it has had its share of a budget, and has tried a few. */
export function startShare(): (tried?: number) => boolean {
  const end = performance.now() + Number(process.env['FAIRLEAD_TEST_LIMIT_MS'] ?? Infinity);
  return (tried = LEAST) => tried >= LEAST && performance.now() > end;
}
