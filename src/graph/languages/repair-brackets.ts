import type { Extracted } from './language.ts';

/** How a language is written, as far as brackets are concerned. */
export interface Writing {
  /** What starts a definition or another thing that stands in no bracket opened at its own indentation; sticky. */
  readonly starts: RegExp;
  readonly lineComment: '//' | '#';
  /** A quote that may hold several lines. */
  readonly longQuote?: '`' | '"' | '"""';
  /** A single quote is part of a name or holds one character. */
  readonly shortQuote?: boolean;
}

interface Opened {
  readonly at: number;
  readonly closer: string;
  /** Of the line on which the statement began. */
  readonly indent: number;
}

/** What stands at a place instead of what the text has there. */
type Repairs = Map<number, string>;

/** Reading a longer text three times would take more than a file may. */
const MOST_CHARACTERS = 200_000;

const CLOSERS: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };

/**
 * Reads a text, and where that is damaged once more without the brackets that have no other half, for one that is never
 * closed would swallow all that follows; then without the lines that have them. What says more counts.
 */
export function readRepaired(text: string, writing: Writing, read: (text: string) => Extracted): Extracted {
  let best = read(text);
  const isWorthIt = best.damaged && text.length <= MOST_CHARACTERS;
  // Where all brackets have another half, the damage is of another kind.
  if (!isWorthIt || findRepairs(text, writing, false).size === 0) return best;
  const repairs = findRepairs(text, writing, true);
  const without = read(repair(text, repairs));
  if (gain(without, best) >= 0) best = { ...without, damaged: true };
  const withoutLines = read(repair(text, wholeLines(text, repairs)));
  return gain(withoutLines, best) > 0 ? { ...withoutLines, damaged: true } : best;
}

/** More definitions are better, then fewer inside of functions: there is what was swallowed. */
function gain(one: Extracted, other: Extracted): number {
  return one.definitions.length - other.definitions.length || inFunctions(other) - inFunctions(one);
}

function inFunctions({ definitions }: Extracted): number {
  let inside = 0;
  for (const { container } of definitions) {
    const kind = definitions[container]?.kind;
    if (kind === 'function' || kind === 'method') inside++;
  }
  return inside;
}

/** What makes up for brackets and quotes without another half, where wanted by indentation. */
function findRepairs(text: string, writing: Writing, byIndent: boolean): Repairs {
  const { starts, lineComment } = writing;
  const open: Opened[] = [];
  const repairs: Repairs = new Map();
  let indent = indentAt(text, 0);
  let isFirst = true;
  for (let at = 0; at < text.length; at++) {
    const char = text.charAt(at);
    switch (char) {
      case '\n':
        indent = indentAt(text, at + 1);
        isFirst = true;
        starts.lastIndex = at + 1 + indent;
        if (byIndent && open.length > 0 && starts.test(text)) endStatement(text, open, indent, at, repairs);
        break;
      case ' ':
      case '\t':
      case '\r':
        break;
      case '(':
      case '[':
      case '{':
        open.push({ at, closer: CLOSERS[char] ?? '', indent });
        isFirst = false;
        break;
      case ')':
      case ']':
      case '}': {
        const opened = close(open, repairs, char, byIndent && isFirst ? indent : undefined);
        if (opened === undefined) repairs.set(at, ' ');
        // What began further up goes on here.
        else indent = Math.min(indent, opened.indent);
        isFirst = false;
        break;
      }
      default:
        isFirst = false;
        if (text.startsWith(lineComment, at)) at = endOfLine(text, at) - 1;
        else if (char === '/' && lineComment === '//' && text.charAt(at + 1) === '*')
          at = endOfComment(text, at, repairs);
        else if (char === '"' || char === "'" || char === '`') at = endOfQuote(text, at, writing, repairs);
    }
  }
  for (const { at } of open) repairs.set(at, ' ');
  return repairs;
}

/** Closes what a statement leaves open on the empty lines before the next; where there are none, it was never opened. */
function endStatement(text: string, open: Opened[], indent: number, before: number, repairs: Repairs): void {
  let first = open.length;
  while (first > 0 && (open[first - 1] as Opened).indent >= indent) first--;
  const left = open.splice(first).toReversed();
  let free = before;
  while (free > 0 && /\s/.test(text.charAt(free - 1))) free--;
  const hasRoom = before - free >= left.length;
  for (const { at, closer } of left) {
    if (hasRoom) repairs.set(++free, closer);
    else repairs.set(at, ' ');
  }
}

/** Takes the other half from what is open; what was opened after it, or deeper than the line that closes it, is stray. */
function close(open: Opened[], repairs: Repairs, closer: string, lineIndent: number | undefined): Opened | undefined {
  let other = open.length - 1;
  while (other >= 0 && open[other]?.closer !== closer) other--;
  if (lineIndent !== undefined) {
    let outer = other;
    while (outer >= 0 && !(open[outer]?.closer === closer && (open[outer] as Opened).indent <= lineIndent)) outer--;
    if (outer >= 0) {
      if ((open[outer] as Opened).indent < lineIndent && outer === other) return undefined;
      if ((open[outer] as Opened).indent === lineIndent) other = outer;
    }
  }
  if (other < 0) return undefined;
  for (const { at } of open.splice(other + 1)) repairs.set(at, ' ');
  return open.pop();
}

function indentAt(text: string, from: number): number {
  let at = from;
  while (text.charAt(at) === ' ' || text.charAt(at) === '\t') at++;
  return at - from;
}

function endOfLine(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end === -1 ? text.length : end;
}

function endOfComment(text: string, at: number, repairs: Repairs): number {
  const end = text.indexOf('*/', at + 2);
  if (end !== -1) return end + 1;
  repairs.set(at, ' ').set(at + 1, ' ');
  return at + 1;
}

/** Where the last quote is. One that is open at the end of its line is stray, if it may not hold several. */
function endOfQuote(text: string, at: number, { longQuote, shortQuote }: Writing, repairs: Repairs): number {
  const char = text.charAt(at);
  if (char === "'" && shortQuote === true && text.charAt(at + 1) !== '\\') {
    return text.charAt(at + 2) === "'" ? at + 2 : at;
  }
  if (char === '`' && longQuote !== '`') return at;
  const isLong = longQuote !== undefined && text.startsWith(longQuote, at);
  const quote = isLong ? longQuote : char;
  for (let next = at + quote.length; next < text.length; next++) {
    if (text.charAt(next) === '\\' && quote !== '`') next++;
    else if (text.startsWith(quote, next)) return next + quote.length - 1;
    else if (!isLong && text.charAt(next) === '\n') break;
  }
  for (let n = 0; n < quote.length; n++) repairs.set(at + n, ' ');
  return at + quote.length - 1;
}

/** Blanks the lines that have something to be blanked. */
function wholeLines(text: string, repairs: Repairs): Repairs {
  const lines: Repairs = new Map();
  for (const [place, char] of repairs) {
    if (char !== ' ') lines.set(place, char);
    else if (!lines.has(place)) {
      const end = endOfLine(text, place);
      for (let at = text.lastIndexOf('\n', place) + 1; at < end; at++) lines.set(at, ' ');
    }
  }
  return lines;
}

/** Everything keeps its place. */
function repair(text: string, repairs: Repairs): string {
  let repaired = '';
  let from = 0;
  for (const [at, char] of [...repairs].sort(([a], [b]) => a - b)) {
    repaired += text.slice(from, at) + char;
    from = at + 1;
  }
  return repaired + text.slice(from);
}
