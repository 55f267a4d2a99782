import { describe, expect, it } from 'vitest';
import type { InitRecord, InitState } from '../store/init-record.ts';
import { attemptReason, nextAttempt, nextStep } from './initialisation.ts';
import type { Occasion, Standing, Step } from './initialisation.ts';

const ENDED = 1_000_000;

function record(state: InitState, failures = 0): InitRecord {
  const ended = state === 'indexing' ? {} : { endedAt: ENDED };
  return { version: 1, root: '/code/app', state, reason: 'path', startedAt: ENDED - 100, failures, ...ended };
}

const HERE: Occasion = { at: ENDED + 1_000, isMarkerBacked: true, namesCode: false };
const NEW: Standing = { hasIndex: false, record: undefined };

describe('whether an event begins an attempt', () => {
  it.each<[string, Partial<Standing>, Partial<Occasion>, Step]>([
    ['a root that was never seen', {}, {}, 'attempt'],
    ['a directory that nothing marks', {}, { isMarkerBacked: false }, 'leave'],
    ['a directory that nothing marks, with code', {}, { isMarkerBacked: false, namesCode: true }, 'leave'],
    ['an index', { hasIndex: true, record: record('stable') }, {}, 'leave'],
    ['an index of a root that was gone', { hasIndex: true, record: record('pending') }, {}, 'attempt'],
    ['an index whose record is lost', { hasIndex: true }, {}, 'leave'],
    ['nothing to index, a moment ago', { record: record('pending') }, { at: ENDED + 4_999 }, 'wait'],
    ['nothing to index, a while ago', { record: record('pending') }, { at: ENDED + 5_000 }, 'attempt'],
    ['nothing to index until now', { record: record('pending') }, { at: ENDED + 1, namesCode: true }, 'attempt'],
    ['a clock that was put back', { record: record('pending') }, { at: ENDED - 1 }, 'attempt'],
    ['failed a moment ago', { record: record('failed', 1) }, { at: ENDED + 119_999 }, 'wait'],
    ['failed a moment ago, and there is code', { record: record('failed', 1) }, { namesCode: true }, 'wait'],
    ['failed a while ago', { record: record('failed', 1) }, { at: ENDED + 120_000 }, 'attempt'],
    ['failed twice', { record: record('failed', 2) }, { at: ENDED + 120_000 }, 'attempt'],
    ['failed three times', { record: record('failed', 3) }, { at: ENDED + 900_000, namesCode: true }, 'leave'],
    ['a process that was killed at it', { record: record('indexing') }, {}, 'attempt'],
    ['killed at it after two failures', { record: record('indexing', 2) }, {}, 'attempt'],
    ['an index that is gone or of no use', { record: record('stable') }, {}, 'attempt'],
  ])('%s', (_what, standing, occasion, step) => {
    expect(nextStep({ ...NEW, ...standing }, { ...HERE, ...occasion })).toBe(step);
  });
});

it.each<[InitState, number, number | undefined]>([
  ['pending', 0, ENDED + 5_000],
  ['failed', 1, ENDED + 120_000],
  ['failed', 2, ENDED + 120_000],
  ['failed', 3, undefined],
])('%s after %i failures is tried again at %s', (state, failures, at) => {
  expect(nextAttempt(record(state, failures))).toBe(at);
});

it('the reason of an attempt is what led to the root', () => {
  expect(attemptReason('single-child', undefined)).toBe('single-child');
  expect(attemptReason('active', record('pending'))).toBe('path');
  expect(attemptReason('active', undefined)).toBe('cwd');
});
