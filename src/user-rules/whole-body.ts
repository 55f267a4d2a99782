import type { RuleBody } from '../engine/rule.ts';
import { userRuleBody } from './body.ts';
import type { Match } from './body.ts';
import { whySilent } from './run-tests.ts';

/** The code of a user's rule, with the reader of commands; for those who need not wait to load that. */
export function wholeRuleBody(match: Match): RuleBody {
  return userRuleBody(match, whySilent);
}
