import { hasBox, isBoxLine } from './characters.ts';
import type { Drawing } from './drawing.ts';
import { fingerprint } from './fingerprint.ts';
import { dedent, tidy } from './normalise.ts';

export interface Coverage {
  readonly covered: boolean;
  /** Box lines of the drawing that were never printed. */
  readonly missing: number;
}

const MAX_LINES = 2_000;
/** Labels carry the meaning: so many of the lines with words must have been printed as well. */
const WORDED_SHARE = 0.8;
const WORD = /[\p{L}\p{N}]/u;
/** Most lines without words are told by this, which costs less. */
const MAY_BE_WORD = /[A-Za-z0-9\u0080-\u24ff\u2580-\uffff]/;

/** Hashes of the lines with a box character that a program printed, each once, at most 2,000 lines; some may be left out. */
export function recordedLines(
  output: string,
  ascii = false,
  isLeftOut: (line: string) => boolean = () => false,
): readonly string[] {
  const plain = stripEscapes(output);
  const lines = plain.includes('\r') ? plain.split(/\r\n|\n|\r/) : plain.split('\n');
  const [first] = lines;
  if (first?.startsWith('\ufeff')) lines[0] = first.slice(1);
  const tidied = lines.map((line) => (isBoxLine(line, ascii) ? tidy(line) : ''));
  const hashes = boxLines(tidied, ascii).flatMap(({ text, hashes: both }) => (isLeftOut(text) ? [] : both));
  return [...new Set(hashes)];
}

/** `share` is the part of the box lines that must have been printed. */
export function coverage(drawing: Drawing, hashes: ReadonlySet<string>, share = 0.9): Coverage {
  const lines = boxLines(drawing.lines, !drawing.lines.some(hasBox));
  const worded = lines.filter(({ text }) => MAY_BE_WORD.test(text) && WORD.test(text));
  const isPrinted = (line: BoxLine): boolean => line.hashes.some((hash) => hashes.has(hash));
  const printed = lines.filter(isPrinted).length;
  const covered =
    printed > 0 && printed >= lines.length * share && worded.filter(isPrinted).length >= worded.length * WORDED_SHARE;
  return { covered, missing: lines.length - printed };
}

interface BoxLine {
  readonly text: string;
  readonly hashes: readonly string[];
}

/**
 * The lines with a box character, each by two hashes: as part of the whole, and of the lines it stands among. So a
 * drawing is found that was printed between others, or is shown together with another.
 */
function boxLines(lines: readonly string[], ascii: boolean): readonly BoxLine[] {
  const drawn = lines.flatMap((line, at) => (isBoxLine(line, ascii) ? [at] : [])).slice(0, MAX_LINES);
  const whole = dedent(drawn.map((at) => lines[at] ?? ''));
  const apart: string[] = [];
  for (let from = 0, to = 0; from < drawn.length; from = to) {
    to = from + 1;
    while (to < drawn.length && (drawn[to] ?? 0) - (drawn[to - 1] ?? 0) <= MAX_STEP) to += 1;
    apart.push(...dedent(whole.slice(from, to)));
  }
  return whole.map((text, index) => {
    const alone = apart[index] ?? text;
    return { text, hashes: alone === text ? [fingerprint(text)] : [fingerprint(text), fingerprint(alone)] };
  });
}

/** Box lines with more than two other lines between them stand apart. */
const MAX_STEP = 3;

const ESCAPE = 0x1b;

/** Without the control sequences of terminals: colours, links, titles. A sequence ends with its line at the latest. */
function stripEscapes(text: string): string {
  let out = '';
  let from = 0;
  for (let at = text.indexOf('\u001b'); at >= 0; at = text.indexOf('\u001b', from)) {
    out += text.slice(from, at);
    from = endOfEscape(text, at);
  }
  return out + text.slice(from);
}

function endOfEscape(text: string, start: number): number {
  const kind = text[start + 1];
  if (kind === '(' || kind === ')') return start + 3; // a character set
  if (kind !== '[' && kind !== ']') return kind === undefined || kind === '\n' ? start + 1 : start + 2;
  for (let at = start + 2; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 10) return at;
    if (kind === '[' && code >= 0x40 && code <= 0x7e) return at + 1;
    if (kind === ']' && code === 7) return at + 1;
    if (kind === ']' && code === ESCAPE) return text[at + 1] === '\\' ? at + 2 : at;
  }
  return text.length;
}
