import { cellId, expiryOf, PART, scopedId } from '../../state/cells.ts';
import type { OwnerOf } from '../../state/cells.ts';
import type { Draft } from '../../state/draft.ts';
import type { Event } from '../../event/event.ts';
import { durationMs } from '../../text/duration.ts';
import { stamp } from '../../text/stamp.ts';
import { pathsOf } from '../match/rule-index.ts';
import type { Throttle, ThrottleKey, ThrottleShare } from '../rule.ts';

/** What a throttle says before the check runs, and what it costs the rule to speak. */
export interface Gate {
  readonly open: boolean;
  readonly reason: string;
  /** Called when the rule spoke. */
  charge(): void;
}

const OPEN: Gate = { open: true, reason: '', charge() {} };

/**
 * `every` and `adaptive` count each event that gets this far; `once` and `cooldown` are charged only when the rule spoke,
 * so a check that found nothing does not use up its chance.
 */
export function throttleGate(
  rule: string,
  throttle: Throttle | undefined,
  event: Event,
  draft: Draft,
  ownerOf: OwnerOf,
): Gate {
  if (!throttle) return OPEN;
  if ('every' in throttle)
    return countingGate(
      rule,
      draft,
      ownerOf,
      (count) => throttle.every > 0 && count % throttle.every === 0,
      `speaks at every ${throttle.every}. event`,
    );
  if ('adaptive' in throttle) {
    return countingGate(
      rule,
      draft,
      ownerOf,
      (count) => throttle.adaptive.some(({ after, every }) => count > after && count % every === 0),
      'adaptive counter',
    );
  }
  const key = throttle.per === undefined ? '' : keyOf(throttle.per, event);
  const scope = 'cooldown' in throttle || throttle.once === 'key' ? 'session' : throttle.once;
  const lasts = 'cooldown' in throttle ? durationMs(throttle.cooldown) : 0;
  const id =
    'shared' in throttle && throttle.shared !== undefined
      ? sharedId(rule, throttle.shared, 'cooldown' in throttle ? '' : dayIn(ownerOf), key, ownerOf)
      : cellId(scope, ownerOf(scope), `throttle:${rule}`, key);
  const spoken = draft.read(id) !== undefined;
  const reason =
    'cooldown' in throttle
      ? `spoke less than ${throttle.cooldown} ago`
      : `spoke once for this ${throttle.once === 'key' ? throttle.per : throttle.once}`;
  const where = 'shared' in throttle && throttle.shared !== undefined ? `, ${SHARED_BY[throttle.shared]}` : '';
  return {
    open: !spoken,
    reason: reason + where,
    charge: () => draft.mark(id, '1', expiryOf(scope, lasts, draft.now)),
  };
}

const SHARED_BY = {
  person: 'here or on another machine of the person',
  team: 'here or elsewhere in the team',
} as const;

/** A project lies elsewhere on another machine, so its rules go by their names alone. */
function sharedId(rule: string, shared: ThrottleShare, day: string, key: string, ownerOf: OwnerOf): string {
  const [name = rule] = rule.split(' ', 1);
  return scopedId(shared, ownerOf, `throttle:${name}`, day === '' ? key : `${day} ${key}`);
}

/** Of a workspace and a day, the day. */
function dayIn(ownerOf: OwnerOf): string {
  return ownerOf('day').split(PART).at(-1) ?? '';
}

/** For advice that came after its event: false when the rule has spoken since. Counting throttles saw the event already. */
export function chargeLate(
  rule: string,
  throttle: Throttle | undefined,
  event: Event,
  draft: Draft,
  ownerOf: OwnerOf,
): boolean {
  if (!throttle || 'every' in throttle || 'adaptive' in throttle) return true;
  const gate = throttleGate(rule, throttle, event, draft, ownerOf);
  if (gate.open) gate.charge();
  return gate.open;
}

function countingGate(
  rule: string,
  draft: Draft,
  ownerOf: OwnerOf,
  speaks: (count: number) => boolean,
  reason: string,
): Gate {
  const id = cellId('session', ownerOf('session'), `throttle:${rule}`);
  draft.add(id, 1, 0);
  return { open: speaks(Number(draft.read(id) ?? 0)), reason, charge() {} };
}

function keyOf(per: ThrottleKey, event: Event): string {
  if (per === 'path') return pathsOf(event)[0] ?? '';
  if (per === 'tool') return event.tool?.name ?? '';
  // Not the command itself: what it holds may be secret, and cells are shown.
  return stamp([event.tool?.command ?? '']);
}
