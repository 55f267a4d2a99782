import type { Content, Value } from '../record/chain.ts';

/** What an export holds that may be of our machines, whichever encoding it has. */
export interface Exported {
  readonly groups: readonly Group[];
  readonly newest: readonly Newest[];
}

/** The records of one scope, in their order. */
export interface Group {
  readonly resource: Pairs;
  readonly scope: { readonly name: string; readonly version: string };
  readonly records: readonly Content[];
}

/** The newest number of a machine, as its metric has it. */
export interface Newest {
  readonly machine: string;
  readonly sequence: number;
}

export type Pairs = readonly (readonly [key: string, value: Value])[];

/** Undefined where it is there more than once, too: then nobody can say what it is. */
export function valueIn(pairs: Pairs, key: string): Value | undefined {
  const found = pairs.filter(([name]) => name === key);
  return found.length === 1 ? found[0]?.[1] : undefined;
}

export function textIn(pairs: Pairs, key: string): string | undefined {
  const value = valueIn(pairs, key);
  return typeof value === 'string' ? value : undefined;
}

export function numberIn(pairs: Pairs, key: string): number | undefined {
  const value = valueIn(pairs, key);
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : undefined;
}
