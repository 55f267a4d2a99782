/**
 * Path globs without backtracking into earlier wildcards: `*`, `?`, `[abc]` inside a segment, `**` across segments, `{a,b}` alternatives.
 * A user's glob can therefore never hang the engine, and its literal parts can be indexed.
 */
export interface Glob {
  readonly source: string;
  readonly alternatives: readonly GlobPath[];
}

export interface GlobPath {
  readonly segments: readonly Segment[];
  /** Starts at the file system root instead of the workspace root. */
  readonly absolute: boolean;
}

type Segment =
  | { readonly kind: 'any' }
  | { readonly kind: 'literal'; readonly text: string }
  | { readonly kind: 'wild'; readonly parts: readonly Part[]; readonly suffix: string };

/** `*`, `?`, a set of characters, or one character. */
type Part =
  | { readonly kind: 'star' }
  | { readonly kind: 'one' }
  | { readonly kind: 'set'; readonly chars: string; readonly not: boolean }
  | { readonly kind: 'char'; readonly char: string };

const MAX_ALTERNATIVES = 256;

export function compileGlob(source: string): Glob {
  return { source, alternatives: expandBraces(source).map(compilePath) };
}

export function matchGlob(glob: Glob, relative: readonly string[] | undefined, absolute: readonly string[]): boolean {
  return glob.alternatives.some((path) => matchGlobPath(path, relative, absolute));
}

/** `relative` is undefined for a path outside the workspace; then only globs that start with `**` or `/` can match. */
export function matchGlobPath(
  path: GlobPath,
  relative: readonly string[] | undefined,
  absolute: readonly string[],
): boolean {
  if (path.absolute) return matchSegments(path.segments, absolute);
  if (relative) return matchSegments(path.segments, relative);
  return path.segments[0]?.kind === 'any' && matchSegments(path.segments, absolute);
}

/**
 * Whether a glob means something in the tree below a directory, or the directory itself; `whole` when the tree holds the
 * workspace. `**` alone leads nowhere: one named segment has to be part of the directory's path.
 */
export function reachesGlob(
  glob: Glob,
  relative: readonly string[] | undefined,
  absolute: readonly string[],
  whole: boolean,
): boolean {
  return glob.alternatives.some((path) => {
    if (path.absolute) return absolute.length === 0 || leadsInto(path.segments, absolute);
    if (whole) return true;
    if (relative) return leadsInto(path.segments, relative);
    return path.segments[0]?.kind === 'any' && leadsInto(path.segments, absolute);
  });
}

/** Follows all ways through the pattern at once; each is how many of its segments are used up. */
function leadsInto(pattern: readonly Segment[], dir: readonly string[]): boolean {
  const named = pattern.findIndex((segment) => segment.kind !== 'any');
  let ways = new Set(skipAny(pattern, 0));
  for (const name of dir) {
    const next = new Set<number>();
    for (const used of ways) {
      const segment = pattern[used];
      if (!segment || (segment.kind !== 'any' && !matchSegment(segment, name))) continue;
      for (const each of skipAny(pattern, segment.kind === 'any' ? used : used + 1)) next.add(each);
    }
    ways = next;
  }
  return [...ways].some((used) => used > named);
}

/** This many used up, and as many more as can match nothing. */
function skipAny(pattern: readonly Segment[], used: number): number[] {
  const all = [used];
  while (pattern[all.at(-1) as number]?.kind === 'any') all.push((all.at(-1) as number) + 1);
  return all;
}

function compilePath(source: string): GlobPath {
  const absolute = source.startsWith('/');
  const parts = source
    .replace(/^(\.\/|\/)+/, '')
    .split('/')
    .filter((part) => part !== '');
  const segments = parts.map(compileSegment);
  if (parts.length === 1 && !source.includes('/')) segments.unshift({ kind: 'any' });
  if (source.endsWith('/')) segments.push({ kind: 'any' });
  return { absolute, segments };
}

function compileSegment(text: string): Segment {
  if (text === '**') return { kind: 'any' };
  const parts: Part[] = [];
  let at = 0;
  while (at < text.length) {
    const char = text[at] as string;
    if (char === '*') {
      if (parts.at(-1)?.kind !== 'star') parts.push({ kind: 'star' });
    } else if (char === '?') parts.push({ kind: 'one' });
    else if (char === '[' && text.indexOf(']', at + 2) > 0) {
      const end = text.indexOf(']', at + 2);
      const not = text[at + 1] === '!' || text[at + 1] === '^';
      parts.push({ kind: 'set', chars: expandSet(text.slice(at + (not ? 2 : 1), end)), not });
      at = end;
    } else if (char === '\\' && at + 1 < text.length) {
      at += 1;
      parts.push({ kind: 'char', char: text[at] as string });
    } else parts.push({ kind: 'char', char });
    at += 1;
  }
  if (parts.every((part) => part.kind === 'char'))
    return { kind: 'literal', text: parts.map((part) => part.char).join('') };
  return { kind: 'wild', parts, suffix: literalSuffix(parts) };
}

function literalSuffix(parts: readonly Part[]): string {
  let suffix = '';
  for (let at = parts.length - 1; at >= 0; at -= 1) {
    const part = parts[at];
    if (part?.kind !== 'char') break;
    suffix = part.char + suffix;
  }
  return suffix;
}

function expandSet(text: string): string {
  return text.replaceAll(/(.)-(.)/gsu, (whole, from: string, to: string) => {
    const first = from.codePointAt(0) ?? 0;
    const last = to.codePointAt(0) ?? 0;
    if (last < first || last - first > 512) return whole;
    return Array.from({ length: last - first + 1 }, (_, index) => String.fromCodePoint(first + index)).join('');
  });
}

function expandBraces(source: string): string[] {
  const open = findBrace(source);
  if (!open) return [source];
  const { start, end, commas } = open;
  const cuts = [start, ...commas, end];
  const head = source.slice(0, start);
  const tail = source.slice(end + 1);
  const all: string[] = [];
  for (let at = 0; at + 1 < cuts.length; at += 1) {
    const body = source.slice((cuts[at] as number) + 1, cuts[at + 1]);
    for (const rest of expandBraces(head + body + tail)) {
      all.push(rest);
      if (all.length >= MAX_ALTERNATIVES) return all;
    }
  }
  return all;
}

/** The first brace group that holds a comma; anything else in braces is literal. */
function findBrace(source: string): { start: number; end: number; commas: number[] } | undefined {
  for (let start = source.indexOf('{'); start >= 0; start = source.indexOf('{', start + 1)) {
    const commas: number[] = [];
    let depth = 0;
    for (let at = start; at < source.length; at += 1) {
      const char = source[at];
      if (char === '{') depth += 1;
      else if (char === ',' && depth === 1) commas.push(at);
      else if (char === '}' && --depth === 0) {
        if (commas.length > 0) return { start, end: at, commas };
        break;
      }
    }
  }
  return undefined;
}

/** Greedy with one point of return, which is all that `**` needs. */
function matchSegments(pattern: readonly Segment[], path: readonly string[]): boolean {
  let at = 0;
  let segment = 0;
  let anyAt = -1;
  let anyFrom = 0;
  while (at < path.length) {
    const current = pattern[segment];
    if (current?.kind === 'any') {
      anyAt = segment;
      anyFrom = at;
      segment += 1;
    } else if (current && matchSegment(current, path[at] as string)) {
      segment += 1;
      at += 1;
    } else if (anyAt >= 0) {
      anyFrom += 1;
      at = anyFrom;
      segment = anyAt + 1;
    } else return false;
  }
  while (pattern[segment]?.kind === 'any') segment += 1;
  return segment === pattern.length;
}

function matchSegment(segment: Exclude<Segment, { kind: 'any' }>, text: string): boolean {
  if (segment.kind === 'literal') return segment.text === text;
  if (!text.endsWith(segment.suffix)) return false;
  const { parts } = segment;
  if (parts[0]?.kind === 'star' && parts.length === segment.suffix.length + 1) return true;
  let at = 0;
  let part = 0;
  let starAt = -1;
  let starFrom = 0;
  while (at < text.length) {
    const current = parts[part];
    if (current?.kind === 'star') {
      starAt = part;
      starFrom = at;
      part += 1;
    } else if (current && matchChar(current, text[at] as string)) {
      part += 1;
      at += 1;
    } else if (starAt >= 0) {
      starFrom += 1;
      at = starFrom;
      part = starAt + 1;
    } else return false;
  }
  while (parts[part]?.kind === 'star') part += 1;
  return part === parts.length;
}

function matchChar(part: Exclude<Part, { kind: 'star' }>, char: string): boolean {
  if (part.kind === 'one') return true;
  if (part.kind === 'char') return part.char === char;
  return part.chars.includes(char) !== part.not;
}

/**
 * Literals that every match of this path must have: its base name, its extension, its directories.
 * The index asks for all and keeps the rarest.
 */
export function requiredKeys(path: GlobPath): string[] {
  const keys: string[] = [];
  const last = path.segments.at(-1);
  if (last?.kind === 'wild') {
    const dot = last.suffix.indexOf('.');
    if (dot >= 0) keys.push(last.suffix.slice(dot));
  }
  for (const segment of path.segments) if (segment.kind === 'literal') keys.push(segment.text);
  return keys;
}

/** The keys a path can satisfy; the counterpart of `requiredKeys`. */
export function keysOfPath(segments: readonly string[]): string[] {
  const keys = [...segments];
  const name = segments.at(-1) ?? '';
  for (let dot = name.indexOf('.'); dot >= 0; dot = name.indexOf('.', dot + 1)) keys.push(name.slice(dot));
  return keys;
}
