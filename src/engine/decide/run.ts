import type { FollowUp } from '../../event/follow-up.ts';
import { Context } from './context.ts';
import type { ContextParts } from './context.ts';
import type { ActiveRule } from '../match/rule-index.ts';
import type { Outcome, RuleBody } from '../rule.ts';
import type { Draft } from '../../state/draft.ts';
import type { Event } from '../../event/event.ts';
import type { Verdict } from '../../event/verdict.ts';
import { messageOf } from '../../text/message-of.ts';

/** Rules that name no budget get this much before the reply goes out without them. */
const DEFAULT_BUDGET_MS = 50;

export interface Ran {
  readonly verdicts: readonly Verdict[];
  /** The rule's proposed changes; adopted only when it answered in time. */
  readonly branch: Draft;
  readonly micros: number;
  /** What the rule wants done after the reply; counts like its changes. */
  readonly followUps: readonly FollowUp[];
  /** Its check asked for a cell that a team shares. */
  readonly usedTeam?: boolean;
  /** What a lease, or the age of the team's state, had to do with it. */
  readonly shared?: string;
  readonly failure?: string;
  /** Resolves when a late rule has answered after all. */
  readonly late?: Promise<readonly Verdict[]>;
}

/**
 * Tier 3: runs one rule's check. Synchronous checks stay synchronous; a promise gets the rule's budget and is then left
 * to finish on its own. Never throws.
 */
export function runRule(rule: ActiveRule, event: Event, parts: ContextParts, micros: () => number): Ran | Promise<Ran> {
  let started = micros();
  const branch = parts.draft.branch();
  const context = new Context(rule, parts, branch);
  const heard = (outcome: Outcome): readonly Verdict[] => {
    const verdicts = listOf(outcome);
    if (rule.meta.remembersOn?.includes(event.name) && verdicts.some(({ kind }) => kind !== 'pass'))
      throw new TypeError('it spoke on an event on which it only remembers');
    return verdicts;
  };
  const done = (outcome: Outcome): Ran => ({
    verdicts: heard(outcome),
    branch,
    followUps: context.followUps,
    micros: micros() - started,
    usedTeam: context.usedTeam,
  });
  const failed = (error: unknown): Ran => ({
    verdicts: [],
    branch,
    followUps: [],
    micros: micros() - started,
    failure: messageOf(error),
  });

  const check = (body: RuleBody): Ran | Promise<Ran> => {
    // Loading the code is not the rule's own time.
    started = micros();
    const outcome = body.check(event, context);
    if (!isPromise(outcome)) return done(outcome);
    const answer = Promise.resolve(outcome).then(heard);
    const budget = rule.meta.budgetMs ?? DEFAULT_BUDGET_MS;
    return new Promise<Ran>((resolve) => {
      const stop = startTimer(budget, () => {
        context.abort();
        resolve({ ...failed(`gave no answer within ${budget} ms`), late: answer });
      });
      void answer.then(done, failed).then(resolve).finally(stop);
    });
  };

  try {
    const body = rule.load();
    return isPromise(body) ? body.then(check).catch(failed) : check(body);
  } catch (error) {
    return failed(error);
  }
}

/** Returns what stops it. */
export function startTimer(ms: number, work: () => void): () => void {
  const timer = setTimeout(work, ms);
  return () => clearTimeout(timer);
}

/** Throws for what is no verdict: one rule's nonsense must not reach the verdicts of the others. */
function listOf(outcome: Outcome): readonly Verdict[] {
  if (outcome === undefined || outcome === null) return [];
  const list: readonly Verdict[] = Array.isArray(outcome) ? outcome : [outcome as Verdict];
  if (list.every((verdict) => typeof (verdict as Verdict | undefined)?.kind === 'string')) return list;
  throw new TypeError('its check returned something that is no verdict');
}

export function isPromise<T>(value: T | Promise<T>): value is Promise<T> {
  return typeof (value as { then?: unknown } | undefined)?.then === 'function';
}
