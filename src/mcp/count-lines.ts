import { counted, countLanguages } from '../graph/index.ts';
import type { GraphCounts } from '../graph/index.ts';

type Skipped = Readonly<Record<string, number>>;

/** What a graph holds, and what was left out of it. */
export function countLines(counts: GraphCounts, skipped: Skipped): string[] {
  const { files, symbols, edges, possible, unresolved, outside } = counts;
  const languages = countLanguages(counts).map((of) => `${of.name} ${of.files}`);
  return [
    `${counted(files, 'file')}${languages.length > 0 ? ` (${languages.join(', ')})` : ''}, ${counted(symbols, 'symbol')}`,
    `${counted(edges, 'edge')}; ${possible} possible, ${unresolved} unresolved, ${outside} lead out of the project`,
    ...skippedLine({ ...skipped, ...counts.skipped }),
  ];
}

export function skippedLine(skipped: Skipped): string[] {
  const reasons = Object.entries(skipped).filter(([, count]) => count > 0);
  return reasons.length === 0 ? [] : [`left out: ${reasons.map(([reason, count]) => `${reason} ${count}`).join(', ')}`];
}
