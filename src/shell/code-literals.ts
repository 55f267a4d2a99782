import { UNKNOWN } from './command.ts';
import { unescapeText } from './output.ts';

/** A literal of another language: text, or a list of texts. */
export interface Literal {
  readonly text: string;
  readonly items?: readonly string[];
  readonly end: number;
}

export function skipSpace(code: string, at: number): number {
  let next = at;
  while (next < code.length && /\s/.test(code[next] as string)) next += 1;
  return next;
}

/** Reads a text, several joined with `+`, `.` or nothing between them, or a list of texts. */
export function readLiteral(code: string, at: number, known: ReadonlyMap<string, Literal>): Literal | undefined {
  if (code[at] === '[') return readList(code, at, known);
  const first = readText(code, at, known);
  if (!first) return undefined;
  let { text, end } = first;
  for (let joins = 0; joins < 16; joins += 1) {
    const next = skipSpace(code, end);
    const mark = /^(?:\+|\.\.?)(?!=)/.exec(code.slice(next, next + 3))?.[0] ?? '';
    if (mark === '' && /[\n;]/.test(code.slice(end, next))) break;
    const more = readText(code, skipSpace(code, next + mark.length), known);
    if (more) {
      text += more.text;
      end = more.end;
      continue;
    }
    const name = mark === '+' ? /^\s*([\w$.]+)/.exec(code.slice(next + 1, next + 80)) : null;
    if (!name) break;
    text += known.get(name[1] as string)?.text ?? UNKNOWN;
    end = next + 1 + name[0].length;
  }
  return { text, end };
}

function readList(code: string, at: number, known: ReadonlyMap<string, Literal>): Literal | undefined {
  const items: string[] = [];
  let next = skipSpace(code, at + 1);
  while (next < code.length && items.length < 64) {
    if (code[next] === ']') return { text: items.join(' '), items, end: next + 1 };
    const item = readText(code, next, known);
    if (item) {
      items.push(item.text);
      next = item.end;
    } else {
      const name = /^[^,\]]+/.exec(code.slice(next, next + 200))?.[0];
      if (name === undefined) return undefined;
      items.push(known.get(name.trim())?.text ?? UNKNOWN);
      next += name.length;
    }
    next = skipSpace(code, next);
    if (code[next] === ',') next = skipSpace(code, next + 1);
  }
  return undefined;
}

/** One quoted text, with the prefixes of Python. */
function readText(
  code: string,
  at: number,
  known: ReadonlyMap<string, Literal>,
): { text: string; end: number } | undefined {
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
    const inner = code.slice(start + close.length, end);
    const raw = /[rR]/.test(prefix) ? inner : unescapeText(inner);
    return { text: fill(raw, prefix, quote, known), end: end + close.length };
  }
  return undefined;
}

/** Puts known texts in place of `{name}`, `${name}` and `#{name}`. */
function fill(text: string, prefix: string, quote: string, known: ReadonlyMap<string, Literal>): string {
  const pattern = /[fF]/.test(prefix) ? /\{([^{}]*)\}/g : quote === '`' ? /[$#]\{([^{}]*)\}/g : /#\{([^{}]*)\}/g;
  return text.replace(pattern, (_whole, name: string) => known.get(name.trim())?.text ?? UNKNOWN);
}
