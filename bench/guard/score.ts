// How well the guard tells harm from its look-alikes, at default settings: our own lists and the corpora beside the
// project, or those that `--corpus` names. `--json` prints all of it for programs, with the figures of our own lists.
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { SHARED, readCorpus, readLists, sharedCorpora } from '../../test/guard/cases.ts';
import { openDecide } from '../../test/guard/decide.ts';
import { WORLD, scoreList, scoreSet } from '../../test/guard/score.ts';
import type { Difference, ListScore, Reasons, SetScore } from '../../test/guard/score.ts';
import { printTable } from '../lib/measure.ts';

const SHOWN = 160;
const root = process.cwd();

const { values } = parseArgs({ options: { corpus: { type: 'string', multiple: true }, json: { type: 'boolean' } } });
const named = values.corpus !== undefined;
const files = values.corpus ?? sharedCorpora(root);
const reasons = JSON.parse(readFileSync(join(root, 'test/fixtures/guard/reasons.json'), 'utf8')) as Reasons;
const decide = await openDecide();
const sets: SetScore[] = [];
for (const file of files) sets.push(await scoreSet(basename(file, '.jsonl'), readCorpus(file), decide, reasons));
const own = readLists(root);
const lists = named
  ? undefined
  : {
      catastrophes: await scoreList(own.catastrophes, decide, 'block'),
      lookAlikes: await scoreList(own.lookAlikes, decide, 'allow'),
    };

const figures = { missed: lists?.catastrophes.failed.length, false: lists?.lookAlikes.failed.length };
if (values.json === true) console.log(JSON.stringify({ world: WORLD, sets, ...lists, figures }));
else print();
const wrong = lists ? lists.catastrophes.failed.length + lists.lookAlikes.failed.length : 0;
if (wrong > 0 || sets.some(({ failed }) => failed > 0)) process.exitCode = 1;

function print(): void {
  console.log(`world: ${WORLD}`);
  if (files.length === 0) console.log(`\nno corpora: ${SHARED} is not there; --corpus FILE names one`);
  for (const set of sets) {
    console.log(`\n${set.name}:`);
    const cells = (one: SetScore['total']) => [
      one.category,
      one.rows,
      one.deny,
      one.ask,
      one.save,
      one.missed,
      one.false,
    ];
    printTable(
      ['category', 'rows', 'deny', 'ask', 'save', 'missed', 'false'],
      [...set.categories, set.total].map(cells),
    );
    const missed = set.differences.filter(({ expected }) => expected !== 'allow');
    const falses = set.differences.filter(({ expected }) => expected === 'allow');
    printDifferences('missed', missed);
    printDifferences('stopped though harmless', falses);
    printDifferences('not counted, decided otherwise', set.uncounted, '');
  }
  if (lists) {
    printList('catastrophes', lists.catastrophes);
    printList('look-alikes', lists.lookAlikes);
  }
  if (sets.length === 0) return;
  console.log('\nshares:');
  printTable(
    ['set', 'to block: stopped', 'to advise: said', 'to allow: stopped', 'unexplained'],
    sets.map(({ name, recall, advised, falseBlocks, differences }) => [
      name,
      percent(recall),
      percent(advised),
      percent(falseBlocks),
      differences.filter(({ why }) => why === undefined).length,
    ]),
  );
}

function printDifferences(title: string, differences: readonly Difference[], otherwise = '; unexplained'): void {
  if (differences.length === 0) return;
  console.log(`\n${title} (${differences.length}):`);
  for (const { command, category, action, by, why } of differences) {
    console.log(`  [${category}] ${shorten(command)}`);
    console.log(`      ${action}${by === '' ? '' : ` by ${by}`}${why === undefined ? otherwise : `; ${why}`}`);
  }
}

function printList(title: string, { cases, deny, ask, save, failed }: ListScore): void {
  console.log(
    `\n${title}: ${cases} cases, ${deny} denied, ${ask} asked about, ${save} copied first, ${failed.length} wrong`,
  );
  for (const { case: one, action, by } of failed)
    console.log(`  [${one.heading}] ${shorten(one.command)}\n      ${action}${by === '' ? '' : ` by ${by}`}`);
}

function shorten(command: string): string {
  const line = command.replaceAll('\n', '⏎');
  return line.length > SHOWN ? `${line.slice(0, SHOWN)}…` : line;
}

function percent(share: number | undefined): string {
  return share === undefined ? '' : `${(share * 100).toFixed(2)} %`;
}
