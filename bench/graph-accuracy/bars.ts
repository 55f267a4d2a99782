import { CONFIDENCE } from '../../src/graph/graph.fixture.ts';
import { limitOf } from '../bars/bars.ts';
import type { Agreement } from './compare-parsers.ts';
import type { Judged as Language } from './corpora.ts';
import type { DispatchScore } from './dispatch.ts';
import type { Judged, Score } from './score.ts';

const limit = (bar: string): number => limitOf('graph-accuracy', bar);
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
  const short: string[] = [];
  const check = (what: string, is: number, bar: number) => {
    if (is < bar) short.push(`${name}: ${what} ${is.toFixed(1)} %, bar ${bar} %`);
  };
  check('precision', precision(score), limit(`${language}-precision`));
  check('recall', recall(score), limit(`${language}-recall`));
  return short;
}

export function dispatchShortfalls(name: string, { found, expected }: DispatchScore): string[] {
  const is = percent(found, expected);
  const bar = limit('dispatch');
  return is < bar ? [`${name}: implementations found ${is.toFixed(1)} %, bar ${bar} %`] : [];
}

export function parserShortfalls(name: string, what: 'definitions' | 'sites', agreement: Agreement): string[] {
  const { precision: ours, recall: theirs } = agreementIn(agreement);
  const bar = limit(what);
  const short = (kind: string, is: number) => (is < bar ? [`${name}: ${what}, ${kind} ${is.toFixed(2)} %`] : []);
  return [...short('precision', ours), ...short('recall', theirs)];
}

function agreementIn({ ours, theirs, right, found }: Agreement) {
  return { precision: percent(right, ours), recall: percent(found, theirs) };
}

/** Points between what a confidence promises and what was observed; 0 where there is too little to say. */
export function pointsOff({ why, edges, right }: Judged): number {
  return edges < FEW ? 0 : Math.abs(percent(right, edges) - 100 * CONFIDENCE[why]);
}

export function isCalibrated(judged: Judged): boolean {
  return pointsOff(judged) < limit('calibration') + 1e-6;
}

/** What was measured of one corpus. */
export interface Measurement {
  readonly score: Score;
  readonly definitions: Agreement;
  readonly sites: Agreement;
  readonly dispatch: DispatchScore;
}

/** What one corpus says of each bar. */
export function figuresOf(
  language: Language,
  { score, definitions, sites, dispatch }: Measurement,
): Record<string, number> {
  const worst = ({ precision: ours, recall: theirs }: ReturnType<typeof agreementIn>) => Math.min(ours, theirs);
  return {
    [`${language}-precision`]: precision(score),
    [`${language}-recall`]: recall(score),
    definitions: worst(agreementIn(definitions)),
    sites: worst(agreementIn(sites)),
    ...(dispatch.members > 0 ? { dispatch: percent(dispatch.found, dispatch.expected) } : {}),
  };
}

/** Of several corpora the worst counts. */
export function worstOf(all: readonly Readonly<Record<string, number>>[]): Record<string, number> {
  const worst: Record<string, number> = {};
  for (const [name, value] of all.flatMap((each) => Object.entries(each)))
    worst[name] = Math.min(value, worst[name] ?? Infinity);
  return worst;
}
