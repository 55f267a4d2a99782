/** One statement, which brackets and backslashes may spread over several lines. */
export interface Line {
  /** Where its first character is, behind the blanks. */
  readonly start: number;
  readonly end: number;
  /** How far it is indented. */
  readonly indent: number;
}

/** The same text with blanks for what strings and comments hold; quotes stay, so that a string is still seen to be one. */
export function maskStrings(text: string): string {
  const parts: string[] = [];
  let from = 0;
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    let end = at;
    if (char === '#') {
      end = text.indexOf('\n', at);
      if (end === -1) end = text.length;
      parts.push(text.slice(from, at), ' '.repeat(end - at));
      from = end;
    } else if (char === '"' || char === "'") {
      const width = text.startsWith(char.repeat(3), at) ? 3 : 1;
      end = closingQuote(text, at + width, char.repeat(width));
      parts.push(text.slice(from, at + width), text.slice(at + width, end).replace(/[^\n]/g, ' '));
      from = end;
      end += width;
    }
    if (end > at) at = end - 1;
  }
  parts.push(text.slice(from));
  return parts.join('');
}

function closingQuote(text: string, from: number, quote: string): number {
  for (let at = from; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text.startsWith(quote, at) || (quote.length === 1 && text[at] === '\n')) return at;
  }
  return text.length;
}

/** Splits masked text into its statements; those that hold nothing are left out. */
export function linesOf(masked: string): Line[] {
  const lines: Line[] = [];
  let first = 0;
  let depth = 0;
  let long = '';
  for (let at = 0; at <= masked.length; at++) {
    const char = masked[at] ?? '\n';
    if (long === '' && (char === '"' || char === "'") && masked.startsWith(char.repeat(3), at)) {
      long = char.repeat(3);
      at += 2;
      continue;
    }
    if (long !== '') {
      if (!masked.startsWith(long, at) && at < masked.length) continue;
      long = '';
      at += 2;
      continue;
    }
    if (char === '(' || char === '[' || char === '{') depth++;
    else if (char === ')' || char === ']' || char === '}') depth = Math.max(0, depth - 1);
    if (char !== '\n' || (at < masked.length && (depth > 0 || masked[at - 1] === '\\'))) continue;
    let start = first;
    while (start < at && /\s/.test(masked[start] ?? '')) start++;
    const end = start + masked.slice(start, at).trimEnd().length;
    if (end > start) lines.push({ start, end, indent: start - first });
    first = at + 1;
    depth = 0;
  }
  return lines;
}
