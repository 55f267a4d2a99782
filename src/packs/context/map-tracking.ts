import { isDate } from './dates.ts';

export interface MapTracking {
  readonly optedOut: boolean;
  /** When the map of the code was last brought up to date. */
  readonly lastRun: number;
}

/** Undefined for what is missing, no JSON object or without a time. A plain date is its local midnight. */
export function parseMapTracking(text: string | undefined): MapTracking | undefined {
  let value: unknown;
  try {
    value = JSON.parse((text ?? '').replace(/^\ufeff/, ''));
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  const { opted_out: optedOut, last_run: lastRun } = value as Readonly<Record<string, unknown>>;
  const at = typeof lastRun === 'string' ? Date.parse(isDate(lastRun) ? `${lastRun}T00:00:00` : lastRun) : Number.NaN;
  return Number.isNaN(at) ? undefined : { optedOut: optedOut === true, lastRun: at };
}
