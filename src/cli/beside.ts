import type { CliWorld } from './command.ts';
import { columnsOf } from '../text/columns.ts';
import { printableLine, wrap } from './table.ts';

/** A word, and what is said about it. */
export type Row = readonly [left: string, right: string];

/** Columns that a text needs to be read beside another. */
const LEAST_BESIDE = 34;

/** Texts beside what they are about, broken to fit; under it where there is no room beside. */
export function beside(
  lines: readonly Row[],
  { columns }: Pick<CliWorld, 'columns'>,
  width = Math.max(0, ...lines.map(([left]) => columnsOf(left))),
): string[] {
  const isBeside = columns - width > LEAST_BESIDE;
  const indent = ' '.repeat(isBeside ? width + 4 : 6);
  return lines.map(([left, right]) => {
    const text = wrap(printableLine(right), columns, indent);
    const space = ' '.repeat(Math.max(0, width - columnsOf(left)));
    return isBeside ? `  ${left}${space}  ${text.trimStart()}`.trimEnd() : `  ${left}${text === '' ? '' : `\n${text}`}`;
  });
}
