/** The words that a name is made of, in lower case: `parseHTTPConfig_v2` is parse, http, config, v, 2. */
export function wordParts(name: string): string[] {
  const parts: string[] = [];
  let from = 0;
  let last = 0;
  for (let at = 0; at <= name.length; at += 1) {
    const kind = at === name.length ? 0 : kindAt(name, at);
    // The capital that begins a word belongs to it, not to the capitals before: HTTPConfig.
    const endsCapitals = kind === LOWER && last === UPPER && at - from > 1;
    const cut = endsCapitals ? at - 1 : at;
    if (at > from && (endsCapitals || (kind !== last && !(kind === LOWER && last === UPPER)))) {
      if (last !== OTHER) parts.push(name.slice(from, cut).toLowerCase());
      from = cut;
    }
    last = kind;
  }
  return parts;
}

const OTHER = 0;
const LOWER = 1;
const UPPER = 2;
const DIGIT = 3;

function kindAt(name: string, at: number): number {
  const code = name.charCodeAt(at);
  if (code >= 97 && code <= 122) return LOWER;
  if (code >= 65 && code <= 90) return UPPER;
  if (code >= 48 && code <= 57) return DIGIT;
  return code < 128 ? OTHER : LOWER;
}
