import { MAX_VALUE } from './state.ts';

/** `*` is not matched in longer texts, nor are longer patterns: that costs more than it tells. */
const MAX_TEXT = 512;
const MAX_REPLACED = 128;
const MAX_PATTERN = 64;
const WILD = /[*?[]/;

/** How long all that matches is; undefined when it may be of any length. */
function lengthOf(pattern: string): number | undefined {
  let length = 0;
  for (let at = 0; at < pattern.length; at += 1) {
    if (pattern[at] === '*') return undefined;
    const close = pattern[at] === '[' ? pattern.indexOf(']', at + 2) : -1;
    if (close > 0) at = close;
    length += 1;
  }
  return length;
}

/** What matching takes, in the units of `spend`. */
export function workOf(text: string, pattern: string, everywhere: boolean): number {
  if (!WILD.test(pattern) || lengthOf(pattern) !== undefined) return text.length >> 8;
  return everywhere ? (text.length ** 3) >> 12 : (text.length ** 2) >> 8;
}

/** The shell pattern matches the whole of `text` between `start` and `end`. */
function matches(text: string, start: number, end: number, pattern: string): boolean {
  let at = start;
  let next = 0;
  let star = -1;
  let resume = 0;
  while (at < end || next < pattern.length) {
    if (pattern[next] === '*') {
      star = next;
      resume = at;
      next += 1;
      continue;
    }
    const length = at < end ? matchOne(text[at] as string, pattern, next) : 0;
    if (length > 0) {
      next += length;
      at += 1;
      continue;
    }
    if (star < 0 || resume >= end) return false;
    resume += 1;
    at = resume;
    next = star + 1;
  }
  return true;
}

/** How much of the pattern the character matches; 0 when it does not. */
function matchOne(char: string, pattern: string, at: number): number {
  const wanted = pattern[at];
  if (wanted === undefined) return 0;
  if (wanted === '?') return 1;
  if (wanted === '[') {
    const close = pattern.indexOf(']', at + 2);
    if (close > 0) {
      const inner = pattern.slice(at + 1, close);
      const not = inner.startsWith('!') || inner.startsWith('^');
      return inSet(char, not ? inner.slice(1) : inner) !== not ? close - at + 1 : 0;
    }
  }
  return wanted === char ? 1 : 0;
}

function inSet(char: string, set: string): boolean {
  for (let at = 0; at < set.length; at += 1) {
    const last = set[at + 1] === '-' ? set[at + 2] : undefined;
    if (last === undefined) {
      if (set[at] === char) return true;
    } else {
      if ((set[at] as string) <= char && char <= last) return true;
      at += 2;
    }
  }
  return false;
}

/** `${x#p}`, `${x##p}`, `${x%p}`, `${x%%p}`; undefined when that is too much. */
export function stripPattern(text: string, pattern: string, operator: string): string | undefined {
  const longest = operator.length === 2;
  const front = operator.startsWith('#');
  if (!WILD.test(pattern)) {
    if (front) return text.startsWith(pattern) ? text.slice(pattern.length) : text;
    return text.endsWith(pattern) ? text.slice(0, text.length - pattern.length) : text;
  }
  const only = lengthOf(pattern);
  if (pattern.length > MAX_PATTERN) return undefined;
  if (only !== undefined) {
    const start = front ? 0 : text.length - only;
    if (only > text.length || !matches(text, start, start + only, pattern)) return text;
    return front ? text.slice(only) : text.slice(0, start);
  }
  if (text.length > MAX_TEXT) return undefined;
  for (let step = 0; step <= text.length; step += 1) {
    const length = longest ? text.length - step : step;
    if (front && matches(text, 0, length, pattern)) return text.slice(length);
    if (!front && matches(text, text.length - length, text.length, pattern)) return text.slice(0, text.length - length);
  }
  return text;
}

/** `${x/p/y}`, `${x//p/y}`, `${x/#p/y}`, `${x/%p/y}`; undefined when that is too much. */
export function replacePattern(text: string, pattern: string, by: string, operator: string): string | undefined {
  if (pattern === '') return operator === '/#' ? by + text : operator === '/%' ? text + by : text;
  if (!WILD.test(pattern)) return replaceText(text, pattern, by, operator);
  const only = lengthOf(pattern);
  if (pattern.length > MAX_PATTERN || (only === undefined && text.length > MAX_REPLACED)) return undefined;
  let changed = '';
  for (let at = 0; at < text.length; at += 1) {
    const length = operator === '/#' && at > 0 ? -1 : longestMatch(text, at, pattern, operator === '/%', only);
    if (length <= 0) {
      changed += text[at] as string;
      continue;
    }
    changed += by;
    if (changed.length > MAX_VALUE) return undefined;
    at += length - 1;
    if (operator !== '//') return changed + text.slice(at + 1);
  }
  return changed;
}

function replaceText(text: string, found: string, by: string, operator: string): string | undefined {
  if (operator === '/#') return text.startsWith(found) ? by + text.slice(found.length) : text;
  if (operator === '/%') return text.endsWith(found) ? text.slice(0, text.length - found.length) + by : text;
  if (operator === '/') return text.replace(found, () => by);
  const parts = text.split(found);
  return text.length + (parts.length - 1) * by.length > MAX_VALUE ? undefined : parts.join(by);
}

function longestMatch(text: string, at: number, pattern: string, toEnd: boolean, only: number | undefined): number {
  if (only !== undefined) {
    const end = at + only;
    const fits = toEnd ? end === text.length : end <= text.length;
    return fits && matches(text, at, end, pattern) ? only : -1;
  }
  for (let end = text.length; end > at; end -= 1) {
    if (matches(text, at, end, pattern)) return end - at;
    if (toEnd) return -1;
  }
  return -1;
}
