/** A stretch of a text whose lines are kept as they are: a fenced block or a `<pre>` element. */
export interface Verbatim {
  /** First and last line with the fences or tags, from 1. */
  readonly first: number;
  readonly last: number;
  /** Label of a fence in lower case, '' without one; undefined for `<pre>`. */
  readonly label?: string;
  /** What is inside, without quote marks. */
  readonly lines: readonly string[];
  /** Number of the first of these lines. */
  readonly start: number;
}

/** A Markdown text as far as drawings care. */
export interface Outline {
  readonly text: string;
  readonly lines: readonly string[];
  readonly verbatim: readonly Verbatim[];
  /** Last line of the front matter, 0 without. */
  readonly frontMatter: number;
}

export function readOutline(text: string): Outline {
  const plain = text.startsWith('\ufeff') ? text.slice(1) : text;
  const lines = plain.includes('\r') ? plain.split(/\r\n|\n|\r/) : plain.split('\n');
  const frontMatter = endOfFrontMatter(lines);
  const verbatim: Verbatim[] = [];
  for (let at = frontMatter; at < lines.length; at += 1) {
    const opening = readOpening(lines[at] ?? '');
    if (opening === undefined) continue;
    const block = opening.fence === undefined ? readPre(lines, at, opening) : readFence(lines, at, opening);
    verbatim.push(block);
    at = block.last - 1;
  }
  return { text, lines, verbatim, frontMatter };
}

/** Those who ask several questions about a text read it once and hand its outline around. */
export const outlineOf = (text: string | Outline): Outline => (typeof text === 'string' ? readOutline(text) : text);

/** Calls `visit` with each line outside of front matter, fences and `<pre>`, and its number. */
export function eachProseLine(
  { lines, verbatim, frontMatter }: Outline,
  visit: (line: string, at: number) => void,
): void {
  let next = 0;
  for (let at = frontMatter + 1; at <= lines.length; at += 1) {
    const block = verbatim[next];
    if (block?.first === at) {
      at = block.last;
      next += 1;
    } else {
      visit(lines[at - 1] ?? '', at);
    }
  }
}

function endOfFrontMatter(lines: readonly string[]): number {
  const mark = lines[0]?.trimEnd();
  if (mark !== '---' && mark !== '+++') return 0;
  const end = lines.findIndex((line, at) => at > 0 && (line.trimEnd() === mark || line.trimEnd() === '...'));
  return end + 1;
}

interface Opening {
  /** Quote marks before it. */
  readonly depth: number;
  /** The fence itself; undefined for `<pre>`. */
  readonly fence?: string;
  /** What follows the fence, or the tag. */
  readonly rest: string;
}

function readOpening(line: string): Opening | undefined {
  if (!mayOpen(line)) return undefined;
  const { at, depth } = skipContainers(line);
  const mark = line[at];
  if (mark === '<') {
    const tag = line.slice(at, at + 5).toLowerCase();
    if (!tag.startsWith('<pre') || !['', '>', ' ', '\t'].includes(tag.slice(4))) return undefined;
    const end = line.indexOf('>', at);
    return { depth, rest: end < 0 ? '' : line.slice(end + 1) };
  }
  if (mark !== '`' && mark !== '~') return undefined;
  let end = at;
  while (line[end] === mark) end += 1;
  const rest = line.slice(end);
  if (end - at < 3 || (mark === '`' && rest.includes('`'))) return undefined;
  return { depth, fence: line.slice(at, end), rest };
}

/** Most lines are told by their first character. */
function mayOpen(line: string): boolean {
  let at = 0;
  let code = line.charCodeAt(0);
  while (code === 32 || code === 9) code = line.charCodeAt((at += 1));
  return OPENS[code] === 1;
}

const OPENS = Uint8Array.from({ length: 128 }, (_, code) =>
  isDigit(code) || '`~<>-*+'.includes(String.fromCharCode(code)) ? 1 : 0,
);

/** Past indentation, quote marks and list markers, in any order. */
function skipContainers(line: string): { readonly at: number; readonly depth: number } {
  let at = 0;
  let depth = 0;
  for (;;) {
    const character = line[at];
    if (character === ' ' || character === '\t') {
      at += 1;
    } else if (character === '>') {
      at += 1;
      depth += 1;
    } else {
      const marker = listMarkerAt(line, at);
      if (marker === 0) return { at, depth };
      at += marker;
    }
  }
}

function listMarkerAt(line: string, at: number): number {
  let end = at;
  while (end - at < 9 && isDigit(line.charCodeAt(end))) end += 1;
  const mark = line[end];
  const marks = end > at ? '.)' : '-*+';
  const after = line[end + 1];
  return mark !== undefined && marks.includes(mark) && (after === ' ' || after === '\t') ? end + 1 - at : 0;
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

function readFence(lines: readonly string[], from: number, { depth, fence = '', rest }: Opening): Verbatim {
  const inside: string[] = [];
  const label = readLabel(rest);
  for (let at = from + 1; at < lines.length; at += 1) {
    const line = stripQuotes(lines[at] ?? '', depth);
    if (line === undefined) return { first: from + 1, last: at, label, lines: inside, start: from + 2 };
    if (closes(line, fence)) return { first: from + 1, last: at + 1, label, lines: inside, start: from + 2 };
    inside.push(line);
  }
  return { first: from + 1, last: lines.length, label, lines: inside, start: from + 2 };
}

function closes(line: string, fence: string): boolean {
  if (!line.includes(fence)) return false;
  const text = line.trim();
  const mark = fence.charCodeAt(0);
  for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) !== mark) return false;
  return true;
}

/** Without so many quote marks; undefined where the quotation is over. */
function stripQuotes(line: string, depth: number): string | undefined {
  let from = 0;
  for (let left = depth; left > 0; left -= 1) {
    from = afterQuote(line, from);
    if (from < 0) return undefined;
  }
  return line.slice(from);
}

export function withoutQuotes(line: string): string {
  let from = 0;
  for (let next = afterQuote(line, 0); next >= 0; next = afterQuote(line, next)) from = next;
  return line.slice(from);
}

/** Where the text behind one quote mark begins, -1 where there is none. */
function afterQuote(line: string, from: number): number {
  let at = from;
  while (line[at] === ' ' || line[at] === '\t') at += 1;
  if (line[at] !== '>') return -1;
  return line[at + 1] === ' ' ? at + 2 : at + 1;
}

/** The first word of what follows a fence, also in the form `{.word}`. */
function readLabel(rest: string): string {
  return /^[\s{.]*([\w#+-]*)/.exec(rest)?.[1]?.toLowerCase() ?? '';
}

function readPre(lines: readonly string[], from: number, { depth, rest }: Opening): Verbatim {
  const inside: string[] = [];
  for (let at = from; at < lines.length; at += 1) {
    const line = at === from ? rest : stripQuotes(lines[at] ?? '', depth);
    if (line === undefined) return { first: from + 1, last: at, lines: inside, start: from + 1 };
    const end = line.toLowerCase().indexOf('</pre');
    inside.push(withoutTags(end < 0 ? line : line.slice(0, end)));
    if (end >= 0) return { first: from + 1, last: at + 1, lines: inside, start: from + 1 };
  }
  return { first: from + 1, last: lines.length, lines: inside, start: from + 1 };
}

/** Tags that code stands in inside of `<pre>` are no part of its lines. */
function withoutTags(line: string): string {
  if (!line.includes('<')) return line;
  return line
    .replace(/^(?:[ \t]*<(?:code|samp|kbd|tt|span)(?:[ \t][^<>]*)?>)+/i, '')
    .replace(/(?:<\/(?:code|samp|kbd|tt|span)>)+$/i, '');
}
