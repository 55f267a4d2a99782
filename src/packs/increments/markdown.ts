import { afterMark, linesFrom } from '../../text/lines.ts';
import { readMarkdown } from '../../text/markdown.ts';
import type { Line, Markdown } from '../../text/markdown.ts';

const BOX = /^[ \t]*[-*+][ \t]+\[([ xX])\](?=[ \t]|$)/;

/** Front matter is no prose. */
export function readProse(text: string): Markdown {
  return readMarkdown(text, frontMatterOf(text)?.end);
}

export function proseLines(text: string): readonly Line[] {
  return readProse(text).lines;
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

function scalar(text: string): string {
  const value = text.trim();
  const quote = value[0];
  const close = quote === '"' || quote === "'" ? value.indexOf(quote, 1) : -1;
  if (close > 0) return value.slice(1, close);
  if (value.startsWith('#')) return '';
  const comment = value.indexOf(' #');
  return comment < 0 ? value : value.slice(0, comment).trimEnd();
}
