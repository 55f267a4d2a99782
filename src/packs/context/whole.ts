/**
 * What a cell holds, if it is what was put there: another build, or a disk, may have left something else. `sample` has the
 * fields that count, each with a value of its kind.
 */
export function ifWhole<Value extends object>(value: Value | undefined, sample: Partial<Value>): Value | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const found = value as Readonly<Record<string, unknown>>;
  return Object.entries(sample).every(([key, like]) => kindOf(found[key]) === kindOf(like)) ? value : undefined;
}

function kindOf(value: unknown): string {
  return Array.isArray(value) ? 'list' : value === null ? 'null' : typeof value;
}
