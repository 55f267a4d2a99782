/** Deeper than any tool's input; what lies below is spelled as JSON. */
const DEEPEST = 50;

/**
 * A text that no two different JSON values share, made to be digested: every text stands in it as it is, after its length.
 * JSON would look at each of its characters, which on a large edit takes five times as long.
 */
export function spell(value: unknown, levels = DEEPEST): string {
  // Half a pair has no bytes of its own.
  if (typeof value === 'string' && value.isWellFormed()) return `"${value.length}:${value}`;
  if (typeof value !== 'object' || value === null || levels === 0) return `~${JSON.stringify(value) ?? ''};`;
  if (Array.isArray(value)) {
    let items = `[${value.length}:`;
    for (const item of value) items += spell(item, levels - 1);
    return items;
  }
  const keys = Object.keys(value);
  let fields = `{${keys.length}:`;
  for (const key of keys) fields += spell(key) + spell((value as Record<string, unknown>)[key], levels - 1);
  return fields;
}
