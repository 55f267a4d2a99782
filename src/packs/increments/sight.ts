/**
 * Whether the events of one source (an agent and one of its events) bring the arguments of the call. A source that
 * mostly does not is left alone until it mostly does again; every event adds its bit either way.
 */
export interface Sight {
  /** One character per event, oldest first: `1` with arguments, `0` without. */
  readonly bits: string;
  readonly state: SightState;
  readonly since: number;
}

export type SightState = 'learning' | 'sighted' | 'blind';

export interface SightLimits {
  /** How many events are remembered. */
  readonly ring: number;
  /** More than this many of a hundred decide. */
  readonly majority: number;
  /** Fewer say nothing. */
  readonly minSamples: number;
}

export function nextSight(before: unknown, hasArguments: boolean, now: number, limits: SightLimits): Sight {
  const known = readSight(before);
  const bits = ((known?.bits ?? '') + (hasArguments ? '1' : '0')).slice(-limits.ring);
  const state = stateOf(bits, known?.state ?? 'learning', limits);
  return { bits, state, since: known?.state === state ? known.since : now };
}

function stateOf(bits: string, before: SightState, { majority, minSamples }: SightLimits): SightState {
  if (bits.length < minSamples) return 'learning';
  const enough = bits.length * majority;
  const seeing = countOf(bits, '1') * 100;
  if (seeing > enough) return 'sighted';
  return bits.length * 100 - seeing > enough ? 'blind' : before;
}

/** What the cell holds may be of any shape. */
export function readSight(value: unknown): Sight | undefined {
  const found = value as Partial<Sight> | null | undefined;
  if (typeof found?.bits !== 'string' || !/^[01]*$/.test(found.bits)) return undefined;
  const state = found.state === 'sighted' || found.state === 'blind' ? found.state : 'learning';
  return { bits: found.bits, state, since: typeof found.since === 'number' ? found.since : 0 };
}

export function countOf(bits: string, bit: '0' | '1'): number {
  let count = 0;
  for (const each of bits) if (each === bit) count += 1;
  return count;
}
