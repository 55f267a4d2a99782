import { parseDuration } from '../text/duration.ts';
import type { Throttle, ThrottleKey, ThrottleShare } from '../engine/rule.ts';

const KEYS = ['path', 'command', 'tool'] as const;
const WINDOWS = ['session', 'turn', 'day'] as const;
const SHARES = ['person', 'team'] as const;

export const THROTTLE_FORMS =
  '`once per session|turn|day|path|command|tool`, `once per turn per path`, `cooldown 10m`, `every 5`; `once per day per person|team` and `cooldown 1h per team` count on all machines';

/** A throttle as people write it, or undefined when it is none. */
export function parseThrottle(value: unknown): Throttle | undefined {
  if (typeof value === 'string') return fromText(value.trim().toLowerCase().replaceAll(/\s+/g, ' '));
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return fromMap(value as Readonly<Record<string, unknown>>);
}

function fromText(text: string): Throttle | undefined {
  const match =
    /^(?:(once) per (\w+)|(cooldown) (\S+)|(every) (\d+))(?: (?:per|and) (path|command|tool))?(?: (?:per|and) (person|team))?$/.exec(
      text,
    );
  if (!match) return undefined;
  const [, once, window, cooldown, duration, every, count, per, shared] = match;
  return fromMap({
    ...(once && { once: window }),
    ...(cooldown && { cooldown: duration }),
    ...(every && { every: Number(count) }),
    ...(per !== undefined && { per }),
    ...(shared !== undefined && { shared }),
  });
}

function fromMap({
  once,
  cooldown,
  every,
  adaptive,
  per,
  shared,
  ...rest
}: Readonly<Record<string, unknown>>): Throttle | undefined {
  const given = [once, cooldown, every, adaptive].filter((value) => value !== undefined).length;
  if (given !== 1 || Object.keys(rest).length > 0 || (per !== undefined && !isKey(per))) return undefined;
  // A session and a turn are on one machine.
  if (shared !== undefined && (!isShare(shared) || (once !== 'day' && cooldown === undefined))) return undefined;
  const keyed = per === undefined ? {} : { per };
  const sharing = shared === undefined ? {} : { shared };
  if (typeof once === 'string') {
    const window = WINDOWS.find((name) => name === once);
    if (window === 'day') return { once: window, ...keyed, ...sharing };
    if (window) return { once: window, ...keyed };
    if (once === 'key') return per === undefined ? undefined : { once, per };
    return isKey(once) && per === undefined ? { once: 'key', per: once } : undefined;
  }
  if (typeof cooldown === 'string') return parseDuration(cooldown) ? { cooldown, ...keyed, ...sharing } : undefined;
  if (per !== undefined) return undefined;
  if (isCount(every)) return { every };
  if (!Array.isArray(adaptive) || adaptive.length === 0 || !adaptive.every(isStep)) return undefined;
  return { adaptive: adaptive.map(({ after, every: step }) => ({ after, every: step })) };
}

function isKey(value: unknown): value is ThrottleKey {
  return (KEYS as readonly unknown[]).includes(value);
}

function isShare(value: unknown): value is ThrottleShare {
  return (SHARES as readonly unknown[]).includes(value);
}

function isCount(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) > 0;
}

function isStep(value: unknown): value is { after: number; every: number } {
  const step = value as { after?: unknown; every?: unknown } | null;
  return (
    typeof step === 'object' &&
    step !== null &&
    Number.isInteger(step.after) &&
    (step.after as number) >= 0 &&
    isCount(step.every)
  );
}
