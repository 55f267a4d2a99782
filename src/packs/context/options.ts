/** A group of the pack's options with its defaults; their kinds are what a user's values are held against. */
type Defaults = Readonly<Record<string, unknown>>;

type Widened<Value> = Value extends number
  ? number
  : Value extends boolean
    ? boolean
    : Value extends string
      ? string
      : Value extends readonly unknown[]
        ? Value
        : { readonly [Key in keyof Value]: Widened<Value[Key]> };

/** What the user wrote for a group; a value of another kind than the default counts as not written. */
export function readGroup<Group extends Defaults>(given: unknown, defaults: Group): Widened<Group> {
  const written = isMap(given) ? given : {};
  const read = Object.entries(defaults).map(([key, usual]) => [key, valueOf(written[key], usual)]);
  return Object.fromEntries(read) as Widened<Group>;
}

function valueOf(value: unknown, usual: unknown): unknown {
  if (Array.isArray(usual)) return Array.isArray(value) ? value : usual;
  if (isMap(usual)) return readGroup(value, usual);
  if (typeof usual === 'number') return Number.isFinite(value) ? value : usual;
  return typeof value === typeof usual ? value : usual;
}

/** The first choice is the default. */
export function oneOf<const Choice extends string>(value: unknown, choices: readonly [Choice, ...Choice[]]): Choice {
  return choices.find((choice) => choice === value) ?? choices[0];
}

/** Of a list that should hold texts, those that do. */
export function textsIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string' && each !== '') : [];
}

export function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
