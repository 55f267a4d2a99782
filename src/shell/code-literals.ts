import { UNKNOWN } from './command.ts';
import { unescapeText } from './output.ts';
import { MAX_VALUE } from './state.ts';

/** A literal of another language: text, or a list of texts. */
export interface Literal {
  readonly text: string;
  readonly items?: readonly string[];
  readonly end: number;
}

/** What is known while one text of code is gone through. */
export interface Scan {
  /** Values of names. */
  readonly known: Map<string, Literal>;
  /** Characters that may still be looked at; below zero when that was not enough. */
  left: number;
  /** How often it is code in code. */
  readonly depth: number;
}

/** Each character may be looked at some times: as a value, as an argument, and by the way. */
export function leftFor(code: string): number {
  return 4096 + 8 * code.length;
}

export function skipSpace(code: string, at: number): number {
  let next = at;
  while (next < code.length && /\s/.test(code[next] as string)) next += 1;
  return next;
}

/** Reads a text, several joined with `+`, `.` or nothing between them, or a list of texts. */
export function readLiteral(code: string, at: number, scan: Scan): Literal | undefined {
  if (code[at] === '[') return readList(code, at, scan);
  const first = readText(code, at, scan);
  if (!first) return undefined;
  let { text, end } = first;
  while (scan.left >= 0) {
    const next = skipSpace(code, end);
    const mark = /^(?:\+|\.\.?)(?!=)/.exec(code.slice(next, next + 3))?.[0] ?? '';
    if (mark === '' && /[\n;]/.test(code.slice(end, next))) break;
    const more = readText(code, skipSpace(code, next + mark.length), scan);
    if (more) {
      text += more.text;
      end = more.end;
      continue;
    }
    const name = mark === '+' ? /^\s*([\w$.]+)/.exec(code.slice(next + 1, next + 80)) : null;
    if (!name) break;
    text += scan.known.get(name[1] as string)?.text ?? UNKNOWN;
    end = next + 1 + name[0].length;
    scan.left -= name[0].length;
  }
  return { text: bounded(text, scan), end };
}

/** A value that grows beyond all others cannot be followed. */
function bounded(text: string, scan: Scan): string {
  if (text.length <= MAX_VALUE) return text;
  scan.left = -1;
  return UNKNOWN;
}

function readList(code: string, at: number, scan: Scan): Literal | undefined {
  const items: string[] = [];
  let next = skipSpace(code, at + 1);
  while (next < code.length && scan.left >= 0) {
    if (code[next] === ']') return { text: bounded(items.join(' '), scan), items, end: next + 1 };
    const item = readText(code, next, scan);
    if (item) {
      items.push(item.text);
      next = item.end;
    } else {
      const name = /^[^,\]]+/.exec(code.slice(next, next + 200))?.[0];
      if (name === undefined) return undefined;
      items.push(scan.known.get(name.trim())?.text ?? UNKNOWN);
      next += name.length;
      scan.left -= name.length;
    }
    next = skipSpace(code, next);
    if (code[next] === ',') next = skipSpace(code, next + 1);
  }
  return undefined;
}

/** One quoted text, with the prefixes of Python. */
function readText(code: string, at: number, scan: Scan): { text: string; end: number } | undefined {
  const prefix = /^[rbfuRBFU]{1,2}(?=["'])/.exec(code.slice(at, at + 3))?.[0] ?? '';
  const start = at + prefix.length;
  const quote = code[start];
  if (quote !== '"' && quote !== "'" && quote !== '`') return undefined;
  const triple = code.startsWith(quote.repeat(3), start) && quote !== '`' && code[start + 3] !== undefined;
  const close = triple ? quote.repeat(3) : quote;
  for (let end = start + close.length; end < code.length; end += 1) {
    if (code[end] === '\\') {
      end += 1;
      continue;
    }
    if (!code.startsWith(close, end)) continue;
    scan.left -= end - at;
    const inner = code.slice(start + close.length, end);
    // Most languages take `\$` for a plain dollar; `\\$` is a backslash and a dollar.
    const plain = inner.replace(/\\([\\$@#])/g, (both, sign: string) => (sign === '\\' ? both : sign));
    const raw = /[rR]/.test(prefix) ? inner : unescapeText(plain);
    return { text: bounded(fill(raw, prefix, quote, scan.known), scan), end: end + close.length };
  }
  scan.left -= code.length - at;
  return undefined;
}

/** Puts known texts in place of `{name}`, `${name}` and `#{name}`. */
function fill(text: string, prefix: string, quote: string, known: ReadonlyMap<string, Literal>): string {
  const pattern = /[fF]/.test(prefix) ? /\{([^{}]*)\}/g : quote === '`' ? /[$#]\{([^{}]*)\}/g : /#\{([^{}]*)\}/g;
  return text.replace(pattern, (_whole, name: string) => known.get(name.trim())?.text ?? UNKNOWN);
}
