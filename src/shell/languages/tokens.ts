import type { Fill, Language, Quote } from './languages.ts';
import type { Lexer, Token } from './signs.ts';
import { NAME_PART, readSign } from './signs.ts';

const BRACKETS: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}', '<': '>' };
/** Strings in values in strings. */
const DEEPEST = 16;

/** The names, texts and signs of code; comments are left out. */
export function tokensOf(code: string, language: Language): readonly Token[] {
  return lex({ code, language, at: 0, depth: 0 });
}

/** Up to the end, or to the sign that closes what was opened before. */
function lex(lexer: Lexer, close?: string): readonly Token[] {
  const { code, language } = lexer;
  const starts = startsOf(language);
  const tokens: Token[] = [];
  const open: string[] = [];
  let glued = false;
  let line: number | undefined = 0;
  const push = (token: Omit<Token, 'glued'>): void => {
    tokens.push(line === undefined ? { ...token, glued } : { ...token, glued, indent: line });
    if (token.kind !== 'break') line = undefined;
    glued = true;
  };
  while (lexer.at < code.length) {
    const sign = code[lexer.at] as string;
    if (sign === ' ' || sign === '\t' || sign === '\r') {
      if (line !== undefined) line += 1;
      lexer.at += 1;
      glued = false;
    } else if (sign === '\n' || sign === ';') {
      if (sign === ';' && language.syntax === 'lists') {
        lexer.at = endOf(code, '\n', lexer.at);
        continue;
      }
      line = undefined;
      push({ kind: 'break', text: sign });
      line = sign === '\n' ? 0 : undefined;
      lexer.at += 1;
      glued = false;
    } else if (sign === '\\' && /[\s]/.test(code[lexer.at + 1] ?? ' ')) {
      lexer.at += 2;
      glued = false;
    } else if (starts.has(sign) && skipComment(lexer, tokens)) glued = false;
    else {
      const string = starts.has(sign) ? (readQuoted(lexer, tokens) ?? readPattern(lexer, tokens)) : undefined;
      if (string) {
        if (string.prefixed) tokens.pop();
        push(string.token);
        continue;
      }
      if (close !== undefined && sign === close && open.length === 0) break;
      if (sign in BRACKETS && sign !== '<') open.push(BRACKETS[sign] as string);
      else if (sign === open.at(-1)) open.pop();
      push(readSign(lexer, tokens, glued));
    }
  }
  return tokens;
}

const known = new WeakMap<Language, ReadonlySet<string>>();

/** The signs that comments, strings and patterns begin with. */
function startsOf(language: Language): ReadonlySet<string> {
  let starts = known.get(language);
  if (!starts) {
    const { comment, block, quotes, words, patterns } = language;
    const marks = [...comment, ...(block ?? []), ...quotes.map(({ open }) => open), patterns ? '/' : ''];
    const letters = words === 'perl' ? 'qtmsy' : words === 'ruby' ? '%:' : '';
    starts = new Set([...marks.map((mark) => mark[0] ?? ''), ...letters.split('')]);
    known.set(language, starts);
  }
  return starts;
}

function endOf(code: string, mark: string, from: number): number {
  const end = code.indexOf(mark, from);
  return end < 0 ? code.length : end;
}

function skipComment(lexer: Lexer, tokens: readonly Token[]): boolean {
  const { code, at, language } = lexer;
  const { block, comment } = language;
  if (block && code.startsWith(block[0], at)) {
    lexer.at = endOf(code, block[1], at + block[0].length) + block[1].length;
    return true;
  }
  if (!comment.some((mark) => code.startsWith(mark, at))) return false;
  // `$#x`, `#{`: a hash inside of something else.
  if (code[at] === '#' && at > 0 && /[$\w{]/.test(code[at - 1] as string) && language.name !== 'python') return false;
  if (language.name === 'tcl' && tokens.length > 0 && tokens.at(-1)?.kind !== 'break' && tokens.at(-1)?.text !== '{')
    return false;
  lexer.at = endOf(code, '\n', at);
  return true;
}

interface Quoted {
  readonly token: Omit<Token, 'glued'>;
  /** The name before it is a part of it. */
  readonly prefixed?: boolean;
}

function readQuoted(lexer: Lexer, tokens: readonly Token[]): Quoted | undefined {
  const { code, at, language } = lexer;
  const worded = language.words && readWorded(lexer, tokens);
  if (worded) return { token: worded };
  if (language.name === 'ruby' && code[at] === ':' && /[A-Za-z_]/.test(code[at + 1] ?? '') && code[at - 1] !== ':') {
    const [symbol = ''] = /^\w+[?!=]?/.exec(code.slice(at + 1, at + 80)) ?? [];
    lexer.at += 1 + symbol.length;
    return { token: { kind: 'string', text: symbol } };
  }
  const quote = language.quotes.find(({ open }) => code.startsWith(open, at));
  if (!quote) return undefined;
  const before = tokens.at(-1);
  const prefix =
    language.prefixes &&
    before?.kind === 'name' &&
    /^[rbfuRBFU]{1,2}$/.test(before.text) &&
    NAME_PART.test(code[at - 1] ?? '')
      ? before.text.toLowerCase()
      : '';
  lexer.at += quote.open.length;
  const tagged =
    language.name === 'node' &&
    quote.open === '`' &&
    before?.kind === 'name' &&
    /^\$|^(?:sh|shell)$/.test(before.text) &&
    code[at - 1] !== ' ';
  const fill = prefix.includes('f') ? 'braces' : quote.fill;
  const told: Quote = {
    ...quote,
    escapes: prefix.includes('r') ? 'none' : quote.escapes,
    ...(fill && { fill }),
    ...(tagged && { shell: true as const }),
  };
  return { token: readBody(lexer, told, ''), prefixed: prefix !== '' };
}

/** The rest of a string. `open` is counted where its sign may nest. */
function readBody(lexer: Lexer, quote: Quote, open: string): Omit<Token, 'glued'> {
  const { code } = lexer;
  const { close, escapes, fill } = quote;
  const parts: (string | readonly Token[])[] = [];
  let text = '';
  let depth = 0;
  while (lexer.at < code.length) {
    const sign = code[lexer.at] as string;
    if (depth === 0 && code.startsWith(close, lexer.at)) {
      if (escapes !== 'doubled' || code[lexer.at + 1] !== close) break;
      text += close;
      lexer.at += 2;
    } else if (sign === '\\' && escapes === 'none' && close.length === 1 && code[lexer.at + 1] === close) {
      text += sign + close;
      lexer.at += 2;
    } else if ((sign === '\\' && (escapes === 'c' || escapes === 'quote')) || (sign === '`' && escapes === 'grave'))
      text += readEscape(lexer, escapes, close);
    else {
      const value = fill && lexer.depth < DEEPEST ? readFill(lexer, fill) : undefined;
      if (value) {
        if (text !== '') parts.push(text);
        parts.push(value);
        text = '';
        continue;
      }
      if (sign === open) depth += 1;
      else if (depth > 0 && sign === close) depth -= 1;
      text += sign;
      lexer.at += 1;
    }
  }
  lexer.at += close.length;
  const shell = quote.shell ? { shell: true as const } : {};
  if (parts.length === 0) return { kind: 'string', text, ...shell };
  if (text !== '') parts.push(text);
  return { kind: 'string', text: '', parts, ...shell };
}

const LETTERS: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', e: '\u001b', a: '\u0007', '0': '\0' };
const CODED = /^(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|[ux]\{([\da-fA-F]{1,6})\}|U([\da-fA-F]{8})|([0-7]{2,3})|(\d{3}))/;

function readEscape(lexer: Lexer, escapes: Quote['escapes'], close: string): string {
  const { code } = lexer;
  const next = code[lexer.at + 1] ?? '';
  if (escapes === 'quote') {
    lexer.at += 2;
    return next === close || next === '\\' ? next : `\\${next}`;
  }
  const coded = escapes === 'c' ? CODED.exec(code.slice(lexer.at + 1, lexer.at + 12)) : null;
  if (coded) {
    lexer.at += 1 + coded[0].length;
    const hex = coded[1] ?? coded[2] ?? coded[3] ?? coded[4];
    const value =
      hex === undefined ? Number.parseInt(coded[5] ?? coded[6] ?? '', coded[5] ? 8 : 10) : Number.parseInt(hex, 16);
    return value <= 0x10ffff ? String.fromCodePoint(value) : '';
  }
  lexer.at += 2;
  return next === '\n' ? '' : (LETTERS[next] ?? next);
}

const SIMPLE =
  /^\$(?:::)?(?:env:)?[A-Za-z_]\w*(?:(?:\[[^\]\n]{1,80}\]|\{[^}\n]{1,80}\}|\([A-Za-z_]\w*\)|(?:->|\.)\w+(?=[^\w(])))?/;
const OPENS: Readonly<Record<Fill, readonly string[]>> = {
  braces: ['{'],
  'dollar-braces': ['${'],
  'hash-braces': ['#{'],
  dollar: ['${', '$('],
  'dollar-brackets': ['$('],
  tcl: ['['],
};

/** The value that stands here in a string; undefined when none does. */
function readFill(lexer: Lexer, fill: Fill): readonly Token[] | undefined {
  const { code, at, language } = lexer;
  const open = OPENS[fill].find((mark) => code.startsWith(mark, at));
  if (open !== undefined) {
    if (fill === 'braces' && code[at + 1] === '{') return undefined;
    lexer.at += open.length;
    lexer.depth += 1;
    const tokens = lex(lexer, BRACKETS[open.at(-1) as string]);
    lexer.depth -= 1;
    lexer.at += 1;
    // `{x!r:>10}`: how it is shown is no part of the value.
    const shown =
      fill === 'braces' ? tokens.findIndex(({ kind, text }) => kind === 'mark' && (text === ':' || text === '!')) : -1;
    return shown > 0 ? tokens.slice(0, shown) : tokens;
  }
  if (code[at] !== '$' || fill === 'braces' || fill === 'dollar-braces' || fill === 'hash-braces') return undefined;
  const [name] = SIMPLE.exec(code.slice(at, at + 160)) ?? [];
  if (name === undefined) return undefined;
  lexer.at += name.length;
  const short = name.replace(/[.]\w+$/, (part) => (language.name === 'powershell' ? part : ''));
  lexer.at -= name.length - short.length;
  return lex({ code: short, language, at: 0, depth: lexer.depth + 1 });
}

/** `q{…}`, `qq(…)`, `qx/…/`, `qw(…)`, `m/…/`, `s/…/…/`, `%w[…]`, `%x(…)`. */
function readWorded(lexer: Lexer, tokens: readonly Token[]): Omit<Token, 'glued'> | undefined {
  const { code, at, language } = lexer;
  const ruby = language.words === 'ruby';
  const [whole, word = ''] =
    (ruby ? /^%([qQwWixr]?)(?=[^\w\s])/ : /^(qq|qw|qx|qr|q|tr|m|s|y)(?=\s{0,2}[^\w\s,;=)])/).exec(
      code.slice(at, at + 6),
    ) ?? [];
  if (whole === undefined) return undefined;
  const before = tokens.at(-1);
  if (
    ruby
      ? before && before.kind !== 'break' && !/^[([{,=+|&?:!<>]$/.test(before.text) && before.kind !== 'name'
      : NAME_PART.test(code[at - 1] ?? '') || /[$@%&{>]/.test(code[at - 1] ?? '')
  )
    return undefined;
  let from = at + whole.length;
  while (!ruby && code[from] === ' ') from += 1;
  const open = code[from] as string;
  if (code.startsWith('=>', from) || (ruby && word === '' && !/[([{<|!/]/.test(open))) return undefined;
  const close = BRACKETS[open] ?? open;
  lexer.at = from + 1;
  const fills = ruby ? /^[QWx]?$/.test(word) : word === 'qq' || word === 'qx';
  const fill = fills ? { fill: ruby ? ('hash-braces' as const) : ('dollar' as const) } : {};
  const body = readBody(lexer, { open, close, escapes: fills ? 'c' : 'quote', ...fill }, open === close ? '' : open);
  if (word === 's' || word === 'tr' || word === 'y') {
    if (open !== close)
      while (lexer.at < code.length && code[lexer.at] !== open && /\s/.test(code[lexer.at] as string)) lexer.at += 1;
    if (open !== close) lexer.at += 1;
    readBody(lexer, { open, close, escapes: 'quote' }, open === close ? '' : open);
  }
  if (/^(?:s|tr|y|m|qr|r)$/.test(word)) {
    while (/[a-z]/.test(code[lexer.at] ?? '')) lexer.at += 1;
    return { kind: 'number', text: '' };
  }
  if (word === 'qx' || word === 'x') return { ...body, shell: true };
  if (word === 'qw' || word === 'w' || word === 'W' || word === 'i')
    return { kind: 'string', text: body.text, items: body.text.split(/\s+/).filter((one) => one !== '') };
  return body;
}

/** `/…/` where a value is wanted. */
function readPattern(lexer: Lexer, tokens: readonly Token[]): Quoted | undefined {
  const { code, at, language } = lexer;
  if (code[at] !== '/' || !language.patterns) return undefined;
  const before = tokens.at(-1);
  const wanted =
    before === undefined ||
    before.kind === 'break' ||
    (before.kind === 'mark' && !/^[)\]}]$/.test(before.text)) ||
    (before.kind === 'name' && /^(?:return|if|unless|and|or|not|when|split|grep|case|typeof)$/.test(before.text));
  if (!wanted) return undefined;
  const [pattern] = /^\/(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/.exec(code.slice(at, at + 2_000)) ?? [];
  if (pattern === undefined) return undefined;
  lexer.at += pattern.length;
  return { token: { kind: 'number', text: '' } };
}
