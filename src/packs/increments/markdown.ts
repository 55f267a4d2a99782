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

/** The lines of prose. Fenced code is left out, and so is front matter. Line ends may be of either kind. */
export function proseLines(text: string): Line[] {
  const found: Line[] = [];
  let fence = '';
  for (const line of linesFrom(text, frontMatterOf(text)?.end ?? 0)) {
    const [, mark = '', rest = ''] = FENCE.exec(line.text) ?? [];
    if (fence !== '') {
      if (mark.startsWith(fence) && rest.trim() === '') fence = '';
    } else if (mark !== '' && !(mark.startsWith('`') && rest.includes('`'))) fence = mark;
    else found.push(withHeading(line));
  }
  return found;
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
  for (const line of linesFrom(text, text.startsWith('\ufeff') ? 1 : 0)) {
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

function scalar(text: string): string {
  const value = text.trim();
  const quote = value[0];
  const close = quote === '"' || quote === "'" ? value.indexOf(quote, 1) : -1;
  if (close > 0) return value.slice(1, close);
  if (value.startsWith('#')) return '';
  const comment = value.indexOf(' #');
  return comment < 0 ? value : value.slice(0, comment).trimEnd();
}

interface RawLine {
  readonly text: string;
  readonly at: number;
  readonly next: number;
}

function* linesFrom(text: string, from: number): Generator<RawLine> {
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
