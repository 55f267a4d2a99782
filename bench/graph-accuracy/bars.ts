import { CONFIDENCE } from '../../src/graph/graph.fixture.ts';
import type { Agreement } from './compare-parsers.ts';
import type { Judged as Language } from './corpora.ts';
import type { DispatchScore } from './dispatch.ts';
import type { Judged, Score } from './score.ts';

export interface Bars {
  readonly precision: number;
  readonly recall: number;
}

const HIGH: Bars = { precision: 98, recall: 95 };
const GOOD: Bars = { precision: 95, recall: 85 };

export const BARS: Readonly<Record<Language, Bars>> = { ts: HIGH, py: HIGH, go: HIGH, java: GOOD };
/** Of what the judge lists as implementations. */
export const DISPATCH_BAR = 90;
export const PARSER_BAR = 99;
/** Points between what a confidence promises and what was observed. */
export const CALIBRATION = 5;
/** Fewer edges say nothing about a share. */
export const FEW = 100;

export const precision = ({ right, ours }: Pick<Score, 'right' | 'ours'>) => percent(right, ours);
export const recall = ({ found, expected }: Pick<Score, 'found' | 'expected'>) => percent(found, expected);
export const recallAll = ({ foundAtAll, expected }: Pick<Score, 'foundAtAll' | 'expected'>) =>
  percent(foundAtAll, expected);

export function percent(part: number, whole: number): number {
  return whole === 0 ? 100 : (100 * part) / whole;
}

/** What falls short, in words; empty when all bars are met. */
export function shortfalls(name: string, language: Language, score: Score): string[] {
  const bars = BARS[language];
  const short: string[] = [];
  const check = (what: string, is: number, bar: number) => {
    if (is < bar) short.push(`${name}: ${what} ${is.toFixed(1)} %, bar ${bar} %`);
  };
  check('precision', precision(score), bars.precision);
  check('recall', recall(score), bars.recall);
  return short;
}

export function dispatchShortfalls(name: string, { found, expected }: DispatchScore): string[] {
  const is = percent(found, expected);
  return is < DISPATCH_BAR ? [`${name}: implementations found ${is.toFixed(1)} %, bar ${DISPATCH_BAR} %`] : [];
}

export function parserShortfalls(name: string, what: string, { ours, theirs, right, found }: Agreement): string[] {
  const short: string[] = [];
  if (percent(right, ours) < PARSER_BAR) short.push(`${name}: ${what} precision ${percent(right, ours).toFixed(2)} %`);
  if (percent(found, theirs) < PARSER_BAR) short.push(`${name}: ${what} recall ${percent(found, theirs).toFixed(2)} %`);
  return short;
}

export function isCalibrated({ why, edges, right }: Judged): boolean {
  return edges < FEW || Math.abs(percent(right, edges) - 100 * CONFIDENCE[why]) < CALIBRATION + 1e-6;
}
