import type { JobBreakerLimits } from './limits.ts';
import { cellId, parseValue } from '../state/cells.ts';

/** How a kind of job fares in a workspace; no record is a closed breaker that has seen no failure. */
export interface JobBreaker {
  readonly state: 'closed' | 'open' | 'half-open';
  readonly failures: readonly number[];
  /** In a row, while half open. */
  readonly successes: number;
  readonly openedAt?: number;
  /** The last failure, for the person. */
  readonly error?: string;
}

const MOST_ERROR = 300;

export function breakerId(root: string, pack: string, kind: string): string {
  return cellId('workspace', root, `${pack}.breaker`, kind);
}

export function readBreaker(value: string | undefined): JobBreaker | undefined {
  const found = parseValue(value) as Partial<JobBreaker> | null | undefined;
  if (!found || !Array.isArray(found.failures)) return undefined;
  const { openedAt, error } = found;
  return {
    state: openedAt === undefined ? 'closed' : (found.state ?? 'open'),
    failures: found.failures.filter((at) => typeof at === 'number'),
    successes: typeof found.successes === 'number' ? found.successes : 0,
    ...(typeof openedAt === 'number' && { openedAt }),
    ...(typeof error === 'string' && { error }),
  };
}

/** When a job of the kind may run: at once, or when the breaker has been open long enough. */
export function recoversAt(breaker: JobBreaker | undefined, now: number, limits: JobBreakerLimits): number {
  if (breaker?.state !== 'open' || breaker.openedAt === undefined || breaker.openedAt > now) return now;
  return Math.max(now, breaker.openedAt + limits.recoveryMs);
}

/** Open or on trial: one job at a time shows whether the cause is gone. */
export function isOnTrial(breaker: JobBreaker | undefined): boolean {
  return breaker !== undefined && breaker.state !== 'closed';
}

export function afterFailure(
  before: JobBreaker | undefined,
  error: string,
  now: number,
  limits: JobBreakerLimits,
): JobBreaker {
  const failures = [...(before?.failures ?? []), now]
    .filter((at) => now - at < limits.windowMs)
    .slice(-limits.failures);
  const opens = isOnTrial(before) || failures.length >= limits.failures;
  const known = { failures, successes: 0, error: error.slice(0, MOST_ERROR) };
  return opens ? { ...known, state: 'open', openedAt: now } : { ...known, state: 'closed' };
}

/** Undefined when there is nothing left to remember. Failures of a closed breaker stay: they count for the whole window. */
export function afterSuccess(
  before: JobBreaker | undefined,
  now: number,
  limits: JobBreakerLimits,
): JobBreaker | undefined {
  if (!before) return undefined;
  if (isOnTrial(before)) {
    const successes = before.successes + 1;
    return successes >= limits.successes ? undefined : { ...before, state: 'half-open', successes };
  }
  const failures = before.failures.filter((at) => now - at < limits.windowMs);
  return failures.length === 0 ? undefined : { ...before, failures };
}
