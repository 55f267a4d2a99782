import { afterMark, linesFrom } from './lines.ts';
import type { RawLine } from './lines.ts';
import { findComments } from './markdown-comments.ts';

/** A line that is neither code nor comment. A comment inside it leaves as many spaces, so that all else keeps its place. */
export interface Line {
  readonly text: string;
  readonly at: number;
  readonly heading?: Heading;
}

export interface Heading {
  readonly level: number;
  readonly text: string;
}

/** A text as it is read. */
export interface Markdown {
  /** Its prose. */
  readonly lines: readonly Line[];
  /** As they are written, comments included. */
  readonly outsideCode: readonly RawLine[];
  /** A code fence or a comment that nobody closed: it holds all that follows. */
  readonly unclosed?: { readonly what: 'code fence' | 'comment'; readonly at: number };
}

const FENCE = /^[ \t]*(`{3,}|~{3,})(.*)$/;
const HEADING = /^ {0,3}(#{1,6})(?:[ \t]+(.*))?$/;

export function readMarkdown(text: string, from = afterMark(text)): Markdown {
  const lines: Line[] = [];
  const outsideCode: RawLine[] = [];
  const comments = findComments(text);
  let fence = '';
  let fenceAt = 0;
  for (const raw of linesFrom(text, from)) {
    const line = fence === '' ? comments.hide(raw) : raw;
    const [, mark = '', rest = ''] = (line && FENCE.exec(line.text)) ?? [];
    if (fence !== '') {
      if (mark.startsWith(fence) && rest.trim() === '') fence = '';
    } else if (mark !== '' && !(mark.startsWith('`') && rest.includes('`'))) {
      fence = mark;
      fenceAt = raw.at;
    } else {
      outsideCode.push(raw);
      if (line) lines.push(withHeading(line));
    }
  }
  if (fence !== '') return { lines, outsideCode, unclosed: { what: 'code fence', at: fenceAt } };
  const commentAt = comments.unclosedAt();
  return { lines, outsideCode, ...(commentAt !== undefined && { unclosed: { what: 'comment', at: commentAt } }) };
}

function withHeading({ text, at }: RawLine): Line {
  const match = HEADING.exec(text);
  if (match === null) return { text, at };
  return { text, at, heading: { level: match[1]?.length ?? 1, text: withoutClosing((match[2] ?? '').trim()) } };
}

/** `Title ##` is the heading `Title`. */
function withoutClosing(title: string): string {
  let end = title.length;
  while (end > 0 && title[end - 1] === '#') end -= 1;
  const isClosing = end < title.length && (end === 0 || title[end - 1] === ' ');
  return isClosing ? title.slice(0, end).trimEnd() : title;
}
