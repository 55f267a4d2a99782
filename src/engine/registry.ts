import type { RuleBody, RuleMeta } from './rule.ts';

/** A built-in rule as the generated index lists it: its data, and the way to its code. */
export interface RuleEntry {
  readonly meta: RuleMeta;
  load(): Promise<RuleBody>;
}
