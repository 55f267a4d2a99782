import { eachProseLine } from './outline.ts';
import type { Outline } from './outline.ts';

export interface Comment {
  readonly text: string;
  /** Lines of its beginning and its end. */
  readonly first: number;
  readonly last: number;
}

/** How a comment begins and ends: that of HTML, and that of MDX, which takes no other; some tools read any Markdown so. */
const FORMS = [
  ['<!--', '-->'],
  ['{/*', '*/}'],
] as const;

export const mayHaveComments = (text: string): boolean => FORMS.some(([start]) => text.includes(start));

/** Comments outside of code; one that stands between backticks is only spoken of. */
export function commentsIn(outline: Outline): readonly Comment[] {
  if (!mayHaveComments(outline.text)) return [];
  const comments: Comment[] = [];
  let open: { readonly first: number; readonly parts: string[]; readonly ending: string } | undefined;
  eachProseLine(outline, (line, at) => {
    let from = 0;
    while (from < line.length) {
      if (open === undefined) {
        const next = nextComment(line, from);
        if (!next) return;
        from = next.inside;
        if (line[next.start - 1] !== '`') open = { first: at, parts: [], ending: next.ending };
        continue;
      }
      const end = line.indexOf(open.ending, from);
      open.parts.push(end < 0 ? line.slice(from) : line.slice(from, end));
      if (end < 0) return;
      comments.push({ text: open.parts.join('\n').trim(), first: open.first, last: at });
      from = end + open.ending.length;
      open = undefined;
    }
  });
  return comments;
}

interface Beginning {
  readonly start: number;
  /** Where its text begins. */
  readonly inside: number;
  readonly ending: string;
}

function nextComment(line: string, from: number): Beginning | undefined {
  let next: Beginning | undefined;
  for (const [opening, ending] of FORMS) {
    const start = line.indexOf(opening, from);
    if (start >= 0 && (!next || start < next.start)) next = { start, inside: start + opening.length, ending };
  }
  return next;
}
