import { UNKNOWN } from '../../shell/command.ts';

export interface Token {
  /** In capitals, without quotes. */
  readonly word: string;
  readonly text: string;
  /** A name in quotes is never a keyword. */
  readonly quoted: boolean;
  /** How many parentheses are open around it. */
  readonly depth: number;
  /** The code inside a string that may be run as such. */
  readonly body?: string;
}

export type Statement = readonly Token[];

const CLOSING: ReadonlyMap<string, string> = new Map([
  ["'", "'"],
  ['"', '"'],
  ['`', '`'],
  ['[', ']'],
]);

const WORD = new RegExp(`[\\w$#@${UNKNOWN}\\u0080-\\uffff]+`, 'y');
const DOLLAR = /\$\w*\$/y;

/** Splits SQL into statements of tokens. Comments are left out; strings are one token, so that nothing in them counts. */
export function splitSql(text: string): readonly Statement[] {
  const statements: Statement[] = [];
  let tokens: Token[] = [];
  let depth = 0;
  const end = () => {
    if (tokens.length > 0) statements.push(tokens);
    tokens = [];
    depth = 0;
  };
  let at = 0;
  while (at < text.length) {
    const char = text[at] as string;
    const next = text[at + 1];
    if (char === '-' && next === '-') at = skipTo(text, '\n', at);
    else if (char === '#' && (next === ' ' || next === '!') && isLineStart(text, at)) at = skipTo(text, '\n', at);
    // MySQL runs what stands in `/*! … */`; the closing `*/` is then two tokens that mean nothing.
    else if (char === '/' && next === '*' && text[at + 2] === '!') at = skipDigits(text, at + 3);
    else if (char === '/' && next === '*') at = skipTo(text, '*/', at + 2) + 1;
    else if (char === '*' && next === '/') at += 2;
    else if (char === ';') {
      end();
      at += 1;
    } else if ((char === '\\' || char === '.') && isLineStart(text, at)) at = skipTo(text, '\n', at);
    else if (CLOSING.has(char)) {
      const close = findClose(text, at, CLOSING.get(char) as string);
      const inner = text.slice(at + 1, close);
      tokens.push({
        word: char === "'" ? `'${inner}` : inner.toUpperCase(),
        text: inner,
        quoted: true,
        depth,
        ...(char === "'" ? { body: inner.replaceAll("''", "'") } : {}),
      });
      at = close + 1;
    } else if (char === '$' && match(DOLLAR, text, at) !== undefined) {
      const tag = match(DOLLAR, text, at) as string;
      const close = text.indexOf(tag, at + tag.length);
      const body = text.slice(at + tag.length, close < 0 ? undefined : close);
      tokens.push({ word: "'", text: body, quoted: true, depth, body });
      at = close < 0 ? text.length : close + tag.length;
    } else {
      const word = match(WORD, text, at);
      if (word !== undefined) {
        if (word.toUpperCase() === 'GO' && isLineStart(text, at)) end();
        else tokens.push({ word: word.toUpperCase(), text: word, quoted: false, depth });
        at += word.length;
        continue;
      }
      if (char === ')') depth = Math.max(0, depth - 1);
      if (char.trim() !== '') tokens.push({ word: char, text: char, quoted: false, depth });
      if (char === '(') depth += 1;
      at += 1;
    }
  }
  end();
  return statements;
}

function match(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}

function skipTo(text: string, mark: string, from: number): number {
  const found = text.indexOf(mark, from);
  return found < 0 ? text.length : found + 1;
}

function skipDigits(text: string, from: number): number {
  let at = from;
  while (text[at] !== undefined && (text[at] as string) >= '0' && (text[at] as string) <= '9') at += 1;
  return at;
}

function isLineStart(text: string, at: number): boolean {
  let before = at - 1;
  while (text[before] === ' ' || text[before] === '\t') before -= 1;
  return before < 0 || text[before] === '\n';
}

/** A doubled closing mark stands for itself. */
function findClose(text: string, open: number, mark: string): number {
  let at = text.indexOf(mark, open + 1);
  while (at >= 0 && text[at + 1] === mark) at = text.indexOf(mark, at + 2);
  return at < 0 ? text.length : at;
}
