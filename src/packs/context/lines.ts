export interface TextLine {
  /** Without its line end. */
  readonly text: string;
  readonly at: number;
  /** Where the next line starts. */
  readonly next: number;
  /** Part of a comment that began a line. */
  readonly isComment: boolean;
}

const FENCE = /^[ \t]*(`{3,}|~{3,})(.*)$/;

/** The lines of a Markdown text that are not fenced code. Line ends may be of either kind. */
export function linesOutsideFences(text: string): readonly TextLine[] {
  const found: TextLine[] = [];
  let fence = '';
  let isComment = false;
  for (let at = text.startsWith('\ufeff') ? 1 : 0; at < text.length;) {
    const feed = text.indexOf('\n', at);
    const next = feed < 0 ? text.length : feed + 1;
    const line = text.slice(at, feed < 0 ? next : text[feed - 1] === '\r' && feed > at ? feed - 1 : feed);
    const [, mark = '', rest = ''] = isComment ? [] : (FENCE.exec(line) ?? []);
    if (fence !== '') {
      if (mark.startsWith(fence) && rest.trim() === '') fence = '';
    } else if (mark !== '' && !(mark.startsWith('`') && rest.includes('`'))) fence = mark;
    else {
      const inComment: boolean = isComment || line.trimStart().startsWith('<!--');
      found.push({ text: line, at, next, isComment: inComment });
      isComment = inComment && !line.includes('-->');
    }
    at = next;
  }
  return found;
}

/** Neither code nor comment: what templates show as an example is not counted. */
export function proseLines(text: string): readonly TextLine[] {
  return linesOutsideFences(text).filter((line) => !line.isComment);
}

const HEADING = /^ {0,3}#{1,6}(?:[ \t]|$)/;

/** As they are written, marks included. */
export function headingLines(text: string): readonly string[] {
  return proseLines(text)
    .filter((line) => HEADING.test(line.text))
    .map((line) => line.text.trim());
}
