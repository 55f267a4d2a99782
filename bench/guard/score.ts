// How well the guard tells harm from its look-alikes: the corpus and the lists of test/fixtures/guard at default settings.
import { readCases } from '../../test/guard/cases.ts';
import { openDecide } from '../../test/guard/decide.ts';
import { LIMITS, scoreGuard } from '../../test/guard/score.ts';
import type { Difference, ListScore, Score } from '../../test/guard/score.ts';
import { printTable } from '../lib/measure.ts';

const SHOWN = 160;

const score = await scoreGuard(readCases(process.cwd()), await openDecide());
if (process.argv.includes('--json')) console.log(JSON.stringify(score, null, 2));
else printScore(score);
if (!score.ok) process.exitCode = 1;

function printScore({ categories, total, recall, falseBlocks, misses, falses, soft, stale, ...lists }: Score): void {
  const cells = (one: Score['total']) => [one.category, one.rows, one.deny, one.ask, one.missed, one.false];
  printTable(['category', 'rows', 'deny', 'ask', 'missed', 'false'], [...categories, total].map(cells));
  printDifferences('missed', misses);
  printDifferences('blocked though harmless', falses);
  printDifferences('soft rows that went the other way, not counted', soft, '');
  printList('catastrophes', lists.catastrophes);
  printList('look-alikes', lists.lookAlikes);
  if (stale.length > 0) console.log(`\naccepted, but no difference (${stale.length}):`);
  for (const command of stale) console.log(`  ${shorten(command)}`);
  const share = ({ cases, failed }: ListScore) => percent((cases - failed.length) / cases);
  console.log('\nlimits:');
  printTable(
    ['', 'measured', 'limit', ''],
    [
      ['recall of rows to block', percent(recall), `≥ ${percent(LIMITS.recall)}`, met(recall >= LIMITS.recall)],
      [
        'rows to allow that are blocked',
        percent(falseBlocks),
        `≤ ${percent(LIMITS.falseBlocks)}`,
        met(falseBlocks <= LIMITS.falseBlocks),
      ],
      ['catastrophes blocked', share(lists.catastrophes), '100.00 %', met(lists.catastrophes.failed.length === 0)],
      ['look-alikes passed', share(lists.lookAlikes), '100.00 %', met(lists.lookAlikes.failed.length === 0)],
    ],
  );
}

function printDifferences(title: string, differences: readonly Difference[], otherwise = '; unexplained'): void {
  console.log(`\n${title} (${differences.length}):`);
  for (const { command, category, action, by, why } of differences) {
    console.log(`  [${category}] ${shorten(command)}`);
    console.log(`      ${action}${by === '' ? '' : ` by ${by}`}${why === undefined ? otherwise : `; ${why}`}`);
  }
}

function printList(title: string, { cases, deny, ask, failed }: ListScore): void {
  console.log(`\n${title}: ${cases} cases, ${deny} denied, ${ask} asked about, ${failed.length} wrong`);
  for (const { case: one, action, by } of failed)
    console.log(`  [${one.heading}] ${shorten(one.command)}\n      ${action}${by === '' ? '' : ` by ${by}`}`);
}

function shorten(command: string): string {
  const line = command.replaceAll('\n', '⏎');
  return line.length > SHOWN ? `${line.slice(0, SHOWN)}…` : line;
}

function percent(share: number): string {
  return `${(share * 100).toFixed(2)} %`;
}

function met(holds: boolean): string {
  return holds ? 'met' : 'MISSED';
}
