import { join } from 'node:path';
import { parseArgs } from 'node:util';
import {
  dispatchShortfalls,
  figuresOf,
  isCalibrated,
  parserShortfalls,
  pointsOff,
  precision,
  recall,
  recallAll,
  shortfalls,
  worstOf,
} from './bars.ts';
import { compareDefinitions, compareSites, judgeableEdges } from './compare-parsers.ts';
import { CORPORA, type Corpus, type Judged } from './corpora.ts';
import { judgeDispatch } from './dispatch.ts';
import { indexCorpus } from './index-corpus.ts';
import { installCorpus, installTools } from './install.ts';
import { askOracle, missingJudges } from './oracle.ts';
import {
  dispatchTable,
  edgesTable,
  listMisses,
  listPlaces,
  nameOf,
  parserTable,
  whyTable,
  type Result,
} from './report.ts';
import { addScores, score } from './score.ts';

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    corpus: { type: 'string', multiple: true },
    json: { type: 'boolean', default: false },
    misses: { type: 'string', default: '0' },
  },
});
const TITLES: Readonly<Record<Judged, string>> = {
  ts: 'TypeScript, against the checker of typescript 5.9.3',
  py: 'Python, against pyright 1.1.414',
  go: 'Go, against go/types of Go 1.19',
  java: 'Java, against javac 17',
};
const scratch = join('.build', 'graph-accuracy');
const most = Number(values.misses);
const chosen = CORPORA.filter(
  ({ language, name }) =>
    (values.only === undefined || language === values.only) && (values.corpus?.includes(name) ?? true),
);
if (chosen.length === 0)
  throw new Error(`no corpus of that name; there are ${CORPORA.map(({ name }) => name).join(', ')}`);

const missing = missingJudges(chosen.map(({ language }) => language));
if (missing.length > 0)
  throw new Error(`not on this machine: ${missing.join(', ')}; install it, or leave its language out by --only`);

const tools = installTools(scratch);
const results: Result[] = [];
for (const corpus of chosen) results.push(await measure(corpus));

const short = results.flatMap(({ installed, definitions, sites, dispatch }) => [
  ...parserShortfalls(installed.corpus.name, 'definitions', definitions),
  ...parserShortfalls(installed.corpus.name, 'sites', sites),
  ...dispatchShortfalls(installed.corpus.name, dispatch),
]);
const sections: string[] = [];
const off: number[] = [];
for (const language of Object.keys(TITLES) as Judged[]) {
  const own = results.filter(({ installed }) => installed.corpus.language === language);
  if (own.length > 0) sections.push(summarise(language, own));
}
const judged = results.filter(({ dispatch }) => dispatch.members > 0);
if (judged.length > 0) sections.push(`Dispatch: what may be called instead of a member\n\n${dispatchTable(judged)}`);
if (results.length > 0) sections.push(`Against the real parser\n\n${parserTable(results)}`);

const figures = {
  ...worstOf(results.map((result) => figuresOf(result.installed.corpus.language, result))),
  calibration: Math.max(0, ...off),
};
if (values.json) console.log(JSON.stringify({ results: results.map(inNumbers), short, figures }));
else console.log(sections.join('\n\n'));
if (short.length > 0) {
  if (!values.json) console.log(`\nBelow the bars:\n${short.map((line) => `  ${line}`).join('\n')}`);
  process.exitCode = 1;
}

async function measure(corpus: Corpus): Promise<Result> {
  const installed = installCorpus(scratch, corpus);
  const oracle = askOracle(scratch, tools, installed);
  const indexed = await indexCorpus(installed.root);
  const result = {
    installed,
    files: indexed.files,
    score: score(oracle.sites, judgeableEdges(oracle, indexed.edges)),
    definitions: compareDefinitions(oracle, indexed),
    sites: compareSites(oracle, indexed),
    dispatch: await judgeDispatch(scratch, installed.root, oracle),
  };
  const { parse, resolve } = indexed.seconds;
  process.stderr.write(`${corpus.name}: parsed in ${parse.toFixed(2)} s, resolved in ${resolve.toFixed(2)} s of CPU\n`);
  if (most > 0) showMisses(result, indexed.flagged);
  return result;
}

function summarise(language: Judged, own: readonly Result[]): string {
  const total = addScores(own.map((result) => result.score));
  const rows = own.map(({ installed, files, score: one }) => [nameOf(installed), files, one] as const);
  const files = own.reduce((sum, result) => sum + result.files, 0);
  short.push(...own.flatMap(({ installed, score: one }) => shortfalls(installed.corpus.name, language, one)));
  off.push(...total.byWhy.map(pointsOff));
  for (const part of total.byWhy) if (!isCalibrated(part)) short.push(`${language}: "${part.why}" is not calibrated`);
  return [TITLES[language], edgesTable([...rows, ['all', files, total]]), whyTable(total.byWhy)].join('\n\n');
}

function showMisses({ installed, score: one, definitions, sites, dispatch }: Result, flagged: readonly string[]): void {
  const { root, corpus } = installed;
  const parts = [
    `\n== ${corpus.name}`,
    flagged.length === 0 ? '' : `files with flags: ${flagged.slice(0, most).join(', ')}`,
    listMisses('missed', root, one.missed, most),
    listMisses('wrong', root, one.wrong, most),
    listMisses('implementations missed', root, dispatch.missed, most),
    listMisses('no implementations', root, dispatch.wrong, most),
    listPlaces('definitions the parser has and we do not', root, definitions.missing, most),
    listPlaces('definitions only we have', root, definitions.extra, most),
    listPlaces('call sites the parser has and we do not', root, sites.missing, most),
    listPlaces('call sites only we have', root, sites.extra, most),
  ];
  console.log(parts.filter((part) => part !== '').join('\n'));
}

function inNumbers({ installed, files, score: one, definitions, sites, dispatch }: Result) {
  const { missed: _lacking, wrong: _added, ...pairs } = dispatch;
  const { missed: _missed, wrong: _wrong, ...counts } = one;
  const shares = { precision: precision(one), recall: recall(one), recallAll: recallAll(one) };
  const agreement = ({ extra: _extra, missing: _missing, ...rest }: Result['sites']) => rest;
  return {
    corpus: installed.corpus.name,
    version: installed.version,
    files,
    ...shares,
    ...counts,
    dispatch: pairs,
    parser: { definitions: agreement(definitions), sites: agreement(sites) },
  };
}
