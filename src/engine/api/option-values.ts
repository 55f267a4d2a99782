/** For what a person wrote as a value of an option, which may be of any type. */

/** YAML reads some of these words as booleans, and quoted ones not. */
const SWITCHES: ReadonlyMap<unknown, boolean> = new Map<unknown, boolean>([
  ...[true, 'on', 'true', 'yes'].map((word) => [word, true] as const),
  ...[false, 'off', 'false', 'no'].map((word) => [word, false] as const),
]);

export function switchIn(value: unknown, otherwise: boolean): boolean {
  return SWITCHES.get(value) ?? otherwise;
}

/** Of what has no fields: none. */
export function fieldsIn(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : {};
}

/** A whole number above 0. */
export function countIn(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : undefined;
}
