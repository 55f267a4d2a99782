import { Console } from 'node:console';
import { BENCHES, isMet } from '../bars/bars.ts';
import { printTable } from './measure.ts';

/** What a bench has measured, by the names of its bars; more may be kept for pictures. */
export type Figures = Readonly<Record<string, number>>;

const forPrograms = process.argv.includes('--json');
// Then the last line of stdout has the figures, and all else is beside the point.
if (forPrograms) globalThis.console = new Console(process.stderr);

/** Ends a bench: its figures beside their bars. By hand a missed bar is a failure, for a program only what could not be measured. */
export function report(bench: string, figures: Figures): void {
  const bars = BENCHES.find(({ name }) => name === bench)?.bars.filter(({ name }) => name in figures);
  if (!bars || bars.length === 0) throw new Error(`bench/bars/bars.ts has no bars of ${bench}`);
  const rows = bars.map((bar) => ({ bar, value: figures[bar.name] ?? Number.NaN }));
  console.log('\nbars:');
  printTable(
    ['', 'measured', '', 'bar', ''],
    rows.map(({ bar, value }) => [
      `${bar.what}${bar.unit === '' ? '' : `, ${bar.unit}`}`,
      Number.isNaN(value) ? 'not measured' : value.toFixed(2),
      bar.limit === undefined ? '' : bar.is,
      bar.limit === undefined ? '' : String(bar.limit),
      bar.limit === undefined ? '' : isMet(bar, value) ? 'met' : 'MISSED',
    ]),
  );
  if (forPrograms) process.stdout.write(`${JSON.stringify({ bench, figures })}\n`);
  else if (rows.some(({ bar, value }) => !isMet(bar, value))) process.exitCode = 1;
}

/** What stands first among the arguments, such as how many rounds are wanted. */
export function roundsOr(usual: number): number {
  const rounds = Number(process.argv.slice(2).find((word) => word !== '--json') ?? usual);
  if (!Number.isInteger(rounds) || rounds < 1) throw new Error('the number of rounds is a whole number from 1 on');
  return rounds;
}
