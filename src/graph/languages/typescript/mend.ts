import { balance, CLOSERS } from './balance.ts';
import { codeLines, lastCode, lineAt } from './code-lines.ts';
import type { CodeLine } from './code-lines.ts';

export interface Mistake {
  readonly at: number;
  /** The bracket that should have been closed there. */
  readonly opened?: number | undefined;
}

/** The first mistake of a text. */
export type FindMistake = (text: string) => Mistake | undefined;

interface Piece {
  readonly from: number;
  readonly to: number;
}

/** As much is parsed in trials, which takes some 150 ms. */
const MOST_CHARACTERS = 600_000;
/** So many mistakes of one piece are mended. */
const MOST_STEPS = 8;
/** Who loses fewer characters has lost a line. */
const ONE_LINE = 120;

/** Words that begin a line but go on with what stands before. */
const GOES_ON = /(?:else|catch|finally|extends|implements|from|as|satisfies|of|in|instanceof)\b/y;
const BEGINS = /[\w$#@*[]/;

/** What a line declares, up to its name. */
const HEAD =
  /^[ \t]*(?:(?:export|default|async|declare|abstract|static|public|private|protected|override|readonly|get|set)\s+)*(?:(?:function\s*\*?|class|interface|enum|namespace)\s+[\w$]+|(?!(?:if|for|while|switch|catch|with|return|await|super|this)\b)\*?#?[\w$]+(?=\s*[(<]))/;
const HAS_NO_PARAMETERS = /\b(?:class|interface|enum|namespace)\s/;

/**
 * A text without mistakes in which everything else stands where it stood: at each mistake there is a bracket that was
 * left out, or there are blanks. A mistake spoils its own statement of the file, or a part of that, and nothing else.
 */
export function mend(text: string, find: FindMistake): string {
  let left = MOST_CHARACTERS;
  const look: FindMistake = (code) => {
    left -= code.length;
    return left > 0 ? find(code) : { at: 0 };
  };
  let mended = text;
  let bare = text;
  for (const { from, to } of brokenPieces(text, find)) {
    const code = text.slice(from, to);
    mended = mended.slice(0, from) + (mendPiece(code, look) ?? blank(code)) + mended.slice(to);
    bare = bare.slice(0, from) + blank(code) + bare.slice(to);
  }
  return find(mended) ? bare : mended;
}

/** The pieces between lines without indentation that have a mistake each; neighbours as one. */
function brokenPieces(text: string, find: FindMistake): Piece[] {
  const starts = codeLines(text).flatMap(({ from }) => (from === 0 || beginsStatement(text, from) ? [from] : []));
  const broken: Piece[] = [];
  const look = (low: number, high: number): void => {
    const piece = { from: starts[low] ?? 0, to: starts[high] ?? text.length };
    if (!find(text.slice(piece.from, piece.to))) return;
    if (high - low > 1) {
      look(low, (low + high) >> 1);
      look((low + high) >> 1, high);
    } else if (broken.at(-1)?.to === piece.from) broken.push({ from: broken.pop()?.from ?? 0, to: piece.to });
    else broken.push(piece);
  };
  look(0, starts.length);
  return broken;
}

function beginsStatement(text: string, at: number): boolean {
  GOES_ON.lastIndex = at;
  return BEGINS.test(text.charAt(at)) && !GOES_ON.test(text);
}

/** Repairs lines, or takes blocks out if that leaves more. */
function mendPiece(text: string, find: FindMistake): string | undefined {
  const byLines = mendBy(lineRepairs, text, find);
  if (byLines !== undefined && lost(text, byLines) < ONE_LINE) return byLines;
  const byBlocks = mendBy(withoutBlocks, text, find);
  if (byLines === undefined || byBlocks === undefined) return byLines ?? byBlocks;
  return lost(text, byBlocks) < lost(text, byLines) ? byBlocks : byLines;
}

function lost(text: string, mended: string): number {
  return text.replace(/\s+/g, '').length - mended.replace(/\s+/g, '').length;
}

interface Tried {
  readonly text: string;
  readonly mistake: Mistake | undefined;
}

/** Takes what gets rid of the mistake, else what brings the parser furthest. */
function mendBy(
  change: (text: string, mistake: Mistake) => Iterable<string>,
  text: string,
  find: FindMistake,
): string | undefined {
  let best: Tried = { text, mistake: find(text) };
  for (let step = 0; best.mistake && step < MOST_STEPS; step++) {
    let next = best;
    for (const candidate of change(best.text, best.mistake)) {
      const mistake = find(candidate);
      if (!mistake) return candidate;
      if (mistake.at > (next.mistake?.at ?? 0)) next = { text: candidate, mistake };
    }
    if (next === best) break;
    best = next;
  }
  return best.mistake ? undefined : best.text;
}

/** The same text with another bracket, or with less of the line that may be wrong. */
function* lineRepairs(text: string, { at, opened }: Mistake): Generator<string> {
  const lines = codeLines(text);
  const here = lineAt(lines, at);
  if (opened !== undefined && lineAt(lines, opened) === here) {
    const closer = CLOSERS[text.charAt(opened)] ?? '';
    if (/[;,]/.test(text.charAt(at))) yield put(text, at, closer);
    else if (/\s/.test(text.charAt(at - 1))) yield put(text, at - 1, closer);
  }
  yield balance(text);
  yield balance(text, ',');
  const before = lastCode(lines, here - 1);
  // Where the first word of a line is wrong, or the line before has no end, that line is the mistake.
  const last = text.charAt((lines[before]?.end ?? 0) - 1);
  const isBefore = text.slice(lines[here]?.from, at).trim() === '' || /[.=+*&|?<-]/.test(last);
  if (!isBefore) yield withoutClause(text, lines[here]?.from ?? 0, at);
  const open = lines.findLastIndex(({ isOpen }, n) => n <= here && isOpen);
  for (const n of new Set([open, ...(isBefore ? [before, here] : [here, before])])) {
    for (const other of instead(text, lines[n])) {
      yield other;
      yield balance(other);
    }
  }
}

/** Without what stands on the line between the last stop and the mistake. */
function withoutClause(text: string, from: number, at: number): string {
  let start = at;
  while (start > from && !/[,;{}]/.test(text.charAt(start - 1))) start--;
  if (start > from && text.charAt(start - 1) === ',') start--;
  return put(text, start, ' '.repeat(at - start));
}

/** What may stand instead of a line: what it declares, the brackets that hold other lines, nothing. */
function* instead(text: string, line: CodeLine | undefined): Generator<string> {
  if (!line) return;
  const code = text.slice(line.from, line.end);
  const fits = (other: string): boolean => other.length <= code.length;
  const closing = /^[ \t]*[)\]}]+/.exec(code)?.[0] ?? '';
  const opening = /(?:=>\s*|[([])*\{$|[([]$/.exec(code)?.[0] ?? '';
  const others = [closing + opening, closing + opening.slice(-1), ''];
  const head = HEAD.exec(code)?.[0];
  if (head !== undefined) {
    const block = HAS_NO_PARAMETERS.test(head) ? '{' : '(){';
    others.unshift(...(opening === '' ? [head + block, `${head}${block}}`] : [head + block]));
  }
  for (const other of new Set(others.filter(fits))) yield put(text, line.from, other.padEnd(code.length));
}

/** Without the lines around one that are indented as much, then as much as the line that holds those. */
function* withoutBlocks(text: string, { at }: Mistake): Generator<string> {
  const lines = codeLines(text);
  const here = lineAt(lines, at);
  const isCode = ({ from, end }: CodeLine): boolean => end > from;
  for (let first = here; first > 0;) {
    const indent = lines[first]?.indent ?? 0;
    const isOutside = (line: CodeLine): boolean => isCode(line) && line.indent < indent;
    const head = lines.findLastIndex((line, n) => n < first && isOutside(line));
    const after = lines.findIndex((line, n) => n > here && isOutside(line));
    const from = lines[head + 1]?.from ?? 0;
    const to = lines[after]?.from ?? text.length;
    const other = put(text, from, blank(text.slice(from, to)));
    yield other;
    yield balance(other);
    first = head;
  }
}

function put(text: string, at: number, other: string): string {
  return text.slice(0, at) + other + text.slice(at + other.length);
}

function blank(text: string): string {
  return text.replace(/[^\n]/g, ' ');
}
