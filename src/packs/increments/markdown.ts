/** One line of a Markdown text that is not code and not front matter. */
export interface Line {
  /** Without its line end. */
  readonly text: string;
  /** Where it starts in the whole text. */
  readonly at: number;
  readonly heading?: Heading;
}

export interface Heading {
  readonly level: number;
  readonly text: string;
}

const FENCE = /^[ \t]*(`{3,}|~{3,})(.*)$/;
const HEADING = /^ {0,3}(#{1,6})(?:[ \t]+(.*))?$/;
const BOX = /^[ \t]*[-*+][ \t]+\[([ xX])\](?=[ \t]|$)/;

/** A text as it is read. */
export interface Prose {
  readonly lines: readonly Line[];
  /** A code fence or a comment that nobody closed: it holds all that follows. */
  readonly unclosed?: { readonly what: 'code fence' | 'comment'; readonly at: number };
}

/** The lines of prose. */
export function proseLines(text: string): readonly Line[] {
  return readProse(text).lines;
}

/**
 * Front matter, fenced code and comments are no prose. Inside a line a comment leaves as many spaces, so that all else
 * keeps its place. Line ends may be of either kind.
 */
export function readProse(text: string): Prose {
  const found: Line[] = [];
  const comments = findComments(text);
  let fence = '';
  let fenceAt = 0;
  for (const raw of linesFrom(text, startOf(text))) {
    const line = fence === '' ? comments.hide(raw) : raw;
    if (!line) continue;
    const [, mark = '', rest = ''] = FENCE.exec(line.text) ?? [];
    if (fence !== '') {
      if (mark.startsWith(fence) && rest.trim() === '') fence = '';
    } else if (mark !== '' && !(mark.startsWith('`') && rest.includes('`'))) {
      fence = mark;
      fenceAt = line.at;
    } else found.push(withHeading(line));
  }
  if (fence !== '') return { lines: found, unclosed: { what: 'code fence', at: fenceAt } };
  const commentAt = comments.unclosedAt();
  return { lines: found, ...(commentAt === undefined ? {} : { unclosed: { what: 'comment', at: commentAt } }) };
}

/** Counted from one. */
export function lineNumberAt(text: string, at: number): number {
  let line = 1;
  for (let feed = text.indexOf('\n'); feed >= 0 && feed < at; feed = text.indexOf('\n', feed + 1)) line += 1;
  return line;
}

/** Whether a list item is ticked, and where the character in its box stands; undefined for lines without a box. */
export function boxOf({ text, at }: Line): { readonly ticked: boolean; readonly at: number } | undefined {
  const match = BOX.exec(text);
  if (match === null) return undefined;
  return { ticked: match[1] !== ' ', at: at + match[0].length - 2 };
}

/**
 * The plain `key: value` lines at the top of a text, and where the text goes on. Nested values are not looked into:
 * nothing here is made of more than one word or a title.
 */
export function frontMatterOf(
  text: string,
): { readonly fields: ReadonlyMap<string, string>; readonly end: number } | undefined {
  const fields = new Map<string, string>();
  let first = true;
  for (const line of linesFrom(text, afterMark(text))) {
    const content = line.text.trimEnd();
    if (first) {
      if (content !== '---') return undefined;
      first = false;
    } else if (content === '---' || content === '...') return { fields, end: line.next };
    else {
      const colon = /^[A-Za-z_][\w-]*:(?=[ \t]|$)/.exec(content)?.[0].length ?? 0;
      if (colon > 0) fields.set(content.slice(0, colon - 1), scalar(content.slice(colon)));
    }
  }
  return undefined;
}

function startOf(text: string): number {
  return frontMatterOf(text)?.end ?? afterMark(text);
}

/** Where a text starts that may have a byte order mark. */
export function afterMark(text: string): number {
  return text.startsWith('\ufeff') ? 1 : 0;
}

function scalar(text: string): string {
  const value = text.trim();
  const quote = value[0];
  const close = quote === '"' || quote === "'" ? value.indexOf(quote, 1) : -1;
  if (close > 0) return value.slice(1, close);
  if (value.startsWith('#')) return '';
  const comment = value.indexOf(' #');
  return comment < 0 ? value : value.slice(0, comment).trimEnd();
}

/** A line of any text, and where the next one starts. */
export interface RawLine {
  readonly text: string;
  readonly at: number;
  readonly next: number;
}

export function* linesFrom(text: string, from: number): Generator<RawLine> {
  for (let at = from; at < text.length;) {
    const feed = text.indexOf('\n', at);
    const next = feed < 0 ? text.length : feed + 1;
    const end = feed < 0 ? text.length : feed > at && text[feed - 1] === '\r' ? feed - 1 : feed;
    yield { text: text.slice(at, end), at, next };
    at = next;
  }
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

interface Comments {
  /** The line without its comments; undefined when nothing is left of it. Asked line by line, from the top. */
  hide(line: RawLine): RawLine | undefined;
  unclosedAt(): number | undefined;
}

const OPEN = /`+|<!--/g;

function findComments(text: string): Comments {
  const closeFrom = nextOf(text, /-->/g);
  const blankFrom = nextOf(text, /\n[ \t]*\r?\n/g);
  let hiddenUntil = 0;
  let unclosedAt: number | undefined;

  /** Where the comment that begins here ends; undefined when it is none. */
  function endOf(at: number, line: RawLine): number | undefined {
    const close = closeFrom(at + 2);
    const before = text.slice(line.at, at);
    // One that begins a line is a block of its own: it ends with a line, or with the text if nobody closes it.
    if (before.trim() === '') {
      if (close !== undefined) return endOfLine(text, close);
      if (!/^ {0,3}$/.test(before)) return undefined;
      unclosedAt = at;
      return text.length;
    }
    return close === undefined || (blankFrom(at) ?? text.length) < close ? undefined : close + 3;
  }

  return {
    unclosedAt: () => unclosedAt,
    hide(line) {
      const { at: start, text: whole } = line;
      const end = start + whole.length;
      let shown = '';
      let from = start;
      const hideUntil = (until: number) => {
        hiddenUntil = until;
        shown += ' '.repeat(Math.min(until, end) - from);
        from = Math.min(until, end);
      };
      if (hiddenUntil > start) hideUntil(hiddenUntil);
      for (OPEN.lastIndex = from - start; ;) {
        const open = OPEN.exec(whole);
        if (open === null) break;
        const [mark] = open;
        if (mark !== '<!--') {
          const close = closingRun(whole, mark, OPEN.lastIndex);
          if (close !== undefined) OPEN.lastIndex = close;
          continue;
        }
        const at = start + open.index;
        const until = endOf(at, line);
        if (until === undefined) continue;
        shown += text.slice(from, at);
        from = at;
        hideUntil(until);
        OPEN.lastIndex = from - start;
      }
      if (from === start && hiddenUntil <= start) return line;
      shown += text.slice(from, end);
      return shown.trim() === '' ? undefined : { ...line, text: shown };
    },
  };
}

/** Behind the run of backticks that ends the code which such a run began. */
function closingRun(text: string, mark: string, from: number): number | undefined {
  const runs = /`+/g;
  runs.lastIndex = from;
  for (let run = runs.exec(text); run !== null; run = runs.exec(text))
    if (run[0].length === mark.length) return runs.lastIndex;
  return undefined;
}

/** The first match at a place or behind it, for places that only grow: no part of the text is looked through twice. */
function nextOf(text: string, pattern: RegExp): (from: number) => number | undefined {
  let known: number | undefined = -1;
  return (from) => {
    if (known === undefined || known >= from) return known;
    pattern.lastIndex = from;
    known = pattern.exec(text)?.index;
    return known;
  };
}

function endOfLine(text: string, from: number): number {
  const feed = text.indexOf('\n', from);
  return feed < 0 ? text.length : feed;
}
