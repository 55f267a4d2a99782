import type { RuleFiles } from './rule-files.ts';
import type { CodeLocation } from './rule-graph.ts';

/** What a file holds that was indexed; true when it is the one that was indexed, so that all said of it holds. */
export type Present = string | true | undefined;

export function presentAt(
  { path, size, mtimeMs }: Pick<CodeLocation, 'path' | 'size' | 'mtimeMs'>,
  files: Pick<RuleFiles, 'stat' | 'readText'>,
  maxBytes: number,
): Present {
  const now = files.stat(path);
  if (now?.kind !== 'file') return undefined;
  return now.size === size && now.mtimeMs === mtimeMs ? true : files.readText(path, maxBytes);
}

/** Whether a line is what it was: that of an unchanged file, or one that `isSame` still knows. It is empty beyond the end. */
export function lineStands(present: Present, line: number, isSame: (text: string) => boolean): boolean {
  return present === true || (present !== undefined && isSame(lineOf(present, line)));
}

function lineOf(text: string, line: number): string {
  let start = 0;
  for (let at = 1; at < line; at += 1) {
    start = text.indexOf('\n', start) + 1;
    if (start === 0) return '';
  }
  const end = text.indexOf('\n', start);
  return end < 0 ? text.slice(start) : text.slice(start, end);
}
