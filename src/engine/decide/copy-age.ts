import { briefly } from '../../text/brief-span.ts';
import { durationMs } from '../../text/duration.ts';
import type { ActiveRule } from '../match/rule-index.ts';
import type { Ran } from './run.ts';
import { TOLD } from './take-leases.ts';

/**
 * What a rule's answer comes to where it stands on a copy of the team's state that is older than its bound. One that did
 * not look at that state is not concerned.
 */
export function underBound(rule: ActiveRule, ran: Ran, copyAge: () => number): Ran {
  const { team, throttle, id, priority = 50 } = rule.meta;
  if (!team) return ran;
  const spoke = ran.verdicts.some(({ kind }) => kind !== 'pass');
  const isConcerned = ran.usedTeam === true || (spoke && throttle !== undefined && 'shared' in throttle);
  const age = isConcerned ? copyAge() : 0;
  if (age <= durationMs(team.within)) return ran;
  const old = Number.isFinite(age) ? `${briefly(age)} old` : 'not there yet';
  const shared = `team state ${old}, bound ${briefly(durationMs(team.within))}, ${TOLD[team.else]}`;
  if (team.else === 'go on') return { ...ran, shared };
  const text = `What this machine has of the team's state is ${old}; this rule counts on it up to ${briefly(durationMs(team.within))}.
Try again in a moment; the server of the team's state may be back then.
A person decides whether to go on; \`fairlead doctor\` tells of the server.`;
  return { ...ran, verdicts: [{ kind: team.else, rule: id, priority, variant: 'old-copy', text }], shared };
}
