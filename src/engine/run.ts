import { contextFor } from './context.ts';
import type { ContextParts } from './context.ts';
import type { ActiveRule } from './rule-index.ts';
import type { Outcome, RuleBody } from './rule.ts';
import type { Draft } from '../state/draft.ts';
import type { Event } from '../event/event.ts';
import type { Verdict } from '../event/verdict.ts';

/** Rules that name no budget get this much before the reply goes out without them. */
const DEFAULT_BUDGET_MS = 50;

export interface Ran {
  readonly verdicts: readonly Verdict[];
  /** The rule's proposed changes; adopted only when it answered in time. */
  readonly branch: Draft;
  readonly micros: number;
  readonly failure?: string;
  /** Resolves when a late rule has answered after all. */
  readonly late?: Promise<readonly Verdict[]>;
}

/**
 * Tier 3: runs one rule's check. Synchronous checks stay synchronous; a promise gets the rule's budget and is then left
 * to finish on its own. Never throws.
 */
export function runRule(rule: ActiveRule, event: Event, parts: Omit<ContextParts, 'signal'>, micros: () => number): Ran | Promise<Ran> {
  const started = micros();
  const branch = parts.draft.branch();
  let abort: AbortController | undefined;
  const context = contextFor(rule, { ...parts, draft: branch, signal: () => (abort ??= new AbortController()).signal });
  const done = (outcome: Outcome): Ran => ({ verdicts: listOf(outcome), branch, micros: micros() - started });
  const failed = (error: unknown): Ran => ({ verdicts: [], branch, micros: micros() - started, failure: messageOf(error) });

  const check = (body: RuleBody): Ran | Promise<Ran> => {
    const outcome = body.check(event, context);
    if (!isPromise(outcome)) return done(outcome);
    const budget = rule.meta.budgetMs ?? DEFAULT_BUDGET_MS;
    return new Promise<Ran>((resolve) => {
      const timer = setTimeout(() => {
        abort?.abort();
        const late = outcome.then(listOf);
        late.catch(() => {});
        resolve({ ...failed(`gave no answer within ${budget} ms`), late });
      }, budget);
      outcome.then(
        (value) => resolve(done(value)),
        (error: unknown) => resolve(failed(error)),
      ).finally(() => clearTimeout(timer));
    });
  };

  try {
    const body = rule.load();
    return isPromise(body) ? body.then(check).catch(failed) : check(body);
  } catch (error) {
    return failed(error);
  }
}

function listOf(outcome: Outcome): readonly Verdict[] {
  if (outcome === undefined || outcome === null) return [];
  return Array.isArray(outcome) ? outcome : [outcome as Verdict];
}

export function isPromise<T>(value: T | Promise<T>): value is Promise<T> {
  return typeof (value as { then?: unknown } | undefined)?.then === 'function';
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
