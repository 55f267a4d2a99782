/** A line of code. What begins inside of a string or comment belongs to the line before. */
export interface CodeLine {
  readonly from: number;
  /** Behind its last character that is neither blank nor comment. */
  readonly end: number;
  readonly to: number;
  readonly indent: number;
  /** It has a quote without its other half. */
  readonly isOpen: boolean;
}

/** What a slash follows that begins a regular expression. */
const BEFORE_PATTERN = /[\n(,=:[!&|?{};+]/;
const PATTERN = /\/(?:[^\\/[\n]|\\.|\[(?:[^\\\]\n]|\\.)*\])+\//y;

/** Visits each character of code, and each line break between. Of a literal it visits the last character, as `_`. */
export function scanCode(text: string, visit: (at: number, char: string) => void): void {
  let before = '\n';
  for (let at = 0; at < text.length; at++) {
    const char = text.charAt(at);
    if (char === ' ' || char === '\t' || char === '\r') continue;
    const comment = char === '/' ? endOfComment(text, at) : at;
    if (comment > at) {
      at = comment - 1;
      continue;
    }
    const end = endOfLiteral(text, at, before);
    visit(end, end > at ? '_' : char);
    at = end;
    before = char;
  }
}

export function codeLines(text: string): CodeLine[] {
  const lines: CodeLine[] = [];
  let from = 0;
  let end = 0;
  let isOpen = false;
  const finish = (to: number): void => {
    lines.push({ from, end, to, indent: text.slice(from, to).search(/[^ \t]|$/), isOpen });
    from = end = to + 1;
    isOpen = false;
  };
  scanCode(text, (at, char) => {
    if (char === '\n') finish(at);
    else {
      end = at + 1;
      isOpen ||= char === '`' || char === '"' || char === "'";
    }
  });
  finish(text.length);
  return lines;
}

export function lineAt(lines: readonly CodeLine[], at: number): number {
  const next = lines.findIndex(({ from }) => from > at);
  return (next === -1 ? lines.length : next) - 1;
}

/** The last line with code up to this one. */
export function lastCode(lines: readonly CodeLine[], upTo: number): number {
  return lines.findLastIndex(({ from, end }, n) => n <= upTo && end > from);
}

function endOfComment(text: string, at: number): number {
  if (text.startsWith('//', at)) return endOfLine(text, at);
  return text.startsWith('/*', at) ? text.indexOf('*/', at + 2) + 2 : at;
}

function endOfLine(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end === -1 ? text.length : end;
}

/** The last character of the literal that begins here; the same place when none does or it is never closed. */
function endOfLiteral(text: string, at: number, before: string): number {
  const char = text.charAt(at);
  if (char === '`') return endOfLongTemplate(text, at);
  if (char === '"' || char === "'") return endOfQuote(text, at, char);
  if (char !== '/' || !BEFORE_PATTERN.test(before)) return at;
  PATTERN.lastIndex = at;
  return PATTERN.test(text) ? PATTERN.lastIndex - 1 : at;
}

function endOfQuote(text: string, at: number, quote: string): number {
  for (let next = at + 1; next < text.length && text.charAt(next) !== '\n'; next++) {
    if (text.charAt(next) === '\\') next++;
    else if (text.charAt(next) === quote) return next;
  }
  return at;
}

/** Of two backticks on different lines, one may belong to others: what stands behind them tells which. */
function endOfLongTemplate(text: string, at: number): number {
  const end = endOfTemplate(text, at);
  const isLong = text.slice(at, end).includes('\n');
  return isLong && (/[;,)\]]/.test(text.charAt(at + 1)) || /[^\s;,)\].}:?+]/.test(text.charAt(end + 1))) ? at : end;
}

function endOfTemplate(text: string, at: number): number {
  let depth = 0;
  for (let next = at + 1; next < text.length; next++) {
    const char = text.charAt(next);
    if (char === '\\') next++;
    else if (char === '`') {
      if (depth === 0) return next;
      const inner = endOfTemplate(text, next);
      if (inner === next) return at;
      next = inner;
    } else if (char === '{' && (depth > 0 || text.charAt(next - 1) === '$')) depth++;
    else if (char === '}' && depth > 0) depth--;
  }
  return at;
}
