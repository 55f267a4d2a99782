import type { Amount, ResourceSample } from '../../engine/rule.ts';

export type Metric = 'memory' | 'swap' | 'disk' | 'load';
export type Level = 'fine' | 'warn' | 'danger';

export interface Limit {
  /** From here on; 0 is never. */
  readonly warn: number;
  readonly danger: number;
}

export type MemorySource = 'auto' | 'used' | 'pressure';

/** Percent, and for the load the average per CPU. */
export const RESOURCE_LIMITS: Readonly<Record<Metric, Limit>> = {
  memory: { warn: 80, danger: 90 },
  swap: { warn: 50, danger: 75 },
  disk: { warn: 85, danger: 95 },
  load: { warn: 0.8, danger: 1.5 },
};

/** Percent of ten seconds: some work waiting that long is a warning, all of it danger. */
const PRESSURE_LIMIT = 10;

export interface ResourceLevel {
  readonly metric: Metric;
  readonly level: Level;
  /** What was compared; percent, or the load per CPU. */
  readonly value: number;
  /** What it was compared with: the limit that it reached, else the next one. */
  readonly limit: number;
  readonly by: 'used' | 'pressure' | 'load';
}

export function judgeResources(
  sample: ResourceSample,
  limits: Readonly<Record<Metric, Limit>> = RESOURCE_LIMITS,
  memorySource: MemorySource = 'auto',
): readonly ResourceLevel[] {
  const { pressure, load } = sample;
  const byPressure = memorySource !== 'used' && pressure !== undefined;
  const isOff = limits.memory.warn <= 0 && limits.memory.danger <= 0;
  return [
    ...(byPressure
      ? isOff
        ? []
        : [judgePressure(pressure)]
      : memorySource === 'pressure'
        ? []
        : judgeAmount('memory', sample.memory, limits.memory)),
    ...judgeAmount('swap', sample.swap, limits.swap),
    ...judgeAmount('disk', sample.disk, limits.disk),
    ...(load && load.cpus > 0 ? [judge('load', load.average / load.cpus, limits.load, 'load')] : []),
  ];
}

function judgePressure({ some, full }: { readonly some: number; readonly full: number }): ResourceLevel {
  const level: Level = full >= PRESSURE_LIMIT ? 'danger' : some >= PRESSURE_LIMIT ? 'warn' : 'fine';
  return { metric: 'memory', level, value: level === 'danger' ? full : some, limit: PRESSURE_LIMIT, by: 'pressure' };
}

function judgeAmount(metric: Metric, amount: Amount | undefined, limit: Limit): readonly ResourceLevel[] {
  if (!amount || amount.total <= 0) return [];
  return [judge(metric, (amount.used * 100) / amount.total, limit, 'used')];
}

function judge(metric: Metric, value: number, { warn, danger }: Limit, by: 'used' | 'load'): ResourceLevel {
  if (danger > 0 && value >= danger) return { metric, level: 'danger', value, limit: danger, by };
  if (warn > 0 && value >= warn) return { metric, level: 'warn', value, limit: warn, by };
  return { metric, level: 'fine', value, limit: warn > 0 ? warn : danger, by };
}

/** The limits as the user wrote them, by metric; what is no number counts as not written. */
export function readLimits(given: unknown): Readonly<Record<Metric, Limit>> {
  const fields = toFields(given);
  const read = (metric: Metric): Limit => {
    const { warn, danger } = { ...RESOURCE_LIMITS[metric], ...numbersIn(toFields(fields[metric])) };
    return { warn, danger };
  };
  return { memory: read('memory'), swap: read('swap'), disk: read('disk'), load: read('load') };
}

export function readMemorySource(given: unknown): MemorySource {
  const source = toFields(given)['memory_source'];
  return source === 'used' || source === 'pressure' ? source : 'auto';
}

function toFields(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}

function numbersIn(fields: Readonly<Record<string, unknown>>): Readonly<Record<string, number>> {
  return Object.fromEntries(
    Object.entries(fields).filter((entry): entry is [string, number] => Number.isFinite(entry[1])),
  );
}
