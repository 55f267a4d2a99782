import { cellId } from '../../state/cells.ts';
import type { Draft } from '../../state/draft.ts';

/** Keeps a rule that keeps failing out of the way, and lets one event through now and then to see whether it recovered. */
export interface BreakerLimits {
  readonly failures: number;
  readonly windowMs: number;
  readonly recoveryMs: number;
}

export const BREAKER_LIMITS: BreakerLimits = { failures: 5, windowMs: 60_000, recoveryMs: 30_000 };

export type BreakerState = 'closed' | 'open' | 'half-open';

interface BreakerRecord {
  readonly failedAt: readonly number[];
  readonly openedAt?: number;
  readonly error: string;
}

/** Cell names are kept apart from rules' own cells by the `breaker` name. */
function idOf(rule: string): string {
  return cellId('user', '', 'breaker', rule);
}

function recordOf(draft: Draft, rule: string): BreakerRecord | undefined {
  const value = draft.read(idOf(rule));
  if (value === undefined) return undefined;
  try {
    return JSON.parse(value) as BreakerRecord;
  } catch {
    return undefined;
  }
}

export function breakerState(draft: Draft, rule: string, limits: BreakerLimits): BreakerState {
  const openedAt = recordOf(draft, rule)?.openedAt;
  if (openedAt === undefined) return 'closed';
  return draft.now - openedAt >= limits.recoveryMs ? 'half-open' : 'open';
}

/** Returns true when this failure opened the breaker. */
export function recordFailure(draft: Draft, rule: string, error: string, limits: BreakerLimits): boolean {
  const record = recordOf(draft, rule);
  const failedAt = [...(record?.failedAt ?? []), draft.now]
    .filter((at) => draft.now - at < limits.windowMs)
    .slice(-limits.failures);
  const opens = failedAt.length >= limits.failures || breakerState(draft, rule, limits) === 'half-open';
  const wasOpen = record?.openedAt !== undefined;
  const openedAt = opens ? draft.now : record?.openedAt;
  const next: BreakerRecord = { failedAt, error: error.slice(0, 300), ...(openedAt === undefined ? {} : { openedAt }) };
  draft.set(idOf(rule), JSON.stringify(next), draft.now + Math.max(limits.windowMs, limits.recoveryMs * 20));
  return opens && !wasOpen;
}

/** A rule that answered, even with a denial, works. */
export function recordSuccess(draft: Draft, rule: string): void {
  if (recordOf(draft, rule)?.openedAt !== undefined) draft.delete(idOf(rule));
}
