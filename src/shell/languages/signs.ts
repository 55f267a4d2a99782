import type { Language } from './languages.ts';

export interface Token {
  /** `joint` leads from a thing to what is in it; a `break` ends a statement. */
  readonly kind: 'name' | 'string' | 'number' | 'mark' | 'joint' | 'break';
  /** What a string holds as far as it is told; a name without its sigil. */
  readonly text: string;
  /** Nothing stands between it and the token before. */
  readonly glued: boolean;
  /** A string of parts, some of which are values. */
  readonly parts?: readonly (string | readonly Token[])[];
  /** A list of words: `qw(a b)`. */
  readonly items?: readonly string[];
  readonly shell?: true;
  /** How far its line is moved to the right, for the first of a line. */
  readonly indent?: number;
}

/** What is known while one text is gone through. */
export interface Lexer {
  readonly code: string;
  readonly language: Language;
  at: number;
  depth: number;
}

const NAME_START = /[A-Za-z_\u0080-\uffff]/;
export const NAME_PART = /[\w\u0080-\uffff]/;

const MARKS = [
  '===',
  '!==',
  '...',
  '**',
  '==',
  '!=',
  '<=',
  '>=',
  '=>',
  '=~',
  '&&',
  '||',
  '??',
  '..',
  '+=',
  '.=',
  '|&',
  '|>',
  '>>',
  '<-',
  ':=',
];

const PLAIN_NAME = /[A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*/y;
const NUMBER = /\d[\w.]*/y;
const SIGN = /[^\w\s()[\]{},;"']/;

function matchAt(pattern: RegExp, code: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(code)?.[0];
}

export function readSign(lexer: Lexer, tokens: readonly Token[], glued: boolean): Omit<Token, 'glued'> {
  const { code, at, language } = lexer;
  const sign = code[at] as string;
  if (!SIGN.test(sign)) return readPlain(lexer, sign);
  const before = tokens.at(-1);
  const holds =
    before !== undefined && (before.kind === 'name' || before.kind === 'string' || /^[)\]}]$/.test(before.text));
  const joint = language.joints.find((mark) => code.startsWith(mark, at));
  if (joint !== undefined && joinsNames(lexer, joint, holds, glued)) {
    lexer.at += joint.length;
    return { kind: 'joint', text: '.' };
  }
  const next = code[at + 1] ?? '';
  const sigil = language.sigils.includes(sign) && /[A-Za-z_{:]/.test(next) && !(holds && glued && sign !== '$');
  if (sigil) {
    lexer.at += 1;
    const [braced] = next === '{' ? (/^\{\w+\}/.exec(code.slice(at + 1, at + 80)) ?? []) : [];
    if (braced === undefined) return readSign(lexer, tokens, glued);
    lexer.at += braced.length;
    return { kind: 'name', text: braced.slice(1, -1) };
  }
  if (language.inNames?.includes(sign) === true || NAME_START.test(sign)) return readName(lexer);
  const text = (SIGN.test(next) && MARKS.find((mark) => code.startsWith(mark, at))) || sign;
  lexer.at += text.length;
  return { kind: 'mark', text };
}

/** A name, a number or a bracket. */
function readPlain(lexer: Lexer, sign: string): Omit<Token, 'glued'> {
  if (NAME_START.test(sign)) return readName(lexer);
  const text = matchAt(NUMBER, lexer.code, lexer.at) ?? sign;
  lexer.at += text.length;
  return { kind: text === sign && !/\d/.test(sign) ? 'mark' : 'number', text };
}

function readName(lexer: Lexer): Omit<Token, 'glued'> {
  const { code, at, language } = lexer;
  const { inNames, name, anyCase } = language;
  const isPlain = inNames === undefined && name !== 'ruby' && name !== 'r';
  const text = isPlain ? (matchAt(PLAIN_NAME, code, at) ?? '') : nameAt(code, at, language);
  lexer.at += text.length;
  return { kind: 'name', text: anyCase ? text.toLowerCase() : text };
}

function joinsNames({ code, at, language }: Lexer, joint: string, holds: boolean, glued: boolean): boolean {
  const next = code[at + joint.length] ?? '';
  if (!NAME_START.test(next) && !(next === '$' && joint === '::')) return false;
  if (joint === '\\' || joint === '::') return true;
  // `a . b` joins texts where a dot does, and a method may stand in the next line.
  if (joint === ':') return holds && glued;
  if (joint === '.' && language.joins.has('..')) return holds && code[at - 1] !== '.';
  return holds || code[at - 1] === '\n' || /\s/.test(code[at - 1] ?? '');
}

/** Names with more than letters and digits in them: `file.path`, `delete-file`, `empty?`. */
function nameAt(code: string, at: number, { inNames = '', name }: Language): string {
  let end = at;
  while (end < code.length) {
    const sign = code[end] as string;
    const inside =
      NAME_PART.test(sign) ||
      inNames.includes(sign) ||
      (name === 'ruby' && /[?!]/.test(sign) && code[end + 1] !== '=') ||
      (name === 'r' && sign === '.' && NAME_PART.test(code[end + 1] ?? ''));
    if (!inside) break;
    end += 1;
  }
  return code.slice(at, end);
}
