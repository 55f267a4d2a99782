import { readMarkdown } from '../../text/markdown.ts';

const OPEN_BOX = /^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+\[ \](?:[ \t]+(.*))?$/;
/** What some write behind a task: `#priority:high #added:2026-03-10`. */
const LABELS = /(?:[ \t]+#[A-Za-z][\w-]*(?::\S*)?)+[ \t]*$/;

/** The titles of the open boxes, in the order of the file; code and comments hold none. */
export function openTasks(text: string): readonly string[] {
  return readMarkdown(text).lines.flatMap((line) => {
    const match = OPEN_BOX.exec(line.text);
    return match === null ? [] : [titleOf(match[1] ?? '')];
  });
}

function titleOf(text: string): string {
  const title = text.trim();
  return title.replace(LABELS, '').trim() || title;
}
