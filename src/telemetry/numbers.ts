import { BOUNDS, bucketOf, emptyHistogram } from './histogram.ts';
import type { Histogram } from './histogram.ts';
import { parseValue } from '../state/cells.ts';

/** What one pack counted in one workspace: in one hour, or summed over many. */
export interface Numbers {
  readonly counts: Readonly<Record<string, number>>;
  readonly times: Readonly<Record<string, Histogram>>;
  /** The highest value of each. */
  readonly peaks: Readonly<Record<string, number>>;
}

/** Names that one hour keeps of each kind, whatever a pack does. */
const MOST_NAMES = 200;

/** Numbers that grow in place. */
export interface Tally {
  readonly counts: Map<string, number>;
  readonly times: Map<string, number[]>;
  readonly peaks: Map<string, number>;
}

export function createTally(): Tally {
  return { counts: new Map(), times: new Map(), peaks: new Map() };
}

export function addCount({ counts }: Tally, name: string, by: number): void {
  if (Number.isFinite(by)) put(counts, name, (counts.get(name) ?? 0) + by);
}

export function addTime({ times }: Tally, name: string, ms: number): void {
  if (!Number.isFinite(ms)) return;
  const histogram = times.get(name) ?? emptyHistogram();
  const bucket = bucketOf(ms);
  histogram[bucket] = (histogram[bucket] ?? 0) + 1;
  put(times, name, histogram);
}

export function addPeak({ peaks }: Tally, name: string, value: number): void {
  if (Number.isFinite(value)) put(peaks, name, Math.max(peaks.get(name) ?? value, value));
}

export function addNumbers(to: Tally, { counts, times, peaks }: Numbers): void {
  for (const [name, by] of Object.entries(counts)) addCount(to, name, by);
  for (const [name, value] of Object.entries(peaks)) addPeak(to, name, value);
  for (const [name, histogram] of Object.entries(times)) {
    const sum = to.times.get(name) ?? emptyHistogram();
    for (const at of sum.keys()) sum[at] = (sum[at] ?? 0) + (histogram[at] ?? 0);
    put(to.times, name, sum);
  }
}

function put<T>(map: Map<string, T>, name: string, value: T): void {
  if (map.has(name) || map.size < MOST_NAMES) map.set(name, value);
}

export function numbersOf({ counts, times, peaks }: Tally): Numbers {
  return {
    counts: Object.fromEntries(counts),
    times: Object.fromEntries(times),
    peaks: Object.fromEntries(peaks),
  };
}

/** A cell that is damaged, in whole or in part, counts as far as it can be read. */
export function readNumbers(value: string | undefined): Numbers {
  const found = (parseValue(value) ?? {}) as Partial<Record<keyof Numbers, unknown>>;
  return {
    counts: entriesOf(found.counts, isNumber),
    times: entriesOf(found.times, isHistogram),
    peaks: entriesOf(found.peaks, isNumber),
  };
}

function entriesOf<T>(value: unknown, isFit: (item: unknown) => item is T): Record<string, T> {
  if (typeof value !== 'object' || value === null) return {};
  return Object.fromEntries(Object.entries(value).filter((entry): entry is [string, T] => isFit(entry[1])));
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

function isHistogram(value: unknown): value is number[] {
  return Array.isArray(value) && value.length === BOUNDS.length + 1 && value.every(isNumber);
}
