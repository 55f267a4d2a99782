import { eachProseLine } from './outline.ts';
import type { Outline } from './outline.ts';

export interface Comment {
  readonly text: string;
  /** Lines of its beginning and its end. */
  readonly first: number;
  readonly last: number;
}

/** HTML comments outside of code; one that stands between backticks is only spoken of. */
export function commentsIn(outline: Outline): readonly Comment[] {
  if (!outline.text.includes('<!--')) return [];
  const comments: Comment[] = [];
  let open: { readonly first: number; readonly parts: string[] } | undefined;
  eachProseLine(outline, (line, at) => {
    let from = 0;
    while (from < line.length) {
      if (open === undefined) {
        const start = line.indexOf('<!--', from);
        if (start < 0) return;
        from = start + 4;
        if (line[start - 1] !== '`') open = { first: at, parts: [] };
        continue;
      }
      const end = line.indexOf('-->', from);
      open.parts.push(end < 0 ? line.slice(from) : line.slice(from, end));
      if (end < 0) return;
      comments.push({ text: open.parts.join('\n').trim(), first: open.first, last: at });
      open = undefined;
      from = end + 3;
    }
  });
  return comments;
}
