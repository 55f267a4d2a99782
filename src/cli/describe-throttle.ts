import type { Throttle } from '../engine/rule.ts';

export function describeThrottle(throttle: Throttle): string {
  if ('every' in throttle) return `every ${throttle.every}`;
  if ('adaptive' in throttle)
    return throttle.adaptive.map(({ after, every }) => `after ${after}: every ${every}`).join('; ');
  const per = throttle.per === undefined ? '' : ` per ${throttle.per}`;
  if ('cooldown' in throttle) return `cooldown ${throttle.cooldown}${per}`;
  return throttle.once === 'key' ? `once${per} and session` : `once per ${throttle.once}${per}`;
}
