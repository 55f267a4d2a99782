import { codeLines, lastCode, scanCode } from './code-lines.ts';
import type { CodeLine } from './code-lines.ts';

export const CLOSERS: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };
const OPENERS: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' };

/** Lines that go on with what stands before, at whatever indentation. */
const GOES_ON = /[)\]}.?:&|+]|(?:case|default)\b/y;

interface Opened {
  readonly at: number;
  readonly closer: string;
  readonly line: number;
  readonly indent: number;
}

interface Balance {
  readonly text: string;
  readonly lines: readonly CodeLine[];
  readonly open: Opened[];
  /** What stands at a place instead of what the text has there. */
  readonly edits: Map<number, string>;
  /** What stands behind a block that is closed. */
  readonly stop: '' | ',';
}

/**
 * The same text, at equal length, with the brackets that are missing by the indentation and without those that are too
 * many. In a list, a comma follows.
 */
export function balance(text: string, stop: Balance['stop'] = ''): string {
  const lines = codeLines(text);
  const b: Balance = { text, lines, open: [], edits: new Map(), stop };
  let line = 0;
  let isFirst = true;
  scanCode(text, (at, char) => {
    if (char === '\n') {
      line++;
      isFirst = true;
      return;
    }
    if (isFirst) endBlocks(b, line, at);
    if (char in CLOSERS) b.open.push({ at, closer: CLOSERS[char] ?? '', line, indent: indentOf(b, line) });
    else if (char in OPENERS) close(b, at, char, line, isFirst);
    isFirst = false;
  });
  closeFrom(b, 0, lines.length - 1);
  return edited(text, b.edits);
}

function indentOf({ lines }: Balance, line: number): number {
  return lines[line]?.indent ?? 0;
}

/** A line ends all that was opened on lines with no less indentation. */
function endBlocks(b: Balance, line: number, at: number): void {
  GOES_ON.lastIndex = at;
  if (GOES_ON.test(b.text)) return;
  const indent = indentOf(b, line);
  closeFrom(b, b.open.findLastIndex((opened) => opened.indent < indent) + 1, line - 1);
}

function closeFrom(b: Balance, first: number, line: number): void {
  const left = b.open.splice(first).toReversed();
  const closers = left.map(({ closer }) => closer).join('');
  if (closers === '') return;
  const last = lastCode(b.lines, line);
  if (!putBehind(b, last, closers + b.stop, left[0]?.line === last)) for (const { at } of left) b.edits.set(at, ' ');
}

function close(b: Balance, at: number, closer: string, line: number, isFirst: boolean): void {
  const { open } = b;
  const indent = indentOf(b, line);
  const isOther = (opened: Opened): boolean => opened.closer === closer && (!isFirst || opened.indent === indent);
  let other = open.findLastIndex(isOther);
  const top = open.at(-1);
  if (other === -1 && top?.closer === closer && top.indent > indent) other = open.length - 1;
  if (other !== -1) {
    if (isFirst) closeFrom(b, other + 1, line - 1);
    open.splice(other);
  } else if (!isFirst || !putBehind(b, headOf(b, line), OPENERS[closer] ?? '', false)) b.edits.set(at, ' ');
}

/** The line whose block a closing line ends; not one that is a statement by itself. */
function headOf({ text, lines }: Balance, line: number): number {
  const indent = lines[line]?.indent ?? 0;
  const n = lines.findLastIndex((other, at) => at < line && other.end > other.from && other.indent <= indent);
  const head = lines[n];
  return head?.indent === indent && text.charAt(head.end - 1) !== ';' ? n : -1;
}

/** Overwrites blanks, a comment or the stop behind a line. The last line break stays where it ends a statement. */
function putBehind(
  { text, lines, edits, stop }: Balance,
  line: number,
  brackets: string,
  beforeStop: boolean,
): boolean {
  const behind = lines[line];
  if (!behind) return false;
  const { end, to } = behind;
  const blanks = /\s*/y;
  blanks.lastIndex = to;
  blanks.test(text);
  const last = Math.max(to, text.lastIndexOf('\n', blanks.lastIndex - 1)) + stop.length;
  const hasStop = /[;,]/.test(text.charAt(end - 1)) && !edits.has(end - 1);
  let at = end;
  while (edits.has(at)) at++;
  if (hasStop && at === end && (beforeStop || at + brackets.length > last)) at--;
  if (at + brackets.length > last) return false;
  for (let n = Math.max(at, end); n < to; n++) if (!edits.has(n)) edits.set(n, ' ');
  for (let n = 0; n < brackets.length; n++) edits.set(at + n, brackets.charAt(n));
  return true;
}

function edited(text: string, edits: ReadonlyMap<number, string>): string {
  const chars = text.split('');
  for (const [at, char] of edits) chars[at] = char;
  return chars.join('');
}
