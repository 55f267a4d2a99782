import type { ActiveRule } from '../engine/match/rule-index.ts';
import { CommandError } from './command.ts';

/** Refuses what would have rules act less hard that a policy holds. */
export function refuseHeld(rules: readonly ActiveRule[], wanted: (rule: ActiveRule) => boolean = () => true): void {
  const held = rules.filter((rule) => rule.held === true && wanted(rule));
  const [first] = held;
  if (!first) return;
  const more = held.length === 1 ? '' : ` and ${held.length - 1} more`;
  throw new CommandError(
    `${first.meta.id}${more}: the policy ${first.policy} holds that, so this machine cannot have it act less hard.
Whoever signs the policy can change it.
In an emergency: fairlead policy break-glass --for 30m --reason TEXT`,
  );
}
