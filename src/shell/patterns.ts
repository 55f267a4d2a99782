import { MAX_VALUE } from './state.ts';

/** Wildcards are not matched in longer texts: that costs more than it tells. */
const MAX_TEXT = 512;
const MAX_PATTERN = 64;
const WILD = /[*?[]/;

function isTooLong(text: string, pattern: string): boolean {
  return text.length > MAX_TEXT || pattern.length > MAX_PATTERN;
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
  if (isTooLong(text, pattern)) return undefined;
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
  if (isTooLong(text, pattern)) return undefined;
  let changed = '';
  for (let at = 0; at < text.length; at += 1) {
    const length = operator === '/#' && at > 0 ? -1 : longestMatch(text, at, pattern, operator === '/%');
    if (length <= 0) {
      changed += text[at] as string;
      continue;
    }
    changed += by;
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

function longestMatch(text: string, at: number, pattern: string, toEnd: boolean): number {
  for (let end = text.length; end > at; end -= 1) {
    if (matches(text, at, end, pattern)) return end - at;
    if (toEnd) return -1;
  }
  return -1;
}
