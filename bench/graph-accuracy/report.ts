import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CONFIDENCE } from '../../src/graph/graph.fixture.ts';
import { isCalibrated, percent, precision, recall, recallAll } from './bars.ts';
import type { Measurement } from './bars.ts';
import type { Corpus, Installed } from './corpora.ts';
import type { Judged, Miss, Place, Score } from './score.ts';

export interface Result extends Measurement {
  readonly installed: Installed;
  readonly files: number;
}

const EDGES_HEAD = [
  'corpus',
  'files',
  'call sites',
  'judge unsure',
  'true edges',
  'ours ≥ 0.75',
  'precision',
  'recall',
  'recall, all',
];
const PARSER_HEAD = ['corpus', 'definitions', 'precision', 'recall', 'call sites', 'precision', 'recall'];
const DISPATCH_HEAD = ['corpus', 'members', 'implementations', 'ours', 'precision', 'recall'];
const WHY_HEAD = ['why', 'confidence', 'edges', 'observed', ''];

export function edgesTable(results: readonly (readonly [name: string, files: number, score: Score])[]): string {
  return table(
    EDGES_HEAD,
    results.map(([name, files, score]) => [
      name,
      count(files),
      count(score.sites),
      count(score.unresolved),
      count(score.expected),
      count(score.ours),
      share(precision(score)),
      share(recall(score)),
      share(recallAll(score)),
    ]),
  );
}

export function parserTable(results: readonly Result[]): string {
  return table(
    PARSER_HEAD,
    results.map(({ installed, definitions, sites }) => [
      nameOf(installed),
      ...[definitions, sites].flatMap(({ theirs, ours, right, found }) => [
        count(theirs),
        share(percent(right, ours), 2),
        share(percent(found, theirs), 2),
      ]),
    ]),
  );
}

export function dispatchTable(results: readonly Result[]): string {
  return table(
    DISPATCH_HEAD,
    results.map(({ installed, dispatch: { members, expected, found, ours, right } }) => [
      nameOf(installed),
      count(members),
      count(expected),
      count(ours),
      share(percent(right, ours)),
      share(percent(found, expected)),
    ]),
  );
}

export function whyTable(byWhy: readonly Judged[]): string {
  return table(
    WHY_HEAD,
    byWhy.map((part) => [
      part.why,
      CONFIDENCE[part.why].toFixed(2),
      count(part.edges),
      (part.right / part.edges).toFixed(3),
      isCalibrated(part) ? '' : 'off by more than 5 points',
    ]),
  );
}

export function nameOf({ corpus, version }: Installed): string {
  return `${isWorkspace(corpus) ? corpus.name : corpus.package} ${version}`;
}

function isWorkspace(corpus: Corpus): boolean {
  if (corpus.language === 'go') return Object.keys(corpus.modules).length > 1;
  return corpus.language === 'ts' && corpus.fellows !== undefined;
}

/** How many of each kind there are, then examples evenly from the whole list. */
export function listMisses(title: string, root: string, misses: readonly Miss[], most: number): string {
  const kinds = new Map<string, number>();
  for (const { kind } of misses) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  const sorted = [...kinds].sort((a, b) => b[1] - a[1]).slice(0, 20);
  const lines = [`${title}: ${misses.length}`, ...sorted.map(([kind, n]) => `  ${String(n).padStart(5)}  ${kind}`)];
  const step = Math.max(1, misses.length / most);
  for (let n = 0; n < misses.length && n / step < most; n += step) {
    const miss = misses[Math.floor(n)];
    if (miss !== undefined) lines.push(...describe(root, miss));
  }
  return lines.join('\n');
}

export function listPlaces(title: string, root: string, places: readonly Place[], most: number): string {
  return [
    `${title}: ${places.length}`,
    ...places.slice(0, most).map((place) => `  ${at(place)}  ${source(root, place)}`),
  ].join('\n');
}

function describe(root: string, { site, kind, expected, got }: Miss): string[] {
  return [
    `- ${at(site)} ${site.name} [${kind}]`,
    `    ${source(root, site)}`,
    ...expected.slice(0, 2).map((place) => `    is   ${at(place)}  ${source(root, place)}`),
    ...got.slice(0, 2).map(({ target, why }) => `    ours ${at(target)}  ${source(root, target)} (${why})`),
  ];
}

function at({ file, line, column }: Place): string {
  return `${file}:${line + 1}:${column + 1}`;
}

const texts = new Map<string, readonly string[]>();

function source(root: string, { file, line }: Place): string {
  const path = join(root, file);
  let lines = texts.get(path);
  if (lines === undefined) texts.set(path, (lines = readFileSync(path, 'utf8').split('\n')));
  return (lines[line] ?? '').trim().slice(0, 140);
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [head, ...rows];
  const widths = head.map((_, column) => Math.max(3, ...all.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0))).join(' | ')} |`;
  const rule = `| ${widths.map((width, column) => (column === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`)).join(' | ')} |`;
  return [line(head), rule, ...rows.map(line)].join('\n');
}

const count = (n: number) => n.toLocaleString('en-US');
const share = (value: number, digits = 1) => `${value.toFixed(digits)} %`;
