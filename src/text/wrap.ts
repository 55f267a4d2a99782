import { columnsOf } from './columns.ts';

/** Breaks a line at blanks so that each part fits; a word that is wider than that stands alone. */
export function wrapLine(line: string, columns: number): readonly string[] {
  const lines: string[] = [];
  let part = '';
  for (const word of line.split(' ')) {
    if (part !== '' && columnsOf(part) + 1 + columnsOf(word) > columns) {
      lines.push(part);
      part = word;
    } else part = part === '' ? word : `${part} ${word}`;
  }
  return [...lines, part];
}
