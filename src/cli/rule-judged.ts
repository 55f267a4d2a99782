import { countJudgements, NOT_JUDGED, precisionOf } from '../ledger/judgements.ts';
import type { JudgedCounts } from '../ledger/judgements.ts';
import type { CliWorld } from './command.ts';

/** How a person judged the stops of a rule; without `precision` nobody has. */
export interface Judged extends JudgedCounts {
  readonly precision?: number;
}

export function withPrecision(counts: JudgedCounts = NOT_JUDGED): Judged {
  const precision = precisionOf(counts);
  return { ...counts, ...(precision !== undefined && { precision }) };
}

export function judgedOf(rule: string, world: CliWorld): Judged {
  const { db } = world.engine().memory;
  return withPrecision(db && countJudgements(db).get(rule));
}

export function describeJudged({ right, wrong, precision = 0 }: Judged): string {
  return `${right} of ${right + wrong} stops right (${Math.round(100 * precision)} %)`;
}
