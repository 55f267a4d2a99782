/** A line of any text, and where the next one starts. */
export interface RawLine {
  /** Without its line end. */
  readonly text: string;
  /** Where it starts in the whole text. */
  readonly at: number;
  readonly next: number;
}

/** Line ends may be of either kind. */
export function* linesFrom(text: string, from: number): Generator<RawLine> {
  for (let at = from; at < text.length;) {
    const feed = text.indexOf('\n', at);
    const next = feed < 0 ? text.length : feed + 1;
    const end = feed < 0 ? text.length : feed > at && text[feed - 1] === '\r' ? feed - 1 : feed;
    yield { text: text.slice(at, end), at, next };
    at = next;
  }
}

/** Where a text starts that may have a byte order mark. */
export function afterMark(text: string): number {
  return text.startsWith('\ufeff') ? 1 : 0;
}
