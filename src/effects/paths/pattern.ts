/** A segment that matches nearly every name in its directory: `*`, `.*`, `**`, `?*`, `.[!.]*`, `*.*`, `!(keep)`. */
export function matchesAll(segment: string): boolean {
  if (segment.startsWith('!(')) return true;
  let star = false;
  for (let at = 0; at < segment.length; at += 1) {
    const char = segment[at];
    if (char === '*') star = true;
    else if (char === '[') {
      const end = segment.indexOf(']', at + 2);
      if (end < 0) return false;
      at = end;
    } else if (char !== '?' && char !== '.') return false;
  }
  return star;
}

/** Whether a pattern of one path segment matches a name. Hidden names need their dot spelled out, as in a shell. */
export function matchesName(pattern: string, name: string): boolean {
  if (name.startsWith('.') && !pattern.startsWith('.')) return false;
  let at = 0;
  let seen = 0;
  let star = -1;
  let mark = 0;
  while (seen < name.length) {
    const char = pattern[at];
    if (char === '*') {
      star = at;
      mark = seen;
      at += 1;
      continue;
    }
    const next = char === undefined ? -1 : matchOne(pattern, at, name[seen] as string);
    if (next >= 0) {
      at = next;
      seen += 1;
    } else if (star >= 0) {
      at = star + 1;
      mark += 1;
      seen = mark;
    } else return false;
  }
  while (pattern[at] === '*') at += 1;
  return at === pattern.length;
}

/** Where the pattern goes on after `char`, or -1. */
function matchOne(pattern: string, at: number, char: string): number {
  const own = pattern[at];
  if (own === '?') return at + 1;
  if (own !== '[') return own === char ? at + 1 : -1;
  const end = pattern.indexOf(']', at + 2);
  if (end < 0) return char === '[' ? at + 1 : -1;
  const not = pattern[at + 1] === '!' || pattern[at + 1] === '^';
  const set = pattern.slice(at + (not ? 2 : 1), end);
  return inSet(set, char) === not ? -1 : end + 1;
}

function inSet(set: string, char: string): boolean {
  for (let at = 0; at < set.length; at += 1) {
    if (set[at + 1] === '-' && at + 2 < set.length) {
      if ((set[at] as string) <= char && char <= (set[at + 2] as string)) return true;
      at += 2;
    } else if (set[at] === char) return true;
  }
  return false;
}

export function isPattern(segment: string): boolean {
  return /[*?[]/.test(segment);
}

/**
 * Whether two path segments, either of which may hold wildcards, can stand for the same name. The case of letters does
 * not count, as some file systems have it.
 */
export function canBeSame(one: string, other: string): boolean {
  if (one === other) return true;
  const a = one.toLowerCase();
  const b = other.toLowerCase();
  if (!isPattern(a)) return isPattern(b) ? matchesName(b, a) : a === b;
  if (!isPattern(b)) return matchesName(a, b);
  const [, startOfA = '', endOfA = ''] = ENDS.exec(a) ?? [];
  const [, startOfB = '', endOfB = ''] = ENDS.exec(b) ?? [];
  return (
    (startOfA.startsWith(startOfB) || startOfB.startsWith(startOfA)) &&
    (endOfA.endsWith(endOfB) || endOfB.endsWith(endOfA))
  );
}

/** What is before the first and after the last wildcard. */
const ENDS = /^([^*?[]*)[^]*?([^*?\]]*)$/;
