export interface Token {
  readonly kind: 'name' | 'string' | 'mark' | 'break';
  /** A dotted name such as `fs.promises.rm`, what a string holds, or one sign. */
  readonly text: string;
  /** A string with parts that only running the code would tell. */
  readonly open?: boolean;
}

const NAME_START = /[A-Za-z_$@%]/;
const NAME_PART = /[\w$]/;

/**
 * Names, strings and signs of code in any of the languages of one-liners; comments are left out. Rough on purpose: one
 * look at each character, and no language is told from another but by how it comments.
 */
export function tokensOf(code: string, comment: '#' | '//' | 'both'): readonly Token[] {
  const tokens: Token[] = [];
  const hash = comment !== '//';
  const slashes = comment !== '#';
  let at = 0;
  while (at < code.length) {
    const sign = code[at] as string;
    if (sign === ' ' || sign === '\t' || sign === '\r' || sign === '\\') at += 1;
    else if (sign === '\n' || sign === ';') {
      tokens.push({ kind: 'break', text: sign });
      at += 1;
    } else if ((hash && sign === '#') || (slashes && sign === '/' && code[at + 1] === '/')) at = endOf(code, '\n', at);
    else if (slashes && sign === '/' && code[at + 1] === '*') at = endOf(code, '*/', at) + 2;
    else if (sign === '"' || sign === "'" || sign === '`') at = addString(tokens, code, at);
    else if (NAME_START.test(sign)) at = addName(tokens, code, at);
    else {
      tokens.push({ kind: 'mark', text: sign });
      at += 1;
    }
  }
  return tokens;
}

function endOf(code: string, mark: string, from: number): number {
  const end = code.indexOf(mark, from + 1);
  return end < 0 ? code.length : end;
}

function addString(tokens: Token[], code: string, start: number): number {
  const quote = code[start] as string;
  const triple = quote.repeat(3);
  if (code.startsWith(triple, start)) {
    const end = code.indexOf(triple, start + 3);
    tokens.push({ kind: 'string', text: code.slice(start + 3, end < 0 ? code.length : end) });
    return end < 0 ? code.length : end + 3;
  }
  let text = '';
  let at = start + 1;
  for (; at < code.length && code[at] !== quote; at += 1) {
    if (code[at] === '\\') at += 1;
    text += code[at] ?? '';
  }
  const before = tokens.at(-1);
  const marked =
    before?.kind === 'name' && /^[rbfuRBFU]{1,2}$/.test(before.text) && NAME_PART.test(code[start - 1] ?? '');
  if (marked) tokens.pop();
  const filled = marked && /f/i.test(before.text) ? text.includes('{') : quote !== "'" && /[$#]\{/.test(text);
  tokens.push({ kind: 'string', text, open: filled });
  return at + 1;
}

function addName(tokens: Token[], code: string, start: number): number {
  let at = start + 1;
  let text = code[start] as string;
  for (;;) {
    const sign = code[at] ?? '';
    if (sign !== '' && NAME_PART.test(sign)) {
      text += sign;
      at += 1;
      continue;
    }
    const joint = jointAt(code, at);
    if (joint === 0 || !/[A-Za-z_]/.test(code[at + joint] ?? '')) break;
    text += '.';
    at += joint;
  }
  tokens.push({ kind: 'name', text });
  return at;
}

/** The length of what joins two names here: `.`, `?.`, `::` or `->`. */
function jointAt(code: string, at: number): number {
  if (code[at] === '.') return 1;
  return code.startsWith('::', at) || code.startsWith('->', at) || code.startsWith('?.', at) ? 2 : 0;
}
