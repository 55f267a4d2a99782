import { expandTabs } from '../../../text/columns.ts';

/** Lines as they are compared: the same wherever they are pasted, in whatever form the text came. */
export function normalise(lines: readonly string[]): readonly string[] {
  return dedent(lines.map(tidy));
}

export function tidy(line: string): string {
  const expanded = expandTabs(line);
  return (COMPOSED.test(expanded) ? expanded : expanded.normalize('NFC')).trimEnd();
}

/** Characters that stand for themselves in the form that is compared; a look at them costs less than to make it. */
const COMPOSED = /^[\0-\u02ff\u2500-\u257f]*$/;

/** Without the blanks that all lines begin with; empty lines have no say. */
export function dedent(lines: readonly string[]): readonly string[] {
  let common = Infinity;
  for (const line of lines) if (line !== '') common = Math.min(common, indentation(line));
  return common === 0 || common === Infinity ? lines : lines.map((line) => line.slice(common));
}

function indentation(line: string): number {
  let at = 0;
  while (line.charCodeAt(at) === 32) at += 1;
  return at;
}
